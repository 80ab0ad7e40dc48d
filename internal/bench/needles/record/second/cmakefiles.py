"""cmakefiles.py templates|link|link-pass|ctest|ctest-pass COUNT writes a project of cmake."""
import os
import sys

from words import camel, noun, rand, trait, unique, verb

kind, count = sys.argv[1], int(sys.argv[2])


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    open(path, "w").write(text)


def templates():
    write("include/solver/grid.hpp", """#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace solver {
template <typename Key, typename Cell> class grid {
public:
    void put(const Key &key, Cell cell) { cells_[key].push_back(cell); }
    std::vector<Cell> ordered(const Key &key) {
        auto row = cells_[key];
        std::sort(row.begin(), row.end());
        return row;
    }
private:
    std::map<Key, std::vector<Cell>> cells_;
};
}
""")
    names = unique(lambda: f"{noun()}_{noun()}", count)
    for i, name in enumerate(names):
        key = rand.choice(["int", "long", "std::string"])
        body = f"int {name}({key} key) {{ grid<{key}, double> g; g.put(key, {i}.5); return (int)g.ordered(key).size(); }}"
        if i % 12 == 4:
            body += f"\nint {name}_limit(int n) {{ unsigned size = {i}; int twice = n * 2; for (int k = 0; k < size; k++) n += k; return n; }}"
        if i == 37:
            body += "\nstruct weight { double value; };\nsize_t ranked(grid<int, weight> &g) { return g.ordered(7).size(); }"
        if i % 4 and i != 37:
            write(f"src/{name}.cpp", f"namespace solver {{\nint {name}(int n) {{ return n * {i}; }}\n}}\n")
            continue
        write(f"src/{name}.cpp", f"#include <solver/grid.hpp>\n\nnamespace solver {{\n{body}\n}}\n")
    write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(solver CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
          "add_compile_options(-Wall -Wextra -fdiagnostics-color=never)\ninclude_directories(include)\nadd_library(solver STATIC\n"
          + "".join(f"  src/{n}.cpp\n" for n in names) + ")\n")


def link():
    libraries = unique(lambda: rand.choice(["net", "store", "codec", "core"]) + "_" + noun(), 30)
    lists = "cmake_minimum_required(VERSION 3.20)\nproject(broker C)\nset(CMAKE_C_FLAGS -O0)\nadd_compile_options(-Wall -Wextra)\n"
    for i, library in enumerate(libraries):
        files = unique(lambda: f"{noun()}_{verb()}", count // 30)
        for file in files:
            unused = "\tint spare = n;\n" if rand.random() < 0.02 else ""
            write(f"lib/{library}/{file}.c", f"int {library}_{file}(int n)\n{{\n{unused}\treturn n + {rand.randrange(99)};\n}}\n")
        call = f"{library}_{files[0]}(0)"
        declared = f"int {library}_{files[0]}(int n);\n"
        if i == 5 and kind == "link":
            declared += "int lease_renew(int id, long until);\nint lease_drop(int id);\n"
            call += " + lease_renew(4, 60L) + lease_drop(4)"
        write(f"lib/{library}/tool.c", f"{declared}\nint main(void)\n{{\n\treturn {call};\n}}\n")
        lists += f"add_library({library} STATIC {' '.join(f'lib/{library}/{f}.c' for f in files)})\n"
        lists += f"add_executable({library}_tool lib/{library}/tool.c)\ntarget_link_libraries({library}_tool {library})\n"
    write("CMakeLists.txt", lists)


def ctest():
    alarming = ["error_path", "fails_closed", "exception_safe", "panic_mode", "aborted_transfer", "crash_recovery"]
    passes = kind == "ctest-pass"
    names = unique(lambda: f"{noun()}.{verb()}_{rand.choice(alarming) if passes and rand.random() < 0.3 else trait()}", count)
    lists = "cmake_minimum_required(VERSION 3.20)\nproject(codec C)\nenable_testing()\nadd_executable(cases cases.c)\n"
    lists += "".join(f"add_test(NAME {n} COMMAND cases {i})\n" for i, n in enumerate(names))
    write("CMakeLists.txt", lists)
    fails = "" if passes else """
	if (n == 141) {
		printf("frame 12: checksum 0x9f31, expected 0x9f13\\n");
		return 1;
	}
	if (n == 208)
		assert(n % 2 == 1 && "every slice is odd");"""
    write("cases.c", """#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	printf("codec 2.1, case %%d, seed %%d\\n", n, n * 7919);
	for (int i = 0; i < n %% 6; i++)
		printf("frame %%d: %%d bytes, checksum 0x%%04x\\n", i, n * 331 %% 8192, n * 40503 %% 65536);%s
	printf("%%d frames decoded\\n", n %% 6);
	return 0;
}
""" % fails)


{"templates": templates, "link": link, "link-pass": link, "ctest": ctest, "ctest-pass": ctest}[kind]()
