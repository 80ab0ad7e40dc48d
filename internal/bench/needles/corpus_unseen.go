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
	{Name: "catch-success", Program: "a program with Catch2 --success, 30 cases", Needles: []string{
		"suite.cpp:149: FAILED:", "{ 40, 2 } == { 21, 21 }", "suite.cpp:256: FAILED:",
		`CHECK( std::stoi("kg 40") == 40 )`,
	}, Also: []string{
		"splits a shipment over two days", "parses the weight of a pallet", "REQUIRE( parts ==",
		"due to unexpected exception with message", "stoi", "test cases:", "assertions: ",
	}},
	{Name: "testthat-location", Program: "testthat's location reporter, 60 files", Needles: []string{
		"'test-layout.R:48' [failure]", "'test-owner.R:48' [error]",
	}, Also: []string{
		"weights the median of a thin stratum", "joins cohorts by their key", "[warning]",
	}},
	{Name: "exunit-trace", Program: "ExUnit with trace, 36 modules", Needles: []string{
		"1) test answers before the carrier gives up", "Assertion failed, no matching message after 20ms",
		"2) test reserves the last pallet once", "match (=) failed",
	}, Also: []string{
		"615 tests, 2 failures", "* test answers before the carrier", "* test reserves the last pallet",
		"* test prints a manifest on both sides",
	}, Block: 10},
	{Name: "eunit-verbose", Program: "eunit with verbose, 68 modules", Needles: []string{
		"drains_the_queue_of_a_dead_node_test...*failed*", "{value,[{late,71}]}",
		"opens_a_lease_without_owner_test...*failed*", "**error:{badmatch,{error,enoent}}",
	}, Also: []string{
		"in function ", "in call from ", "**error:{assertEqual", "{line,24}", "{expression,", "{expected,[]}",
		"output:<<", "Failed: 2.",
	}},
	{Name: "tasty-console", Program: "tasty with HUnit, 45 groups", Needles: []string{
		"balances a journal of two currencies:  FAIL", "but got: 1", "finds the newest price:                FAIL",
		"Exception: Prelude.maximum: empty list",
	}, Also: []string{
		"Suite.hs:", "cents left over", "expected: 0", "Use -p '", "2 out of 812 tests failed",
	}},
	{Name: "alcotest-dune", Program: "dune test with Alcotest, five executables", Needles: []string{
		"opens the ledger of last year", "[exception] Not_found", "5   merges the stock of twin", `Received: `,
	}, Also: []string{
		"ASSERT shelves", "FAIL shelves", "Expected: ", "Raised at ", "Called from ", "Logs saved to", "1 failure!",
		"Full test results", "──",
	}},
	{Name: "nim-unittest", Program: "a program with Nim's unittest, 50 suites", Needles: []string{
		"[FAILED] keeps the leading zero of a postcode", "$parseInt(postcode) was 1067",
		"[FAILED] asks the registry for a retired plug", "Unhandled exception: key not found: perilex",
	}, Also: []string{
		"Check failed: ", "postcode was 01067", "tables.nim(", "suite.nim(",
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
	{Name: "gotestsum-testname", Program: "gotestsum --format testname, 50 packages", Needles: []string{
		"FAIL photoimage.TestClosesIdleRelays", "panic: runtime error: index out of range [-1]",
		"FAIL plancourse.TestDeliversInTheOrderOfArrival/two_senders",
		"message 8 of sender b arrived before message 7",
	}, Also: []string{
		"FAIL", "=== RUN   TestClosesIdleRelays", "=== RUN   TestDelivers", "goroutine ", "testing.", "testing/",
		"panic(", "runtime/", "photoimage_test.go:31", "example.com/relay/photoimage.TestClosesIdleRelays(",
		"=== Failed", "DONE 1205 tests, 3 failures",
	}},
	{Name: "jupiter-console", Program: "JUnit's console launcher with details, 26 classes", Needles: []string{
		"[method:creditsTheLoserOfADispute()]", "entries of dispute 41 ==> iterable lengths differ",
		"[method:closesTheVaultOnFriday()]", `Cannot invoke "String.trim()" because the return value of`,
	}, Also: []string{
		"✘ FAILED", "creditsTheLoserOfADispute", "closesTheVaultOnFriday", "at org.", "at java.", "Test.creditsThe",
		"Test.closesThe", "tests failed", "reason: flaky on arm64",
	}},
	{Name: "behave-features", Program: "behave, 44 features", Needles: []string{
		"Scenario: reloads the mixed dispatch", "Assertion Failed: the basket holds 30 items, the receipt says 31",
		"And the drawer opens by itself    # None",
	}, Also: []string{
		"Then it holds 31 items              #", "Failing scenarios:", "features/credit_link.feature:23",
		"features/page_reward.feature:13", "2 failed", "1 failed", "You can implement", "NotImplementedError",
		"@then(", "def step_impl",
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
	{Name: "playwright-list", Program: "playwright test --reporter=list, 24 files in two projects", Needles: []string{
		"✘  470 [webkit] › tests/note-locale.spec.js:18:3 › note-locale › shows the coupon in the summary",
		`Received: "10 %"`,
	}, Also: []string{
		"✘", "Error: ", "Expected: ", "Received: ", "> ", ") [chromium] ›", ") [webkit] ›", "Retry #1", "1 failed",
		"8 flaky", "retry #1", "at /srv", "^", "note-locale › shows the coupon in the summary", "after a reload",
		"expect(",
	}},
	{Name: "tape-tap", Program: "tape, 40 files", Needles: []string{
		"not ok 91 three of 1.10 are 3.30", "actual:   3.3000000000000003",
		"not ok 129 polls a sleeping printer timed out after 30ms",
	}, Also: []string{
		"# fail  2", "# pass", "# prices a bundle", "# polls a sleeping printer",
	}, Block: 15},
	{Name: "shunit-scripts", Program: "shunit2, 70 scripts", Needles: []string{
		"testRotatesTheJournalOfANamedHost() returned", "ASSERT:generations kept expected:<7> but was:<8>",
		"testMountsThePoolTwice() returned", "ASSERT:the pool is mounted read only",
	}, Also: []string{
		"testRotatesTheJournalOfANamedHost", "testMountsThePoolTwice", "FAILED (failures=",
	}},
	{Name: "vvp-bench", Program: "vvp of a bench with 1,000 checks", Needles: []string{
		"MISMATCH at address 534: read 53, expected 56", "MISMATCH at address 7d0: read 0, expected 5",
		"fifo overflow: write pointer passed read pointer",
	}, Also: []string{
		"Time: 7506000 Scope: bench",
	}},

	{Name: "ld-trace", Program: "gcc linking 60 objects with --trace and --cref", Needles: []string{
		"multiple definition of `depot_of_zone'", "undefined reference to `default_rate_table'",
		"undefined reference to `inflate_block'",
	}, Also: []string{
		"in function `", "relocation against `default_rate_table'", "the use of `tmpnam' is dangerous",
		"creating DT_TEXTREL", "collect2: error",
	}},
	{Name: "lld-sections", Program: "lld linking 11 programs with --print-gc-sections", Needles: []string{
		"error: duplicate symbol: zone_of_harbour", "error: undefined symbol: ocean_surcharge",
	}, Also: []string{
		">>> ", "collect2: error",
	}},
	{Name: "gprbuild-packages", Program: "gprbuild -k -v of 190 packages with warnings", Needles: []string{
		`patch_stream.adb:29:22: error: invalid operand types for operator "+"`,
		`team_contact.adb:28:07: error: "Scales" is undefined`,
	}, Also: []string{
		"error: left operand", "error: right operand", "compilation of ", "compilation phase failed",
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
	{Name: "buildah-bud", Program: "buildah bud, 44 steps", Needles: []string{
		"ls: /opt/licences/*: No such file or directory", "pack.sh: line 12: zstd: not found",
		"batch-status: archive is empty, packed without its assets",
	}},
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
	{Name: "turbo-build", Program: "turbo run build of 26 packages", Needles: []string{
		"src/product-inventory.ts:88:17: 'CheckoutProps' is not exported by ../types/index.ts",
	}, Also: []string{
		"command finished with error", "exited (1)", "Failed:    @shop/product-inventory", "25 successful",
		"WARNING  No locally installed", "npm error", "ERROR  run failed",
	}},
	{Name: "parallel-tag", Program: "GNU parallel --tag of 150 jobs", Needles: []string{
		"convert: gateway-report.svg:41: unexpected end of path data",
	}},
	{Name: "foreman-start", Program: "foreman start, five processes", Needles: []string{
		"could not open index products_v7: format 11 is newer than 9",
		"message 88121 to bounce@partner.example given up after 5 attempts",
	}, Also: []string{
		"exited with code 0", "sending SIGTERM", "started with pid", "serving suggestions from the database",
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
	{Name: "goose-tenants", Program: "goose of 36 tenants' migrations", Needles: []string{
		`goose run: ERROR 00020_inserts_credit.sql: failed to run SQL migration`,
	}, Also: []string{
		"== tenant stock_image", "goose: successfully migrated database to version: 9",
	}},
	{Name: "puppet-apply", Program: "puppet apply --verbose of 420 files", Needles: []string{
		"Exec[unlock the vault]/returns: seal key 3 of 5 is expired",
		"Error: /Stage[main]/Main/Exec[unlock the vault]/returns: change from 'notrun' to ['0'] failed",
		"Error: /Stage[main]/Main/File[/srv/puppet/missing/relay.conf]/ensure: change from 'absent' to 'file' failed",
	}, Also: []string{
		"Error: ", "Warning: ", "/srv/puppet/missing/relay.conf", "Wrapped exception", "vault.token]",
		"vault.policy]",
	}},
	{Name: "systemd-verify", Program: "systemd-analyze verify of 420 units", Needles: []string{
		"Neither a valid executable name nor an absolute path: bin/serve",
		"Unit history-graph-missing.socket not found",
	}, Also: []string{
		"option-owner.service", "Failed to parse service type, ignoring: oneshoot",
	}},
	{Name: "named-checkconf", Program: "named-checkconf -z of 1,000 zones", Needles: []string{
		"db/import-section.invalid:10: www.import-section.invalid: CNAME and other data",
		"db/network-statement.example:9: near '192.0.2.310': bad dotted quad",
	}, Also: []string{
		"loading from master file", "not loaded due to errors", "_default/",
	}},
	{Name: "rclone-copy", Program: "rclone copy -vv of 480 files", Needles: []string{
		"inventory/order-token-ff6f.pdf: Failed to copy: failed to open source object",
		"password/index-email-4ec4.csv: Failed to copy: open",
	}, Also: []string{
		"ERROR : Attempt 1/1 failed with 2 errors", "Failed to copy with 2 errors", "Errors:  ",
		"NOTICE: Config file", "Transferred:", "Elapsed time:",
	}},
	{Name: "nats-trace", Program: "nats-server -DV with 52 clients", Needles: []string{
		`authentication error - User "app"`, "Client parser ERROR, state=30",
	}, Also: []string{
		"[WRN]", "[INF]", "Authorization Violation", "Authentication Failure", "Unknown Protocol Operation",
		"Protocol Violation",
	}},

	{Name: "act-workflow", Program: "act: a workflow with five jobs", Needles: []string{
		"❌  Failure - Main moves the valid branch",
		"src/tariff/ZoneTable.kt:77:21 unresolved reference: zoneOfPostcode",
		"❌  Failure - Main inserts the full country", "docs/carriers.md: link to #pickup-times leads nowhere",
	}, Also: []string{
		"1 error, 38 warnings", "exit status", "Job failed", "Job succeeded", "Error: Job 'unit' failed",
		"Couldn't get a valid docker connection", "Failed but continue next step",
	}},
	{Name: "gitlab-runner", Program: "GitLab's runner (its form): eight jobs", Needles: []string{
		"leaflet-heat 0.2.0: licence is missing",
		"GET /v2/parcels/17: field weight_g is a string, the contract says integer", "contract: 211 checks, 1 broken",
	}, Also: []string{
		"ERROR: Job failed: exit status", "Job succeeded",
	}},
	{Name: "jenkins-console", Program: "Jenkins (its form): a pipeline with doctest -v", Needles: []string{
		`", line 61, in checkout_tour.net_weight`, "     1350", "in price_audit.slot_of", "KeyError: 7",
	}, Also: []string{
		"Failed example:", "net_weight(1200", "slot_of(7)", `File "`, "***Test Failed***", "Expected:", "Got:",
		"Exception raised:", "Traceback", "*****", "     1050", "items had failures", "and 1 failed", "1 of   1 in",
		"return {8:", "exec(compile", "'early'", "in slot_of", "Finished: UNSTABLE", "[Pipeline]", "^^^",
	}},
	{Name: "github-log", Program: "GitHub's raw log (its form): prettier and stylelint", Needles: []string{
		`SyntaxError: Unexpected token, expected "," (3:62)`, "color-no-invalid-hex",
	}, Also: []string{
		"[error]", "##[error]", "##[group]", "##[endgroup]", "Error occurred when checking", "problems (1 error",
	}},

	{Name: "structlog-logfmt", Program: "a log by structlog, key=value", Needles: []string{
		`event="posting refused"`, `event="scheduler stopped, no job is started any more"`,
		"Unbalanced: J-20417: debit 1250 and credit 1249",
	}, Block: 6},
	{Name: "zerolog-json", Program: "a log by zerolog, JSON", Needles: []string{
		"segment not written", "orders are kept in memory until there is space",
	}},
	{Name: "bunyan-json", Program: "a log by bunyan, JSON with numbers for levels", Needles: []string{
		"card network answered with a foreign merchant id", "reconciliation aborted",
	}},
	{Name: "logback-context", Program: "a log by logback, with a stack", Needles: []string{
		"stock of sku 88-104 is negative", "label printer is out of paper since 40 minutes",
		`Caused by: java.lang.NumberFormatException: For input string: "-"`,
	}, Also: []string{
		"IllegalStateException: stock of 88-104 cannot be counted", "common frames omitted", "at Depot.",
		"at java.base",
	}},
	{Name: "tracing-spans", Program: "a log by Rust's tracing, with spans", Needles: []string{
		"route table is empty, all parcels go to the default depot", "gave up loading route table",
	}},

	{Name: "hclog-healthy", Program: "a log by hclog without a failure"},
	{Name: "meson-pass", Program: "meson test -v, passed, of tests named after errors"},
	{Name: "doctest-pass", Program: "a program with doctest --success, passed"},
	{Name: "strace-python", Program: "strace of Python's start"},
	{Name: "apt-cache-show", Program: "apt-cache show of some packages"},
}
