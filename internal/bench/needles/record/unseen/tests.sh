# Runners of tests in many languages.
# shellcheck shell=bash
# ShellCheck does not see that record.sh calls these functions.
# shellcheck disable=SC2317

suites() { # kind, count: the files of a suite, in an empty directory of that name
	fresh "$1"
	python3 "$here/unseen/suites.py" "$1" "$2"
}

# googletest: 24 suites that print; a comparison fails, an exception is not caught.
googletest_run() { # text
	suites googletest 24
	g++ -O0 -std=c++17 suite.cpp -o suite -lgtest -lgtest_main -pthread >&2
	./suite --gtest_color=no 2>&1 || true
}

# catch: 30 cases with successes; a requirement fails, an exception is not expected.
catch_success() { # text
	suites catch 30
	g++ -O0 -std=c++17 suite.cpp -o suite >&2
	./suite --success --use-colour no 2>&1 || true
}

# testthat: 60 files with the places of successes; an expectation fails, a function does not exist.
testthat_location() { # text
	suites testthat 60
	Rscript -e 'testthat::test_dir("tests", reporter = "location", stop_on_failure = FALSE)' 2>&1 || true
}

# exunit: 36 modules, traced, with a log; a pattern does not match, a message does not come.
exunit_trace() { # text
	suites exunit 36
	elixir suite.exs 2>&1 || true
}

# eunit: 68 modules; a comparison fails, a match fails.
eunit_verbose() { # text
	suites eunit 68
	erlc ./*.erl >&2
	erl -noshell -run run main 2>&1 || true
}

# tasty: 45 groups; an assertion fails, an empty list has no maximum.
tasty_console() { # text
	suites tasty 45
	ghc -O0 -v0 Suite.hs >&2
	./Suite --color never 2>&1 || true
}

# alcotest: five executables of 11 suites under dune; a comparison fails, an exception is not caught.
alcotest_dune() { # text
	suites alcotest 11
	HOME=/srv/tmp dune test --display short -j 1 2>&1 || true
}

# nim: 50 suites that print; a check fails, a key is missing.
nim_unittest() { # text
	suites nimtests 50
	HOME=/srv/tmp nim c --hints:off --verbosity:0 suite.nim >&2
	NO_COLOR=1 ./suite 2>&1 || true
}

# ginkgo: 24 packages, verbose; an expectation fails, a write to a nil map panics.
ginkgo_verbose() { # text
	suites ginkgo 24
	go get github.com/onsi/ginkgo/v2@v2.34.0 >/dev/null 2>&1 && go mod tidy >/dev/null 2>&1
	GOBIN=/srv/bin go install github.com/onsi/ginkgo/v2/ginkgo
	/srv/bin/ginkgo -r -v --no-color --keep-going --seed=7 2>&1 || true
}

# gotestsum: 50 packages by the names of tests; a subtest fails, a test panics.
gotestsum_testname() { # text
	suites gosuite 50
	gotestsum --no-color --format testname -- -p 2 ./... 2>&1 || true
}

# jupiter: 26 classes with the console launcher's details; lists differ, a value is null.
jupiter_console() { # text
	suites jupiter 26
	path=$(printf '%s:' /usr/share/java/{junit-jupiter*,junit-platform*,opentest4j*,apiguardian*,picocli,univocity-parsers}.jar)
	javac -cp "$path" -d out src/*.java >&2
	java -cp "$path:out" org.junit.platform.console.ConsoleLauncher --scan-classpath out --details verbose \
		--disable-ansi-colors --disable-banner 2>&1 || true
}

# behave: 44 features; a step fails, a step is not defined.
behave_features() { # text
	suites behave 44
	/usr/bin/python3 -m behave --no-color --show-timings 2>&1 || true
}

# ava: 52 files with what tests log; objects differ, a value is undefined.
ava_verbose() { # text
	suites ava 52
	node_packages ava@6.4.1
	ln -s /srv/npm/node_modules node_modules
	NO_COLOR=1 npx ava --concurrency 2 'test/**/*.js' 2>&1 || true
}

# playwright: 24 files in two projects; tests that pass when they are run again, and one that does not.
playwright_list() { # text
	suites playwright 24
	node_packages @playwright/test@1.58.0
	ln -s /srv/npm/node_modules node_modules
	{ npx playwright test 2>&1 || true; } | sed 's/\x1b\[[0-9;]*m//g'
}

# tape: 40 files; a sum is not exact, a test takes too long.
tape_tap() { # text
	suites tape 40
	node_packages tape@5.9.0
	ln -s /srv/npm/node_modules node_modules
	npx tape 'test/*.js' 2>&1 || true
}

# shunit2: 70 scripts one after the other; two assertions fail.
shunit_scripts() { # text
	suites shunit 70
	for script in tests/*.sh; do
		echo "==> $script"
		SHUNIT_COLOR=none sh "$script" 2>&1 || true
	done
}

# vvp: a bench that checks 1,000 addresses; two differ, a queue overflows.
vvp_bench() { # text
	suites verilog 1000
	iverilog -g2012 -o bench bench.v
	vvp -n bench 2>&1 || true
}
