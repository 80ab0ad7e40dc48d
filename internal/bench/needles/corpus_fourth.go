package main

// fourth was recorded after what found the needles at that time, by somebody who did not know that code.
var fourth = []Text{
	{Name: "phpunit-testdox", Program: "phpunit --testdox, 220 classes", Needles: []string{
		"✘ Keeps the vat of a partial refund", "/srv/phpunit/tests/BillParserTest.php:21",
		"✘ Opens the voucher of a guest", "Error: Call to a member function voucher() on null",
	}, Also: []string{
		"│", "ERRORS!", "Tests: ", "Summary of non-successful tests:", "Bill Parser", "Schema Widget",
	}},
	{Name: "rspec-documentation", Program: "rspec --format documentation, 70 files", Needles: []string{
		"settles the bonus once (FAILED - 1)", "got: 42",
	}, Also: []string{
		"Failures:", "1) table version", "Failure/Error:", "expected: 40", "(compared using ==)", "# ./spec/table_version_spec.rb", "2521 examples",
		"Failed examples:", "rspec ./spec/table_version_spec.rb",
	}},
	{Name: "pdflatex-book", Program: "pdflatex of a book with overfull boxes", Needles: []string{
		"! Undefined control sequence.", `l.2112 The total is \dispatchtotal`, `! Extra alignment tab has been changed to \cr.`,
	}, Also: []string{"l.2799", "{4} after tax"}, Block: 6},
	{Name: "bats-tap", Program: "bats --formatter tap, 80 files", Needles: []string{
		"not ok 341 mounts the archive read only", `[ "$output" = "mode=ro" ]' failed`,
	}, Also: []string{"# (in test file"}},
	{Name: "pylint-package", Program: "pylint of 60 modules", Needles: []string{
		"E0602: Undefined variable 'settle_all'", "E1101: Instance of 'Basket' has no 'totl' member",
	}, Also: []string{"E0602: Undefined variable 'TAX_RATE'", "Your code has been rated"}},
	{Name: "cppcheck-all", Program: "cppcheck --enable=all of 260 files", Needles: []string{
		"Array 'list[4]' accessed at index 4, which is out of bounds", "Returning/dereferencing 'to' after it is deallocated",
	}, Also: []string{" return list[4];", " free(to);", "note:", "^"}},
	{Name: "ant-junit", Program: "ant with JUnit 4, 130 classes", Needles: []string{
		"parcels beyond the first expected:<450> but was:<540>",
		"ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 1",
	}, Also: []string{
		"Failures: 1", "Errors: 1", "FAILED", "Caused an ERROR", "Index 3 out of bounds", "	at ", "Testcase: pricesTheSecondParcel",
		"Testcase: findsTheDepotOfAZone",
	}},
	{Name: "runtest-all", Program: "runtest of DejaGnu, 130 files", Needles: []string{
		"FAIL: relocation of a weak symbol in a shared object", "UNRESOLVED: linker map of an empty archive",
	}, Also: []string{"# of "}},
	{Name: "fpc-units", Program: "fpc, 260 units", Needles: []string{
		`sectionnote.pas(48,12) Error: Incompatible types: got "Constant String" expected "LongInt"`,
	}, Also: []string{"Fatal: ", "ppcx64 returned an error"}},
	{Name: "xmllint-valid", Program: "xmllint of 2,400 documents", Needles: []string{
		"No declaration for element gift", "Opening and ending tag mismatch: item line 6 and order",
	}, Also: []string{
		"validity error", "does not validate", "parser error", "</order>", "^",
	}},
	{Name: "automake-check", Program: "make check of automake, 2,600 scripts", Needles: []string{"FAIL: tests/asset-returns.sh"}, Also: []string{
		"# ", "See ./test-suite.log", "make[", "make: ***", "Testsuite summary", "=====",
	}},
	{Name: "tcltest-all", Program: "tcltest, 100 files", Needles: []string{"entry-33.90 rounds a negative quota FAILED"}, Also: []string{
		"====", "----", "expr {-7 / 2}", "-4", "-3", "all.tcl:", "Files with failing tests", "Sourced",
	}},
	{Name: "busted-tap", Program: "busted --output=TAP, 90 files", Needles: []string{
		"quotes the reserve of a stale lease", "walks a batch without a head",
	}, Also: []string{"# "}, Block: 8},
	{Name: "vitest-verbose", Program: "vitest run --reporter=verbose, 90 files", Needles: []string{
		"× test/office-receipt.test.js", "→ expected { via: [ 'HAM', 'OSL' ] }",
	}, Also: []string{
		"FAIL  test/", "AssertionError: ", "Failed Tests 1", "- Expected", "+ Received", "\"CPH\"", "❯", "Test Files", "Tests  1 failed",
		"|", "⎯", "\"", "]", "}",
	}},
	{Name: "python-compileall", Program: "python3 -m compileall, 1,500 modules", Needles: []string{
		`File "pkg/archive/target_client_route.py", line 4`, "SyntaxError: expected ':'",
	}, Also: []string{"def seal(parcel)", "^"}},
	{Name: "ocamlopt-warnings", Program: "ocamlopt with warnings, 140 modules", Needles: []string{
		"Error: This expression has type float but an expression was expected of type",
	}, Also: []string{"let total rates", "^^^", "int", `File "office_printer.ml", line 31`}},
	{Name: "mariadb-import", Program: "mariadb --force -vv of a dump", Needles: []string{
		"ERROR 1062 (23000) at line 271: Duplicate entry '2' for key 'PRIMARY'", "Unknown column 'settled_at' in 'SET'",
	}, Also: []string{"'the same key again'", "SET settled_at = NOW()"}},
	{Name: "redis-verbose", Program: "redis-server at level verbose", Needles: []string{
		"Failed opening the temp RDB file temp-23.rdb",
	}, Also: []string{"WARNING Memory overcommit", "User requested shutdown", "Received SIGTERM", "Redis is now ready to exit"}},
	{Name: "apache-error-log", Program: "apache2's error log at level debug", Needles: []string{
		"rates.db is locked by pid 4711", "file permissions deny server access: /srv/apache/www/private.html",
	}, Also: []string{"End of script output before headers"}},
	{Name: "debsums-all", Program: "debsums of some packages", Needles: []string{"/usr/share/perl/5.36.0/Benchmark.pm"}},

	{Name: "vitest-pass", Program: "vitest run --reporter=verbose, passed"},
	{Name: "javap-classes", Program: "javap -c of two classes"},
	{Name: "objdump-program", Program: "objdump -d of a program"},
	{Name: "readelf-symbols", Program: "readelf -Ws of a library"},
	{Name: "licences", Program: "two licences"},
	{Name: "maria-tables", Program: "tables of a database"},
}
