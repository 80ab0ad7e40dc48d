# Texts of make and gcc.
# shellcheck shell=bash

# make_gcc: 640 C files; two do not compile, and every ninth or so has a warning.
make_gcc() { # text
	fresh engine
	python3 "$here/first/cfiles.py" fails 640
	make -k -j4 2>&1 || true
}

# make_pass: nothing fails, with -Werror and with files of alarming names.
make_pass() { # text
	fresh engine
	python3 "$here/first/cfiles.py" passes 420
	make -j4 2>&1
}
