# Texts of cmake, ninja, make, g++, ctest and valgrind.
# shellcheck shell=bash

# ninja_templates: 320 C++ files with ninja -v; one does not compile, deep in a template.
ninja_templates() { # text
	fresh solver
	python3 "$here/second/cmakefiles.py" templates 320
	cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release . && ninja -C build -v -k 0 2>&1 || true
}

# make_link: two projects of C files in libraries, built by cmake's makefiles; a program of the first one does not link.
make_link() { # text
	fresh broker
	(python3 "$here/second/cmakefiles.py" link 240 && cmake -B build . && make -C build -k -j4) 2>&1 || true
	fresh console
	(python3 "$here/second/cmakefiles.py" link-pass 360 && cmake -B build . && make -C build -j4) 2>&1
}

# ctest_v: 400 tests that print; one is aborted, one prints a mismatch.
ctest_v() { # text
	fresh codec
	python3 "$here/second/cmakefiles.py" ctest 400
	cmake -B build . >/dev/null && make -C build >/dev/null && cd build && ctest -V 2>&1 || true
}

# ctest_pass: the list of tests that pass, whatever they are called, three times.
ctest_pass() { # text
	fresh codec
	python3 "$here/second/cmakefiles.py" ctest-pass 450
	cmake -B build . && make -C build && cd build && for level in 1 2 3; do LEVEL=$level ctest 2>&1; done
}

# valgrind_log: a program that logs 2,500 lines; valgrind reports one read after a free in their midst.
valgrind_log() { # text
	fresh indexer
	cp "$here/second/indexer.c.txt" indexer.c
	gcc -g -O0 -o indexer indexer.c && valgrind --leak-check=full ./indexer 2500 2>&1 || true
}
