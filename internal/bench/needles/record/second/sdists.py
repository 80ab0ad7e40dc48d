"""sdists.py COUNT writes source distributions with an extension each; the C code of one needs a header that is not there."""
import io
import os
import sys
import tarfile

from words import noun, rand, unique

os.makedirs("sdists")
count = int(sys.argv[1])
for i, name in enumerate(sorted(unique(lambda: f"{noun()}{rand.choice(['lib', 'py', 'tools'])}", count))):
    base, files = f"{name}-1.{i}.0", {}
    files["setup.py"] = f"from setuptools import Extension, setup\nsetup(name='{name}', version='1.{i}.0', packages=['{name}'], ext_modules=[Extension('{name}._fast', ['src/fast.c'])])\n"
    files["src/fast.c"] = ("#include <Python.h>\n" + ('#include <sodium/core.h>\n' if i == 3 else "") +
                           "\nstatic PyObject *twice(PyObject *self, PyObject *args)\n{\n\tlong n;\n\tif (!PyArg_ParseTuple(args, \"l\", &n))\n\t\treturn NULL;\n\treturn PyLong_FromLong(2 * n);\n}\n\n"
                           "static PyMethodDef methods[] = {{\"twice\", twice, METH_VARARGS, \"\"}, {0}};\nstatic struct PyModuleDef module = {PyModuleDef_HEAD_INIT, \"_fast\", NULL, -1, methods};\n"
                           "PyMODINIT_FUNC PyInit__fast(void) { return PyModule_Create(&module); }\n")
    files["PKG-INFO"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.{i}.0\n"
    for module in ["__init__", *unique(noun, 90)]:
        files[f"{name}/{module}.py"] = f"value = {rand.randrange(99)}\n"
    with tarfile.open(f"sdists/{base}.tar.gz", "w:gz") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{base}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
