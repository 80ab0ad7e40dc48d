"""cfiles.py fails|passes COUNT writes a C program of many files, and its Makefile."""
import os
import sys

from words import noun, rand, trait, unique, verb

fails, count = sys.argv[1] == "fails", int(sys.argv[2])
WARNINGS = [
    "int {f}(int n) {{ int left = n * 2; return n + 1; }}",
    'int {f}(int n) {{ printf("%s\\n", n); return n; }}',
    "int {f}(int n) {{ unsigned size = 4; for (int i = 0; i < size; i++) n += i; return n; }}",
    "int {f}(int n) {{ if (n = 3) return 1; return n; }}",
    "int {f}(int n) {{ switch (n) {{ case 1: n += 2; case 2: n += 3; }} return n; }}",
]
ALARMING = ["error", "fail", "panic", "fatal", "abort", "error_table", "failure_log", "exception", "assert_fail"]
PLAIN = "int {f}(int n) {{ struct part p = {{ n, {k} }}; return p.first * p.second; }}"


def name():
    if not fails and rand.random() < 0.1:
        return rand.choice(ALARMING) + rand.choice(["", "_" + noun()])
    return noun() + "_" + rand.choice([noun(), trait(), verb()])


for directory in ("src", "include", "build", "lib"):
    os.makedirs(directory)
open("include/part.h", "w").write("#include <stdio.h>\n\nstruct part { int first, second; };\nstruct frame;\n\nint frame_width(const struct frame *frame, int scale);\n")
names = unique(name, count)
for i, file in enumerate(names):
    text = f'#include "part.h"\n\n/* {file} is one of the files. */\n\n'
    functions = [f"{file}_{v}" for v in unique(verb, 3)]
    for f in functions:
        form = PLAIN
        if fails and rand.random() < 0.04:
            form = rand.choice(WARNINGS)
        text += form.format(f=f, k=rand.randrange(100)) + "\n\n"
    if fails and i == 262:
        text += "int scaled_width(struct part *p)\n{\n\treturn frame_width(p->first, p->third);\n}\n"
    if fails and i == 391:
        text += "int total_of(int n)\n{\n\tint sum = 0\n\tfor (int i = 0; i < n; i++)\n\t\tsum += i;\n\treturn sum;\n}\n"
    open(f"src/{file}.c", "w").write(text)

flags = "-O1 -g -Wall -Wextra -fno-strict-aliasing -Iinclude -DNDEBUG -DVERSION='\"4.2.1\"'"
flags += "" if fails else " -Werror"
objects = " ".join(f"build/{n}.o" for n in names)
rest = "".join(f"lib/lib{n}.a: build/{n}.o\n\tar rcs $@ $<\n\tranlib $@\n\n" for n in names[::4])
archives = " ".join(f"lib/lib{n}.a" for n in names[::4])
open("Makefile", "w").write(f"""CFLAGS = {flags}
OBJECTS = {objects}
ARCHIVES = {archives}

all: $(ARCHIVES) lib/libengine.a

lib/libengine.a: $(OBJECTS)
	ar rcs $@ $(OBJECTS)
	@echo "built $@"

build/%.o: src/%.c include/part.h
	@echo "  compiling $<"
	gcc $(CFLAGS) -MMD -MP -MF build/$*.d -c -o $@ $<

{rest}""")
