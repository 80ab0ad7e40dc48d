package main

// gcc, node and Go repeat source text and stacks in these forms.
var (
	carets  = []string{" |", "In function", "In file included", "note: ", "warning: ", "error: "}
	summary = []string{"ℹ tests", "ℹ suites", "ℹ pass", "ℹ fail", "ℹ cancelled", "ℹ skipped", "ℹ todo",
		"ℹ duration_ms", "✖ "}
)

var first = []Text{
	{Name: "go-test-v", Program: "go test -v, 20,075 subtests", Needles: []string{
		"total = 8750, want 9000", "--- FAIL: TestCheckoutKeepsVoucher/reads_stale",
		"Send: got 3 recipients [ada bob cyd], want 2", "--- FAIL: TestDigestSkipsUnsubscribed/groups_by_owner",
	}, Also: []string{"FAIL"}},
	{Name: "go-test-json", Program: "go test -json", Needles: []string{
		"total = 8750, want 9000", "--- FAIL: TestCheckoutKeepsVoucher/collects_tiny",
		"Send: got 3 recipients [ada bob cyd], want 2", "--- FAIL: TestDigestSkipsUnsubscribed/limits_every_field",
	}, Also: []string{"FAIL", `"Action":"fail"`}},
	{Name: "go-test-x", Program: "go test -x, one package with a complaint of vet, one that does not compile",
		Needles: []string{
			"s.usedBytes undefined", "fmt.Sprintf format %d has arg name of wrong type string",
		}, Also: []string{"# example.com/platform/internal/proxypkg", "# example.com/platform/service/reviewpkg",
			"# [example.com/platform/service/reviewpkg]", "FAIL"}},
	{Name: "make-gcc", Program: "make -k -j4 and gcc, with 90 warnings", Needles: []string{
		"error: ‘struct part’ has no member named", "error: expected ‘,’ or ‘;’ before ‘for’",
	}, Also: append([]string{"make: "}, carets...), Block: 15},
	{Name: "cargo-build", Program: "cargo build -v, with 60 warnings", Needles: []string{
		"error[E0277]: cannot subtract", "--> crates/refund_types/src/lib.rs:27:11",
	}, Also: []string{"warning: ", " |", " --> ", "= note: ", "= help: ", "error: could not compile"}, Block: 40},
	{Name: "tsc-build", Program: "tsc --build --verbose --traceResolution", Needles: []string{
		"error TS2322: Type 'string' is not assignable to type 'number'",
	}},
	{Name: "node-spec", Program: "node --test, spec", Needles: []string{
		"✖ keeps the discount of a shared basket", "Expected values to be strictly deep-equal",
	}, Also: append([]string{"test at test/"}, summary...), Block: 24},
	{Name: "node-tap", Program: "node --test, TAP", Needles: []string{
		"not ok 6 - keeps the discount of a shared basket", "Expected values to be strictly deep-equal",
	}, Also: []string{"not ok ", "# Subtest: keeps the discount", "error: ", "failureType: ", "code: '",
		"location: '", "type: 'suite'",
		"# tests", "# suites", "# pass", "# fail", "# cancelled", "# skipped", "# todo", "# duration_ms"}, Block: 34},
	{Name: "npm-build", Program: "npm run build in 260 workspaces", Needles: []string{
		"TypeError: Cannot read properties of undefined", "npm error path /srv/site/packages/post-core",
	}, Also: []string{"npm error", "/srv/site/packages/post-core/build.js:3", "config.plugins.map(", "^",
		"(!) some chunks are larger"}, Block: 10},
	{Name: "python-unittest", Program: "python -m unittest -v, and a second suite after it", Needles: []string{
		"ERROR: test_invoice_in_swiss_francs", "KeyError: 'chf'", "FAIL: test_rounding_of_thirds",
		"AssertionError: 99.99 != 100",
	}, Also: []string{"test_invoice_in_swiss_francs", "test_rounding_of_thirds", "ERROR", "FAILED (",
		"DeprecationWarning", "warnings.warn(",
		"Ran ", "OK (", "=====", "-----"}, Block: 9},
	{Name: "pytest-v", Program: "pytest -v", Needles: []string{
		"::test_rounding_of_thirds", "E       assert 99.99 == 100", "::test_invoice_in_swiss_francs",
		"E       KeyError: 'chf'",
	}, Also: []string{"test_rounding_of_thirds", "test_invoice_in_swiss_francs", "DeprecationWarning",
		"warnings.warn(", "=====", "_ _ _",
		"E   ", ">   ", "AssertionError", "rates.py:5: KeyError"}, Block: 4},
	{Name: "tar-xvf", Program: "tar xvf",
		Needles: []string{"private/license.key: Cannot open: Permission denied"}, Also: []string{"tar: "}},
	{Name: "cp-rv", Program: "cp -rv", Needles: []string{"for reading: Permission denied"}},
	{Name: "apt-install", Program: "apt-get install of 280 packages", Needles: []string{
		"chown: invalid user: 'mediaworker:mediaworker'", "dpkg: error processing package badge-common",
	}, Also: []string{"post-installation script subprocess", "Errors were encountered", " badge-common", "W: ", "E: "}},
	{Name: "downloads", Program: "wget and curl in turns, with their progress",
		Needles: []string{"curl: (18) transfer closed with"}},
	{Name: "java-log", Program: "a Java service's log", Needles: []string{
		"request was not served", "IllegalStateException: order 50707 cannot be reserved",
		"Caused by: java.lang.NullPointerException",
	}, Also: []string{"WARN", "at com.example.orders.", "... 1 more"}},
	{Name: "go-log", Program: "a Go server's access log", Needles: []string{
		"panic serving", "index out of range [3] with length 3",
	}, Also: []string{"class=express-3"}, Block: 21},
	{Name: "json-log", Program: "log/slog, as JSON", Needles: []string{
		"charge was not captured", "card network answered 05 do not honor",
	}, Also: []string{`"WARN"`}},
	{Name: "python-log", Program: "a Python worker's log", Needles: []string{
		"job 40783 gave up", "ValueError: invalid literal for int()",
	}, Also: []string{"WARNING"}, Block: 14},
	{Name: "kernel-log", Program: "dmesg (generated)", Needles: []string{
		"ata3.00: failed command: READ FPDMA QUEUED", "I/O error, dev sdc, sector", "EXT4-fs error (device sdc1)",
	}, Also: []string{"ata3.00: ", "res 41/40:00"}},
	{Name: "pod-log", Program: "kubectl logs (generated): a rare line without a failing word", Needles: []string{
		"stepping down, another replica leads now",
	}},
	{Name: "docker-build", Program: "docker build (generated)", Needles: []string{
		"npm error sh: 1: node-gyp: not found", "npm error path /app/node_modules/canvas-native",
	}, Also: []string{"npm error", "npm warn"}},
	{Name: "ci-log", Program: "make, go test and node --test on a CI service", Needles: []string{
		"✖ keeps the discount of a shared basket", "Expected values to be strictly deep-equal",
		"##[error]Process completed with exit code 1",
	}, Also: append([]string{"test at test/"}, summary...), Block: 24},

	{Name: "go-test-pass", Program: "go test -v that passes, with tests called TestErrorIsNil"},
	{Name: "make-pass", Program: "make with -Werror and files such as error.c that passes"},
	{Name: "go-source", Program: "Go source files"},
	{Name: "prose", Program: "licenses"},
	{Name: "git-log", Program: "git log -p"},
	{Name: "listing", Program: "ls -R"},
	{Name: "environment", Program: "env"},
	{Name: "base64-random", Program: "random bytes in base64"},
	{Name: "table", Program: "20,000 rows of CSV, some with the status error"},
}
