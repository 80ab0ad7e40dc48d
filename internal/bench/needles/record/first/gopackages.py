"""gopackages.py COUNT writes a Go module of small packages; vet complains about one, and one does not compile."""
import os
import sys

from words import camel, noun, rand, unique, verb

open("go.mod", "w").write("module example.com/platform\n\ngo 1.22\n")
packages = unique(noun, int(sys.argv[1]))
for i, package in enumerate(packages):
    directory = f"{rand.choice(['internal', 'service', 'store'])}/{package}pkg"
    os.makedirs(directory, exist_ok=True)
    type_ = camel(package)
    text = f"package {package}pkg\n\nimport \"fmt\"\n\n"
    for function in unique(lambda: camel(verb(), noun()), 6):
        text += f"// {function} is one of the package's functions.\nfunc {function}(n int) string {{\n\treturn fmt.Sprintf(\"{function} %d\", n)\n}}\n\n"
    if i == 19:
        text += 'func describe(name string) string {\n\treturn fmt.Sprintf("%d items", name)\n}\n\nvar _ = describe\n'
    if i == 31:
        text += f"type {type_} struct{{ limit int }}\n\nfunc (s {type_}) Remaining() int {{\n\treturn s.limit - s.usedBytes\n}}\n"
    open(f"{directory}/{package}.go", "w").write(text)
    open(f"{directory}/{package}_test.go", "w").write(
        f'package {package}pkg\n\nimport "testing"\n\nfunc Test{type_}(t *testing.T) {{ t.Log("ok") }}\n')
