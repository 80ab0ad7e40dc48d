package main

// second is the half whose figures are published. Its texts were chosen and recorded without a look at the code that finds
// the needles; a change of that code is no reason to change a text.
var second = []Text{
	{Name: "go-test-panic", Program: "go test ./... -v, with a panic in a goroutine", Needles: []string{
		"panic: runtime error: invalid memory address or nil pointer dereference",
		"example.com/fleet/internal/planner/tenant12_test.go:47",
		"FAIL\texample.com/fleet/internal/planner\t",
	}, Also: []string{
		"[signal SIGSEGV: segmentation violation", "goroutine 45 [running]:", "planner.(*stop).last(...)",
		"planner.resolve(...)",
		"tenant12_test.go:55", "created by example.com/fleet/internal/planner.TestPlanKeepsLastStop",
		"tenant12_test.go:61",
		"=== RUN   TestPlanKeepsLastStop", "tenant12_test.go:63",
	}},
	{Name: "go-test-race", Program: "go test -race -v", Needles: []string{
		"WARNING: DATA RACE", "testing.go:1712: race detected during execution of test",
		"--- FAIL: TestLimiterSharesBudget",
		"FAIL\texample.com/fleet/internal/auth\t",
	}, Also: []string{
		"Read at 0x", "Previous write at 0x", "==================", "=== RUN   TestLimiterSharesBudget",
		"runtime.map", "internal/runtime/maps/runtime_faststr.go", "example.com/fleet/internal/auth.",
		"delivery12_test.go:",
		"testing.", "testing/testing.go:", "main.main()", "_testmain.go:", "created at:",
	}},
	{Name: "go-build-v", Program: "go build -v of 900 packages", Needles: []string{
		"invalid operation: used > q.limit (mismatched types",
		"cannot use fileSink{} (value of struct type fileSink) as Sink value",
		"s.Offset undefined (type Sink has no field or method Offset)",
	}, Also: []string{"# example.com/monorepo/", "have Flush()", "want Flush() error"}},
	{Name: "ci-staticcheck", Program: "a CI job's log: go vet, staticcheck, go test -v", Needles: []string{
		"planner.go:7:3: this value of err is never used (SA4006)",
		"planner.go:10:3: this value of err is never used (SA4006)",
		"planner.go:10:9: Errorf doesn't have side effects", "planner.go:15:6: func unusedBudget is unused (U1000)",
	}, Also: []string{"##[group]", "##[endgroup]"}},
	{Name: "zap-json", Program: "a server's log by zap, in JSON lines", Needles: []string{
		`"msg":"payment not settled","order":41621`,
	}},
	{Name: "python-threads", Program: "python, with an exception in a thread", Needles: []string{
		"Exception in thread loader-1:", "ValueError: invalid literal for int() with base 10: '12,50'",
	}, Also: []string{
		"Traceback (most recent call last):", "threading.py\", line ", "self.run()",
		"self._target(*self._args, **self._kwargs)",
		"/srv/importer/threads.py", "return dict(parse(row) for row in rows)", "return name, int(amount)", "^^^",
	}},
	{Name: "unittest-subtests", Program: "python -m unittest with subtests, two suites", Needles: []string{
		"ERROR: test_rate_of_every_zone ", "KeyError: 'XX'", "FAIL: test_rate_of_every_zone ",
		"AssertionError: 0 != 1 : rates are odd since 2024",
		"FAILED (failures=1, errors=1)",
	}, Also: []string{
		"Traceback (most recent call last):", "test_package_profile.py\", line 7", "{}['XX']", "~~^^^",
		"self.assertEqual(rate % 2, 1", "==========", "----------", "Ran 254 tests",
	}},
	{Name: "prove-v", Program: "prove -v", Needles: []string{
		"not ok 24 - prices sort as numbers", "#          got: '2,3,10'",
		"Can't call method \"total\" on an undefined value",
	}, Also: []string{
		"#   Failed test 'prices sort as numbers'", "#   at t/11-", "#     expected: '10,2,3'", "# Looks like you",
		"# Tests were run but",
		"Dubious, test returned", "Failed 1/60", "All 32 subtests passed", "Test Summary Report",
		"t/11-token_product.t ", "t/19-contact_package.t ",
		"Failed test:", "Non-zero exit status", "Parse errors", "Result: FAIL",
	}},
	{Name: "ruby-minitest", Program: "minitest --verbose, two suites", Needles: []string{
		"test_refund_keeps_the_voucher = 0.00 s = F", "test_ledger_opens_in_utc = 0.00 s = E",
		"cents left on the voucher.",
		"NoMethodError: undefined method `fetch' for nil:NilClass",
	}, Also: []string{
		"1) Failure:", "2) Error:", "#test_refund_keeps_the_voucher [first.rb:232]:", "Expected: 1250",
		"Actual: 1150",
		"#test_ledger_opens_in_utc:", "nil.fetch(:zone)", "^^^^^^", "first.rb:511:in",
		"1 failures, 1 errors, 0 skips",
	}},
	{Name: "rsync-av", Program: "rsync -av, two transfers", Needles: []string{
		`opendir "/srv/mirror/projects/merchant/track/tenant" failed: Permission denied (13)`,
		`send_files failed to open "/srv/mirror/projects/currency/import/deal/region-2024.ods": Permission denied (13)`,
	}, Also: []string{
		"rsync error: some files/attrs were not transferred", "sent ", "total size is",
		"sending incremental file list",
	}},
	{Name: "find-ls", Program: "find -ls", Needles: []string{
		"find: ‘archive/station/thread/group’: Permission denied",
	}},
	{Name: "unzip-t", Program: "unzip -t", Needles: []string{
		"bad CRC e93e3882  (should be e93e3892)", "error:  invalid compressed data to inflate",
	}, Also: []string{
		"dataset/window/backup/attachment/inventory-2019.csv", "At least one error was detected",
		"Archive:  dataset.zip",
	}},
	{Name: "sftp-put", Program: "sftp -b", Needles: []string{
		`dest open "/srv/site/remote/journal/login.txt": Permission denied`,
	}},
	{Name: "git-submodules", Program: "git clone --recurse-submodules", Needles: []string{
		"fatal: Fetched in submodule path 'modules/lib-import', but it did not contain ",
	}, Also: []string{
		"fatal: git upload-pack: not our ref", "fatal: remote error: upload-pack: not our ref",
	}},
	{Name: "rsync-itemized", Program: "rsync -ain --delete: one line of its kind, no failure", Needles: []string{
		"*deleting   ",
	}},
	{Name: "ninja-templates", Program: "cmake, ninja -v and g++", Needles: []string{
		"predefined_ops.h:45:23: error: no match for ‘operator<’", "FAILED: CMakeFiles/solver.dir/src/",
	}, Also: []string{
		"required from", "In instantiation of ", "note: ", "predefined_ops.h:", "/usr/include/c++/12/", "|",
		"ninja: build stopped",
		"In file included from", "from /", "-o CMakeFiles/solver.dir/src/unit_name.cpp.o", "warning: ",
	}},
	{Name: "make-link", Program: "cmake's makefiles; a program does not link", Needles: []string{
		"undefined reference to `lease_renew'", "undefined reference to `lease_drop'",
		"collect2: error: ld returned 1 exit status",
	}, Also: []string{
		"in function `main':", "make[2]: *** [", "make[1]: *** [", "make: *** [", "not remade because of errors",
		": In function ‘",
		"warning: unused variable", "3 |         int spare = n;", "|             ^",
	}},
	{Name: "ctest-v", Program: "ctest -V", Needles: []string{
		"142: frame 12: checksum 0x9f31, expected 0x9f13", "Test #142: key.exports_by_name ...............***Failed",
		"Assertion `n % 2 == 1 && \"every slice is odd\"' failed.",
		"Test #209: route.skips_partial ...............Subprocess aborted***Exception",
	}, Also: []string{
		"99% tests passed, 2 tests failed", "The following tests FAILED:", "142 - key.exports_by_name",
		"209 - route.skips_partial",
		"Errors while running CTest", "Output from these tests", "Use \"--rerun-failed", "142: ", "209: ",
		"Start 142:", "Start 209:",
	}},
	{Name: "valgrind-log", Program: "valgrind, with a program's log", Needles: []string{
		"Invalid read of size 8", "drop (indexer.c:19)", "ERROR SUMMARY: 2 errors from 1 contexts",
	}, Also: []string{
		"==",
	}},
	{Name: "mocha-workspaces", Program: "mocha in 30 packages", Needles: []string{
		"1) adds the surcharge once", "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal",
		"1) waits for the outbox",
		"Error: Timeout of 80ms exceeded.",
	}, Also: []string{
		"1 failing", "1) policy", "1) route", "adds the surcharge once:", "waits for the outbox:", "900 !== 450",
		"+ expected - actual", "-900", "+450",
		"at Context.<anonymous> (test/subscriber.js:18:54)", "at process.processImmediate (", "at listOnTimeout (",
		"at process.processTimers (",
	}},
	{Name: "pino-json", Program: "a server's log by pino, in JSON lines", Needles: []string{`"sku":"AX-4471"`}},
	{Name: "pip-install", Program: "pip install -v of sources", Needles: []string{
		"fatal error: sodium/core.h: No such file or directory",
	}, Also: []string{
		"#include <sodium/core.h>", "compilation terminated.", "error: command ",
		"error: subprocess-exited-with-error", "note: This error originates",
		"ERROR: Failed building wheel", "ERROR: Could not build wheels", "Failed to build ",
	}},
	{Name: "javac-modules", Program: "javac -verbose, 12 modules", Needles: []string{
		"BlockView.java:8: error: incompatible types: Long cannot be converted to LocalDate",
		"BlockView.java:9: error: cannot find symbol",
	}, Also: []string{
		`java.time.LocalDate day = terms.get("net30");`, "return day.plusDays(3).asInstant();", "^",
		"symbol:   method asInstant()", "location: class LocalDate", "2 errors",
	}},
	{Name: "journal", Program: "journalctl, generated", Needles: []string{
		`line 41: key "vat" is defined twice`, "billing.service: Main process exited, code=exited",
		"billing.service: Failed with result 'exit-code'.",
		"Failed to start billing.service",
	}, Also: []string{"billing.service: Scheduled restart", "Stopped billing.service", "Started billing.service"}},
	{Name: "kubernetes", Program: "kubectl logs and kubectl get events, generated", Needles: []string{
		"Memory cgroup out of memory: Killed process 20811 (search)", "Back-off restarting failed container search",
	}, Also: []string{"LAST SEEN ", "index rebuild started"}},
	{Name: "nginx-log", Program: "nginx: access and error log", Needles: []string{
		`request: "GET /away/`, // three lines; the access log has "502 "for each
	}, Also: []string{`" 502 157 "`}},
	{Name: "siege-log", Program: "siege -v", Needles: []string{"HTTP/1.0 503"}, Also: []string{
		"** SIEGE ", "** Preparing ", "The server is now under siege", "Transactions:", "Availability:",
		"Elapsed time:", "Data transferred:",
		"Response time:", "Transaction rate:", "Throughput:", "Concurrency:", "Successful transactions:",
		"Failed transactions:",
		"Longest transaction:", "Shortest transaction:",
	}},
	{Name: "terraform-apply", Program: "terraform apply, 260 resources", Needles: []string{
		"terraform_data.photo_bucket (local-exec): quota of eu-central-1 is 64 addresses",
		"Error: local-exec provisioner error",
	}, Also: []string{
		"terraform_data.photo_bucket (local-exec): ", "with terraform_data.photo_bucket,", "on main.tf line 658",
		"658:   provisioner",
		"Error running command ", "exit 3': exit status 3.", "Output: photo_bucket", "quota of eu-central-1 is 64",
		"Plan: ",
	}},
	{Name: "ansible-play", Program: "ansible-playbook, 24 hosts", Needles: []string{
		"fatal: [web17.example.net]: FAILED!",
	}, Also: []string{
		"web17.example.net          : ok=6 ", "PLAY [web]", "PLAY RECAP",
	}},
	{Name: "postgres-log", Program: "PostgreSQL's log of statements", Needles: []string{
		"ERROR:  deadlock detected", `FATAL:  database "reporting" does not exist`,
	}, Also: []string{
		"DETAIL:  Process ", "waits for ShareLock on transaction ", "Process 26", "HINT:  See server log",
		"CONTEXT:  while updating tuple",
		"STATEMENT:  update accounts set cents = ",
	}},
	{Name: "psql-migrations", Program: "psql -a, 340 migrations", Needles: []string{
		`ERROR:  column "settled_at" does not exist`,
	}, Also: []string{
		"LINE 1: ...at ALTER COLUMN settled_at", "^",
		"ALTER TABLE lead_seat ALTER COLUMN settled_at", "-- applying migrations/0122_lead_seat.sql",
	}},
	{Name: "worker-log", Program: "a log by Python's logging: one line of its kind", Needles: []string{
		"INFO lease leader is now node-4, this node follows and keeps 312 tasks back",
	}},

	{Name: "c-headers", Program: "C headers"},
	{Name: "csv-tickets", Program: "a CSV table, generated"},
	{Name: "ctest-pass", Program: "ctest, three times"},
	{Name: "dpkg-list", Program: "dpkg -l and dpkg-query"},
	{Name: "git-stat", Program: "git log --stat"},
	{Name: "hex-dump", Program: "xxd"},
	{Name: "html-doc", Program: "HTML"},
	{Name: "json-pretty", Program: "go list -json"},
	{Name: "man-pages", Program: "man"},
	{Name: "minified-js", Program: "minified JavaScript"},
	{Name: "mocha-pass", Program: "mocha in 14 packages"},
	{Name: "pg-dump-sql", Program: "pg_dump"},
	{Name: "proc-listing", Program: "ps and /proc/*/status"},
	{Name: "rsync-pass", Program: "rsync -av --stats"},
	{Name: "server-pass", Program: "a server's log at level info, generated"},
}
