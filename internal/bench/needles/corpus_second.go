package needles

// second is the half by whose figures the strategies are measured. It was chosen and recorded without a look at what finds the
// needles; a change of the finder is no reason to change it.
var second = []Text{
	{Name: "go-test-panic", Needles: []string{
		"panic: runtime error: invalid memory address or nil pointer dereference",
		"example.com/fleet/internal/planner/tenant12_test.go:47",
		"FAIL\texample.com/fleet/internal/planner\t",
	}, Also: []string{
		"[signal SIGSEGV: segmentation violation", "goroutine 45 [running]:", "planner.(*stop).last(...)", "planner.resolve(...)",
		"tenant12_test.go:55", "created by example.com/fleet/internal/planner.TestPlanKeepsLastStop", "tenant12_test.go:61",
		"=== RUN   TestPlanKeepsLastStop", "tenant12_test.go:63",
	}},
	{Name: "go-test-race", Needles: []string{
		"WARNING: DATA RACE", "testing.go:1712: race detected during execution of test", "--- FAIL: TestLimiterSharesBudget",
		"FAIL\texample.com/fleet/internal/auth\t",
	}, Also: []string{
		"Read at 0x", "Previous write at 0x", "==================", "=== RUN   TestLimiterSharesBudget",
		"  runtime.map", "internal/runtime/maps/runtime_faststr.go", "example.com/fleet/internal/auth.", "delivery12_test.go:",
		"  testing.", "testing/testing.go:", "  main.main()", "_testmain.go:", " created at:",
	}},
	{Name: "go-build-v", Needles: []string{
		"invalid operation: used > q.limit (mismatched types", "cannot use fileSink{} (value of struct type fileSink) as Sink value",
		"s.Offset undefined (type Sink has no field or method Offset)",
	}, Also: []string{"# example.com/monorepo/", "have Flush()", "want Flush() error"}},
	{Name: "ci-staticcheck", Needles: []string{
		"planner.go:7:3: this value of err is never used (SA4006)", "planner.go:10:3: this value of err is never used (SA4006)",
		"planner.go:10:9: Errorf doesn't have side effects", "planner.go:15:6: func unusedBudget is unused (U1000)",
	}, Also: []string{"##[group]", "##[endgroup]"}},
	{Name: "zap-json", Needles: []string{`"msg":"payment not settled","order":41921`}},
	{Name: "python-threads", Needles: []string{
		"Exception in thread loader-5:", "ValueError: invalid literal for int() with base 10: '12,50'",
	}, Also: []string{
		"Traceback (most recent call last):", "threading.py\", line ", "    self.run()", "    self._target(*self._args, **self._kwargs)",
		"/srv/importer/threads.py", "    return dict(parse(row) for row in rows)", "    return name, int(amount)", "^^^",
	}},
	{Name: "unittest-subtests", Needles: []string{
		"ERROR: test_rate_of_every_zone ", "KeyError: 'XX'", "FAIL: test_rate_of_every_zone ", "AssertionError: 0 != 1 : rates are odd since 2024",
		"FAILED (failures=1, errors=1)",
	}, Also: []string{
		"Traceback (most recent call last):", "test_package_profile.py\", line 7", "    {}['XX']", "    ~~^^^",
		"    self.assertEqual(rate % 2, 1", "==========", "----------", "Ran 254 tests",
	}},
	{Name: "prove-v", Needles: []string{
		"not ok 24 - prices sort as numbers", "#          got: '2,3,10'", "Can't call method \"total\" on an undefined value",
	}, Also: []string{
		"#   Failed test 'prices sort as numbers'", "#   at t/11-", "#     expected: '10,2,3'", "# Looks like you", "# Tests were run but",
		"Dubious, test returned", "Failed 1/55", "All 32 subtests passed", "Test Summary Report", "t/11-token_product.t ", "t/19-contact_package.t ",
		"  Failed test:", "  Non-zero exit status", "  Parse errors", "Result: FAIL",
	}},
	{Name: "ruby-minitest", Needles: []string{
		"test_refund_keeps_the_voucher = 0.00 s = F", "test_ledger_opens_in_utc = 0.00 s = E", "cents left on the voucher.",
		"NoMethodError: undefined method `fetch' for nil:NilClass",
	}, Also: []string{
		"  1) Failure:", "  2) Error:", "#test_refund_keeps_the_voucher [first.rb:232]:", "Expected: 1250", "  Actual: 1150",
		"#test_ledger_opens_in_utc:", "    nil.fetch(:zone)", "       ^^^^^^", "first.rb:511:in", "1302 runs, 1301 assertions, 1 failures",
	}},
	{Name: "rsync-av", Needles: []string{
		`opendir "/srv/mirror/projects/merchant/track/tenant" failed: Permission denied (13)`,
		`send_files failed to open "/srv/mirror/projects/currency/import/deal/region-2024.ods": Permission denied (13)`,
	}, Also: []string{"rsync error: some files/attrs were not transferred", "sent ", "total size is", "sending incremental file list"}},
	{Name: "find-ls", Needles: []string{"find: ‘archive/notice/score/cursor’: Permission denied"}},
	{Name: "unzip-t", Needles: []string{
		"dataset/report/card/tour/folder/site.py   bad CRC c6456a0c  (should be dfcb0c0c)", "  error:  invalid compressed data to inflate",
	}, Also: []string{"dataset/balance/locale_14.yaml", "At least one error was detected", "Archive:  dataset.zip"}},
	{Name: "sftp-put", Needles: []string{`dest open "/srv/site/remote/journal/login.txt": Permission denied`}},
	{Name: "git-submodules", Needles: []string{"did not contain "}},
	{Name: "rsync-itemized", Needles: []string{"*deleting   "}},
	{Name: "ninja-templates", Needles: []string{"no match for ‘operator<’"}},
	{Name: "make-link", Needles: []string{
		"undefined reference to `lease_renew'", "undefined reference to `lease_drop'", "collect2: error: ld returned 1 exit status",
	}, Also: []string{
		"in function `main':", "make[2]: *** [", "make[1]: *** [", "make: *** [", "not remade because of errors", ": In function ‘",
		"warning: unused variable", "    3 |         int spare = n;", "      |             ^",
	}},
	{Name: "ctest-v", Needles: []string{
		"142: frame 12: checksum 0x9f31, expected 0x9f13", "Test #142: key.exports_by_name ...............***Failed",
		"Assertion `n % 2 == 1 && \"every slice is odd\"' failed.", "Test #209: route.skips_partial ...............Subprocess aborted***Exception",
	}, Also: []string{
		"99% tests passed, 2 tests failed", "The following tests FAILED:", "142 - key.exports_by_name", "209 - route.skips_partial",
		"Errors while running CTest", "Output from these tests", "Use \"--rerun-failed", "142: ", "209: ", "Start 142:", "Start 209:",
	}},
	{Name: "valgrind-log", Needles: []string{"Invalid read of size 8", "drop (indexer.c:19)", "ERROR SUMMARY: 2 errors from 1 contexts"}, Also: []string{"==3240=="}},
	{Name: "mocha-workspaces", Needles: []string{"  1) adds the surcharge once", "AssertionError [ERR_ASSERTION]", "  1) waits for the outbox"}},
	{Name: "pino-json", Needles: []string{`"sku":"AX-4471"`}},
	{Name: "pip-install", Needles: []string{"fatal error: sodium/core.h: No such file or directory"}},
	{Name: "javac-modules", Needles: []string{
		"BlockView.java:8: error: incompatible types: Long cannot be converted to LocalDate", "BlockView.java:9: error: cannot find symbol",
	}, Also: []string{
		`        java.time.LocalDate day = terms.get("net30");`, "        return day.plusDays(3).asInstant();", "                      ^",
		"  symbol:   method asInstant()", "  location: class LocalDate", "2 errors",
	}},
	{Name: "journal", Needles: []string{
		`line 41: key "vat" is defined twice`, "billing.service: Main process exited, code=exited", "billing.service: Failed with result 'exit-code'.",
		"Failed to start billing.service",
	}, Also: []string{"billing.service: Scheduled restart", "Stopped billing.service", "Started billing.service"}},
	{Name: "kubernetes", Needles: []string{
		"Memory cgroup out of memory: Killed process 20811 (search)", "Back-off restarting failed container search",
	}, Also: []string{"LAST SEEN ", "index rebuild started"}},
	{Name: "nginx-log", Needles: []string{
		`request: "GET /away/`, // three lines; the access log has " 502 " for each
	}, Also: []string{`" 502 157 "`}},
	{Name: "siege-log", Needles: []string{"HTTP/1.0 503"}, Also: []string{
		"** SIEGE ", "** Preparing ", "The server is now under siege", "Transactions:", "Availability:", "Elapsed time:", "Data transferred:",
		"Response time:", "Transaction rate:", "Throughput:", "Concurrency:", "Successful transactions:", "Failed transactions:",
		"Longest transaction:", "Shortest transaction:",
	}},
	{Name: "terraform-apply", Needles: []string{
		"terraform_data.photo_bucket (local-exec): quota of eu-central-1 is 64 addresses", "Error: local-exec provisioner error",
	}, Also: []string{
		"terraform_data.photo_bucket (local-exec): ", "  with terraform_data.photo_bucket,", "  on main.tf line 658", " 658:   provisioner",
		"Error running command ", "exit 3': exit status 3.", "Output: photo_bucket", "quota of eu-central-1 is 64", "Plan: ",
	}},
	{Name: "ansible-play", Needles: []string{"fatal: [web17.example.net]: FAILED!"}, Also: []string{
		"web17.example.net          : ok=6 ", "PLAY [web]", "PLAY RECAP",
	}},
	{Name: "postgres-log", Needles: []string{"ERROR:  deadlock detected", `FATAL:  database "reporting" does not exist`}, Also: []string{
		"DETAIL:  Process ", " waits for ShareLock on transaction ", "\tProcess 10", "HINT:  See server log", "CONTEXT:  while updating tuple",
		"STATEMENT:  update accounts set cents = ",
	}},
	{Name: "psql-migrations", Needles: []string{`ERROR:  column "settled_at" does not exist`}, Also: []string{
		"LINE 1: ...at ALTER COLUMN settled_at", "                                                             ^",
		"ALTER TABLE lead_seat ALTER COLUMN settled_at", "-- applying migrations/0122_lead_seat.sql",
	}},
	{Name: "worker-log", Needles: []string{"INFO lease leader is now node-4, this node follows and keeps 312 tasks back"}},

	{Name: "c-headers"},
	{Name: "csv-tickets"},
	{Name: "ctest-pass"},
	{Name: "dpkg-list"},
	{Name: "git-stat"},
	{Name: "hex-dump"},
	{Name: "html-doc"},
	{Name: "json-pretty"},
	{Name: "man-pages"},
	{Name: "minified-js"},
	{Name: "mocha-pass"},
	{Name: "pg-dump-sql"},
	{Name: "proc-listing"},
	{Name: "rsync-pass"},
	{Name: "server-pass"},
}
