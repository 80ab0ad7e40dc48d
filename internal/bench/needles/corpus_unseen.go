package main

// unseen was recorded after all that finds the needles, by somebody who did not know that code, and is only measured:
// whoever changes the code does not look at what it makes of these texts.
var unseen = []Text{
	{Name: "googletest-run", Program: "a program with googletest, 24 suites", Needles: []string{
		"RoundsHalfCentsToTheEven (0 ms)", "The difference between price * 100 and 12.0 is 0.5",
		"LooksUpTheCarrierOfAClosedDepot (0 ms)", `C++ exception with description "map::at" thrown`,
	}, Also: []string{
		"[  FAILED  ]", "suite.cpp:191: Failure", "unknown file: Failure", "price * 100 evaluates", "12.0 evaluates",
		"0.1 evaluates", "a discount of 12.5 cents", "2 FAILED TESTS", "[  PASSED  ]", "626 tests",
	}},
	{Name: "testthat-location", Program: "testthat's location reporter, 60 files", Needles: []string{
		"'test-layout.R:48' [failure]", "'test-owner.R:48' [error]",
	}, Also: []string{
		"weights the median of a thin stratum", "joins cohorts by their key", "[warning]",
	}},
	{Name: "eunit-verbose", Program: "eunit with verbose, 68 modules", Needles: []string{
		"drains_the_queue_of_a_dead_node_test...*failed*", "{value,[{late,71}]}",
		"opens_a_lease_without_owner_test...*failed*", "**error:{badmatch,{error,enoent}}",
	}, Also: []string{
		"in function ", "in call from ", "**error:{assertEqual", "{line,24}", "{expression,", "{expected,[]}",
		"output:<<", "Failed: 2.",
	}},
	{Name: "alcotest-dune", Program: "dune test with Alcotest, five executables", Needles: []string{
		"opens the ledger of last year", "[exception] Not_found", "5   merges the stock of twin", `Received: `,
	}, Also: []string{
		"ASSERT shelves", "FAIL shelves", "Expected: ", "Raised at ", "Called from ", "Logs saved to", "1 failure!",
		"Full test results", "──",
	}},
	{Name: "ginkgo-verbose", Program: "ginkgo -r -v of 24 packages", Needles: []string{
		"[It] refuses the later vessel", "[FAILED] vessels at berth 9", "[It] reads the draught of a barge",
		"assignment to entry in nil map",
	}, Also: []string{
		"[FAILED]", "[PANICKED]", "[FAIL]", "[PANICKED!]", "to have length 1", "<[]string | len:2", "Expected",
		"In [It] at:", "FAIL! --", "--- FAIL: TestAll", "Summarizing 1 Failure", "Full Stack Trace",
		"cache_test.go:2", "bonus_test.go:3", "runtime_faststr.go", "There were failures", "./bonus", "./cache",
		"Test Suite Failed", "FAIL", "cache_test.init",
	}},
	{Name: "jupiter-console", Program: "JUnit's console launcher with details, 26 classes", Needles: []string{
		"[method:creditsTheLoserOfADispute()]", "entries of dispute 41 ==> iterable lengths differ",
		"[method:closesTheVaultOnFriday()]", `Cannot invoke "String.trim()" because the return value of`,
	}, Also: []string{
		"✘ FAILED", "creditsTheLoserOfADispute", "closesTheVaultOnFriday", "at org.", "at java.", "Test.creditsThe",
		"Test.closesThe", "tests failed", "reason: flaky on arm64",
	}},
	{Name: "ava-verbose", Program: "ava, 52 files", Needles: []string{
		"✘ [fail]: market-notice › signs a webhook with the newer secret", "-   secret: 'b',",
		"✘ [fail]: pool-thread › replays a torn batch",
		"TypeError: Cannot read properties of undefined (reading 'rows')",
	}, Also: []string{
		"secret: ", "market-notice › signs", "pool-thread › replays", "test/market-notice.js:",
		"test/pool-thread.js:", "Difference (", "TypeError {", "message: 'Cannot read", "Rejected promise returned",
		"at process.processTicks", "2 tests failed", "20: ", "21: ", "19: ",
	}},
	{Name: "tape-tap", Program: "tape, 40 files", Needles: []string{
		"not ok 91 three of 1.10 are 3.30", "actual:   3.3000000000000003",
		"not ok 129 polls a sleeping printer timed out after 30ms",
	}, Also: []string{
		"# fail  2", "# pass", "# prices a bundle", "# polls a sleeping printer",
	}, Block: 15},
	{Name: "vvp-bench", Program: "vvp of a bench with 1,000 checks", Needles: []string{
		"MISMATCH at address 534: read 53, expected 56", "MISMATCH at address 7d0: read 0, expected 5",
		"fifo overflow: write pointer passed read pointer",
	}, Also: []string{
		"Time: 7506000 Scope: bench",
	}},
	{Name: "lld-sections", Program: "lld linking 11 programs with --print-gc-sections", Needles: []string{
		"error: duplicate symbol: zone_of_harbour", "error: undefined symbol: ocean_surcharge",
	}, Also: []string{
		">>> ", "collect2: error",
	}},
	{Name: "cargo-clippy", Program: "cargo clippy of 90 modules with warnings", Needles: []string{
		"error: variables in the condition are not mutated in the loop body", "src/cart_contract.rs:20:11",
		"error: equal expressions as operands to `==`",
		"error: incompatible bit mask: `_ & 0` can never be equal to `1`",
	}, Also: []string{
		"src/site_sale.rs:19", "while seen < 3 {", "rate == rate", "infinite or to a never running loop",
		"while_immutable_condition", "eq_op", "bad_bit_mask", "erasing_op",
		"error: this operation will always return zero", "error: could not compile",
	}, Block: 9},
	{Name: "npm-bootstrap", Program: "npm install --loglevel verbose in 10 services", Needles: []string{
		"npm error enoent ENOENT: no such file or directory, open '/srv/services/services/missing/left-rail-9.1.0.tgz'",
		"throw new Error('libvips 8.15 is required",
		"npm error path /srv/services/services/dashboard-gift/packages/report-group-trims",
	}, Also: []string{
		"npm error", "npm verbose stack", "npm warn", "Error: libvips 8.15", "at Object.", "at Module.",
		"at node:internal", "at Function", "check.js:1", "^", "Node.js v20", "left-rail-9.1.0.tgz",
		"code: 1, signal: null", "npm verbose exit", "npm verbose code", "npm verbose pkgid",
		"--- bootstrapping services/bonus-subscription", "--- bootstrapping services/dashboard-gift",
	}},
	{Name: "parallel-tag", Program: "GNU parallel --tag of 150 jobs", Needles: []string{
		"convert: gateway-report.svg:41: unexpected end of path data",
	}},
	{Name: "alembic-tenants", Program: "alembic upgrade of 6 tenants, with the engine's log", Needles: []string{
		"sqlalchemy.exc.IntegrityError: (sqlite3.IntegrityError) UNIQUE constraint failed: depots.code",
		"[SQL: CREATE UNIQUE INDEX uq_depots_code ON depots (code)]",
	}, Also: []string{
		"migrating orchard", "Traceback", `File "/`, "self.", "cursor.execute(", "CommandLine(", "context.run_",
		"fn(", "module = load", "op.create_index(", "operations.", "raise exception", "ret = self", "return meth(",
		"return conn", "script.run_env()", "spec.loader.", "step.migration", "sys.exit(", "util.", "^^^",
		"sqlite3.IntegrityError", "The above exception was", "(Background on this error", "ROLLBACK",
		"CREATE UNIQUE INDEX uq_depots_code",
	}},
	{Name: "puppet-apply", Program: "puppet apply --verbose of 420 files", Needles: []string{
		"Exec[unlock the vault]/returns: seal key 3 of 5 is expired",
		"Error: /Stage[main]/Main/Exec[unlock the vault]/returns: change from 'notrun' to ['0'] failed",
		"Error: /Stage[main]/Main/File[/srv/puppet/missing/relay.conf]/ensure: change from 'absent' to 'file' failed",
	}, Also: []string{
		"Error: ", "Warning: ", "/srv/puppet/missing/relay.conf", "Wrapped exception", "vault.token]",
		"vault.policy]",
	}},
	{Name: "named-checkconf", Program: "named-checkconf -z of 1,000 zones", Needles: []string{
		"db/import-section.invalid:10: www.import-section.invalid: CNAME and other data",
		"db/network-statement.example:9: near '192.0.2.310': bad dotted quad",
	}, Also: []string{
		"loading from master file", "not loaded due to errors", "_default/",
	}},
	{Name: "nats-trace", Program: "nats-server -DV with 52 clients", Needles: []string{
		`authentication error - User "app"`, "Client parser ERROR, state=30",
	}, Also: []string{
		"[WRN]", "[INF]", "Authorization Violation", "Authentication Failure", "Unknown Protocol Operation",
		"Protocol Violation",
	}},
	{Name: "gitlab-runner", Program: "GitLab's runner (its form): eight jobs", Needles: []string{
		"leaflet-heat 0.2.0: licence is missing",
		"GET /v2/parcels/17: field weight_g is a string, the contract says integer", "contract: 211 checks, 1 broken",
	}, Also: []string{
		"ERROR: Job failed: exit status", "Job succeeded",
	}},
	{Name: "github-log", Program: "GitHub's raw log (its form): prettier and stylelint", Needles: []string{
		`SyntaxError: Unexpected token, expected "," (3:62)`, "color-no-invalid-hex",
	}, Also: []string{
		"[error]", "##[error]", "##[group]", "##[endgroup]", "Error occurred when checking", "problems (1 error",
	}},
	{Name: "zerolog-json", Program: "a log by zerolog, JSON", Needles: []string{
		"segment not written", "orders are kept in memory until there is space",
	}},
	{Name: "logback-context", Program: "a log by logback, with a stack", Needles: []string{
		"stock of sku 88-104 is negative", "label printer is out of paper since 40 minutes",
		`Caused by: java.lang.NumberFormatException: For input string: "-"`,
	}, Also: []string{
		"IllegalStateException: stock of 88-104 cannot be counted", "common frames omitted", "at Depot.",
		"at java.base",
	}},
	{Name: "hclog-healthy", Program: "a log by hclog without a failure"},
	{Name: "meson-pass", Program: "meson test -v, passed, of tests named after errors"},
	{Name: "doctest-pass", Program: "a program with doctest --success, passed"},
	{Name: "strace-python", Program: "strace of Python's start"},
	{Name: "apt-cache-show", Program: "apt-cache show of some packages"},
}
