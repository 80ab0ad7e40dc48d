package main

// fifth was recorded together with unseen, and measured once before anybody looked at it: 74 of 100 needles of both parts
// were in a digest, and 81 in a tail with what stands out.
var fifth = []Text{
	{Name: "catch-success", Program: "a program with Catch2 --success, 30 cases", Needles: []string{
		"suite.cpp:149: FAILED:", "{ 40, 2 } == { 21, 21 }", "suite.cpp:256: FAILED:",
		`CHECK( std::stoi("kg 40") == 40 )`,
	}, Also: []string{
		"splits a shipment over two days", "parses the weight of a pallet", "REQUIRE( parts ==",
		"due to unexpected exception with message", "stoi", "test cases:", "assertions: ",
	}},
	{Name: "exunit-trace", Program: "ExUnit with trace, 36 modules", Needles: []string{
		"1) test answers before the carrier gives up", "Assertion failed, no matching message after 20ms",
		"2) test reserves the last pallet once", "match (=) failed",
	}, Also: []string{
		"615 tests, 2 failures", "* test answers before the carrier", "* test reserves the last pallet",
		"* test prints a manifest on both sides",
	}, Block: 10},
	{Name: "tasty-console", Program: "tasty with HUnit, 45 groups", Needles: []string{
		"balances a journal of two currencies:  FAIL", "but got: 1", "finds the newest price:                FAIL",
		"Exception: Prelude.maximum: empty list",
	}, Also: []string{
		"Suite.hs:", "cents left over", "expected: 0", "Use -p '", "2 out of 812 tests failed",
	}},
	{Name: "nim-unittest", Program: "a program with Nim's unittest, 50 suites", Needles: []string{
		"[FAILED] keeps the leading zero of a postcode", "$parseInt(postcode) was 1067",
		"[FAILED] asks the registry for a retired plug", "Unhandled exception: key not found: perilex",
	}, Also: []string{
		"Check failed: ", "postcode was 01067", "tables.nim(", "suite.nim(",
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
	{Name: "behave-features", Program: "behave, 44 features", Needles: []string{
		"Scenario: reloads the mixed dispatch", "Assertion Failed: the basket holds 30 items, the receipt says 31",
		"And the drawer opens by itself    # None",
	}, Also: []string{
		"Then it holds 31 items              #", "Failing scenarios:", "features/credit_link.feature:23",
		"features/page_reward.feature:13", "2 failed", "1 failed", "You can implement", "NotImplementedError",
		"@then(", "def step_impl",
	}},
	{Name: "playwright-list", Program: "playwright test --reporter=list, 24 files in two projects", Needles: []string{
		"✘  470 [webkit] › tests/note-locale.spec.js:18:3 › note-locale › shows the coupon in the summary",
		`Received: "10 %"`,
	}, Also: []string{
		"✘", "Error: ", "Expected: ", "Received: ", "> ", ") [chromium] ›", ") [webkit] ›", "Retry #1", "1 failed",
		"8 flaky", "retry #1", "at /srv", "^", "note-locale › shows the coupon in the summary", "after a reload",
		"expect(",
	}},
	{Name: "shunit-scripts", Program: "shunit2, 70 scripts", Needles: []string{
		"testRotatesTheJournalOfANamedHost() returned", "ASSERT:generations kept expected:<7> but was:<8>",
		"testMountsThePoolTwice() returned", "ASSERT:the pool is mounted read only",
	}, Also: []string{
		"testRotatesTheJournalOfANamedHost", "testMountsThePoolTwice", "FAILED (failures=",
	}},
	{Name: "ld-trace", Program: "gcc linking 60 objects with --trace and --cref", Needles: []string{
		"multiple definition of `depot_of_zone'", "undefined reference to `default_rate_table'",
		"undefined reference to `inflate_block'",
	}, Also: []string{
		"in function `", "relocation against `default_rate_table'", "the use of `tmpnam' is dangerous",
		"creating DT_TEXTREL", "collect2: error",
	}},
	{Name: "gprbuild-packages", Program: "gprbuild -k -v of 190 packages with warnings", Needles: []string{
		`patch_stream.adb:29:22: error: invalid operand types for operator "+"`,
		`team_contact.adb:28:07: error: "Scales" is undefined`,
	}, Also: []string{
		"error: left operand", "error: right operand", "compilation of ", "compilation phase failed",
	}},
	{Name: "buildah-bud", Program: "buildah bud, 44 steps", Needles: []string{
		"ls: /opt/licences/*: No such file or directory", "pack.sh: line 12: zstd: not found",
		"batch-status: archive is empty, packed without its assets",
	}},
	{Name: "turbo-build", Program: "turbo run build of 26 packages", Needles: []string{
		"src/product-inventory.ts:88:17: 'CheckoutProps' is not exported by ../types/index.ts",
	}, Also: []string{
		"command finished with error", "exited (1)", "Failed:    @shop/product-inventory", "25 successful",
		"WARNING  No locally installed", "npm error", "ERROR  run failed",
	}},
	{Name: "foreman-start", Program: "foreman start, five processes", Needles: []string{
		"could not open index products_v7: format 11 is newer than 9",
		"message 88121 to bounce@partner.example given up after 5 attempts",
	}, Also: []string{
		"exited with code 0", "sending SIGTERM", "started with pid", "serving suggestions from the database",
	}},
	{Name: "goose-tenants", Program: "goose of 36 tenants' migrations", Needles: []string{
		`goose run: ERROR 00020_inserts_credit.sql: failed to run SQL migration`,
	}, Also: []string{
		"== tenant stock_image", "goose: successfully migrated database to version: 9",
	}},
	{Name: "systemd-verify", Program: "systemd-analyze verify of 420 units", Needles: []string{
		"Neither a valid executable name nor an absolute path: bin/serve",
		"Unit history-graph-missing.socket not found",
	}, Also: []string{
		"option-owner.service", "Failed to parse service type, ignoring: oneshoot",
	}},
	{Name: "rclone-copy", Program: "rclone copy -vv of 480 files", Needles: []string{
		"inventory/order-token-ff6f.pdf: Failed to copy: failed to open source object",
		"password/index-email-4ec4.csv: Failed to copy: open",
	}, Also: []string{
		"ERROR : Attempt 1/1 failed with 2 errors", "Failed to copy with 2 errors", "Errors:  ",
		"NOTICE: Config file", "Transferred:", "Elapsed time:",
	}},
	{Name: "act-workflow", Program: "act: a workflow with five jobs", Needles: []string{
		"❌  Failure - Main moves the valid branch",
		"src/tariff/ZoneTable.kt:77:21 unresolved reference: zoneOfPostcode",
		"❌  Failure - Main inserts the full country", "docs/carriers.md: link to #pickup-times leads nowhere",
	}, Also: []string{
		"1 error, 38 warnings", "exit status", "Job failed", "Job succeeded", "Error: Job 'unit' failed",
		"Couldn't get a valid docker connection", "Failed but continue next step",
	}},
	{Name: "jenkins-console", Program: "Jenkins (its form): a pipeline with doctest -v", Needles: []string{
		`", line 61, in checkout_tour.net_weight`, "     1350", "in price_audit.slot_of", "KeyError: 7",
	}, Also: []string{
		"Failed example:", "net_weight(1200", "slot_of(7)", `File "`, "***Test Failed***", "Expected:", "Got:",
		"Exception raised:", "Traceback", "*****", "     1050", "items had failures", "and 1 failed", "1 of   1 in",
		"return {8:", "exec(compile", "'early'", "in slot_of", "Finished: UNSTABLE", "[Pipeline]", "^^^",
	}},
	{Name: "structlog-logfmt", Program: "a log by structlog, key=value", Needles: []string{
		`event="posting refused"`, `event="scheduler stopped, no job is started any more"`,
		"Unbalanced: J-20417: debit 1250 and credit 1249",
	}, Block: 6},
	{Name: "bunyan-json", Program: "a log by bunyan, JSON with numbers for levels", Needles: []string{
		"card network answered with a foreign merchant id", "reconciliation aborted",
	}},
	{Name: "tracing-spans", Program: "a log by Rust's tracing, with spans", Needles: []string{
		"route table is empty, all parcels go to the default depot", "gave up loading route table",
	}},
}
