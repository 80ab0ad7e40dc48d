# Texts of test runners and of what checks sources.
# shellcheck shell=bash

# go_test_many: go test ./... of 760 packages without -v; one test fails, one package does not build.
go_test_many() { # text
	fresh monorepo
	python3 "$here/third/gopackages.py" 760
	go test ./... 2>&1 || true
}

# jest_verbose: the suites of 7 packages one after the other; two tests of the second fail.
jest_verbose() { # text
	node_packages jest@29
	fresh shop
	python3 "$here/third/jesttests.py" fails 7
	jest_packages
}

# jest_pass: nothing fails, whatever the tests are called.
jest_pass() { # text
	node_packages jest@29
	fresh shop
	python3 "$here/third/jesttests.py" passes 4
	jest_packages
}

jest_packages() {
	for package in packages/*; do
		printf '\n> %s@2.4.0 test\n> jest --verbose --runInBand\n\n' "$(basename "$package")"
		(cd "$package" && node /srv/npm/node_modules/jest/bin/jest.js --verbose --runInBand --no-color --no-cache 2>&1) || true
	done
}

# eslint_list: eslint of 170 files with warnings; two lines are errors.
eslint_list() { # text
	node_packages eslint@9
	fresh portal
	python3 "$here/third/jsfiles.py" 170
	printf '\n> portal@3.1.0 lint\n> eslint src\n\n'
	node /srv/npm/node_modules/eslint/bin/eslint.js --no-color src 2>&1 || true
	printf '\n> portal@3.1.0 unused\n> eslint --rule no-alert:warn tools\n\n'
	node /srv/npm/node_modules/eslint/bin/eslint.js --no-color tools 2>&1 || true
}

# cargo_test: 8 crates' tests with --no-fail-fast; one panics in its own code, one assertion fails.
cargo_test() { # text
	fresh fleet
	python3 "$here/third/crates.py" fails 8
	cargo test --offline --no-fail-fast -- --test-threads=1 2>&1 || true
}

# cargo_pass: nothing fails, and many tests should panic.
cargo_pass() { # text
	fresh fleet
	python3 "$here/third/crates.py" passes 4
	cargo test --offline -- --test-threads=1 2>&1
}

# gfortran_make: make -k of 330 files with warnings; one does not compile.
gfortran_make() { # text
	fresh model
	python3 "$here/third/fortranfiles.py" 330
	make -k 2>&1 || true
}

# shellcheck_gcc: notes and warnings about 150 scripts; one is an error.
shellcheck_gcc() { # text
	fresh scripts
	python3 "$here/third/scripts.py" 150
	shellcheck --format=gcc bin/*.sh 2>&1 || true
}
