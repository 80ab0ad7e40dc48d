package main

// third was chosen and recorded like the second half, without a look at the code that finds the needles and without a
// measurement of its texts.
var third = []Text{
	{Name: "go-test-many", Program: "go test ./... of 760 packages", Needles: []string{
		"languagegraph_test.go:32: quota = 342, want 340", "FAIL\texample.com/monorepo/internal/quote/languagegraph\t",
		`pricebackup_test.go:4:2: "strings" imported and not used`,
	}, Also: []string{
		"--- FAIL: TestQuotaIsShared", "languagegraph_test.go:30: tenant 7 of 12", "FAIL",
		"# example.com/monorepo/internal/ticket/pricebackup",
	}},
	{Name: "jest-verbose", Program: "jest --verbose in 7 packages", Needles: []string{
		"✕ reads the zone of a guest", "TypeError: Cannot read properties of undefined (reading 'zone')",
		"✕ sums the vouchers of a split cart", "Received: 770",
	}, Also: []string{
		"FAIL test/", "● address routes sample 2", "● card joins shift 1", "expect(received).toBe(expected)",
		"Expected: 790", " |", "at Object.", "Test Suites: 2 failed", "Tests:       2 failed",
		"address routes sample 2", "card joins shift 1",
	}},
	{Name: "eslint-list", Program: "npm run lint: eslint of 170 files", Needles: []string{
		"'applySurcharge' is not defined", "Parsing error: Unexpected token ;",
	}, Also: []string{
		"/srv/portal/src/currency/lease.js", "/srv/portal/src/member/reminder.js", "✖ ", "potentially fixable with",
	}},
	{Name: "cargo-test", Program: "cargo test --no-fail-fast, 8 crates", Needles: []string{
		"tests::last_tenant_has_a_zone ... FAILED", "index out of bounds: the len is 3 but the index is 3",
		"tests::zones_start_at_one ... FAILED", "tenant 21 has zone 0, zones start at 1",
	}, Also: []string{
		"failures:", "---- tests::last_tenant_has_a_zone stdout", "---- tests::zones_start_at_one stdout",
		"tests::last_tenant_has_a_zone", "tests::zones_start_at_one", "test result: FAILED.",
		"stack backtrace:", "__rustc::rust_begin_unwind", "core::panicking::", "payout_fee::zone_of",
		"core::ops::function::FnOnce::call_once", "note: Some details are omitted", "`-p payout_fee --lib`",
		"error: 1 target failed:",
	}},
	{Name: "gfortran-make", Program: "make -k and gfortran, with warnings", Needles: []string{
		"Error: Syntax error in argument list at (1)", "Error: Cannot convert CHARACTER(9) to INTEGER(4) at (1)",
	}, Also: []string{
		"src/listing_quota.f90", "call redistribute(total", "i = 'last cell'", "make: *** [", "|  ", "Warning: ",
		"make: Target 'all' not remade", ".f90:7:",
	}},
	{Name: "shellcheck-gcc", Program: "shellcheck --format=gcc of 150 scripts", Needles: []string{
		"error: Decimals are not supported.",
	}, Also: []string{"[SC1010]"}},
	{Name: "maven-reactor", Program: "mvn -B test of 40 modules, generated", Needles: []string{
		"expected: <12.34> but was: <12.35>", "no rate for CHF on 2026-03-01",
		".roundsHalfCentsToEven -- Time elapsed", ".readsRateOfTheDay -- Time elapsed",
	}, Also: []string{
		"<<< FAILURE!", "<<< ERROR!", "at org.junit.jupiter.api.", "at java.base/java.util.Optional.",
		"at com.example.shop.", "[ERROR]", "[WARNING] The POM for ", "FAILURE [", "BUILD FAILURE",
		"Running com.example.shop.feed.ScheduleErrorPortTest",
	}},
	{Name: "bazel-test", Program: "bazel test of 700 targets, generated", Needles: []string{
		"error: 'lrint_even' was not declared in this scope", "FAIL: //search/ranking:freshness_test",
		"freshness_test.cc:88: Failure", "Which is: 0.3125",
	}, Also: []string{
		"ERROR: /srv/monorepo/payments/ledger/BUILD:14:11", "In function 'int64_t ledger::half_even(double)'",
		"return lrint_even(cents);", "^~~~", "|            lrintl", "Running main() from gmock_main.cc",
		"Freshness.DecaysByDay", "Expected equality of these values:", "decay(30)", "0.25",
		"//payments/ledger:rounding_test", "//search/ranking:freshness_test", "Executed 411 out of",
	}},
	{Name: "git-fsck", Program: "git fsck --full --verbose", Needles: []string{
		"error: inflate: data stream error (incorrect header check)",
		"4888c4d7289ca23cf9545951b3784f551351ce32: object corrupt or missing",
		"missing blob de239e01c0edc7943cc76d36a84a2c3ec70c46b7",
	}, Also: []string{
		"error: unable to unpack header of ", "missing blob 4888c4d7289ca23cf9545951b3784f551351ce32",
	}},
	{Name: "openssl-verify", Program: "openssl verify of 1,100 certificates", Needles: []string{
		"error 20 at 0 depth lookup: unable to get local issuer certificate",
		"error 10 at 0 depth lookup: certificate has expired",
		"error hosts/calendar-8.trade.example.net.pem: verification failed",
		"error hosts/currency-17.promotion.example.net.pem: verification failed",
	}, Also: []string{"CN = calendar-8.trade.example.net", "CN = currency-17.promotion.example.net"}},
	{Name: "sha256-check", Program: "sha256sum -c of 1,100 files", Needles: []string{
		"release/fee/search/merchant/asset_18.csv: FAILED",
		"release/login/contract/partner/segment.py: No such file or directory",
	}, Also: []string{
		"release/login/contract/partner/segment.py: FAILED open or read", "sha256sum: WARNING: ",
	}},
	{Name: "sqlite-import", Program: "sqlite3 -echo, 1,500 statements", Needles: []string{
		"UNIQUE constraint failed: receipt.id (19)", "table receipt has no column named notes",
	}, Also: []string{
		"(id, till, cents, notes)", "VALUES (40, 'notice-2'",
	}},
	{Name: "wget-mirror", Program: "wget -r -nv of 480 pages", Needles: []string{
		"http://docs.example.net/manual/settlement.html:", "http://docs.example.net/deal/failed-vendor.html:",
		"ERROR 500: Internal Server Error.",
	}, Also: []string{
		"ERROR 404: Not Found.", "http://docs.example.net/robots.txt:", "FINISHED --", "Total wall clock time:",
		"Downloaded: ",
	}},
	{Name: "cmake-configure", Program: "cmake of 9 projects", Needles: []string{
		`Could not find a package configuration file provided by "Ledger"`, "CMake Error at CMakeLists.txt:138",
	}, Also: []string{
		"By not providing \"FindLedger.cmake\"", "asked CMake to find", "CMake did not find one.",
		"version 2.4) with any of the following names:", "LedgerConfig.cmake", "ledger-config.cmake",
		"Add the installation prefix of", "CMAKE_PREFIX_PATH",
		"containing one of the above files.", "SDK, be sure it has been", "installed.",
		`"Ledger_DIR" to a directory`, "Configuring incomplete, errors occurred!",
		"See also \"/srv/workspace/", "CMake Deprecation Warning at ", "goes away, use ENABLE_",
	}},
	{Name: "borg-create", Program: "borg create --list, two archives", Needles: []string{
		"data/email/receipt/country/review-2024.tar.gz: open: [Errno 13] Permission denied",
	}, Also: []string{
		"E data/email/receipt/country/review-2024.tar.gz", "terminating with ", "----------", "Repository: ",
		"Archive name: ", "Archive fingerprint: ", "Time (", "Duration: ", "Number of files: ", "Utilization of ",
		"Original size", "This archive: ", "All archives: ", "Unique chunks", "Chunk index: ",
	}},
	{Name: "haproxy-log", Program: "HAProxy's log of requests", Needles: []string{
		"edge shop/shop-1 0/0/-1/-1/0 503 217 - - SC-- ", // three lines
	}},
	{Name: "flask-dev", Program: "Flask's development server", Needles: []string{
		"KeyError: '80241'", "/tickets/80241/owner HTTP/1.1",
	}, Also: []string{
		"Exception on /tickets/80241/owner", "Traceback (most recent call last):", "site-packages/flask/app.py",
		"response = self.full_dispatch_request()", "rv = self.", "return self.ensure_sync(", "^^^^",
		"/srv/desk/desk.py", "return owner_of(ticket)", `return {"80111"`,
	}},
	{Name: "klog", Program: "a controller's log by klog", Needles: []string{
		`"Dropping item out of the queue" err=`, "lost lease of kube-system/controller: context deadline exceeded",
	}, Also: []string{"spec.progressDeadlineSeconds is not set"}},
	{Name: "severity-json", Program: "Python's logging as JSON with a severity", Needles: []string{
		"day not closed, orders are held back",
	}, Also: []string{`{"severity": "WARNING"`}},
	{Name: "kafka-log", Program: "a Kafka broker's log, generated", Needles: []string{
		"ERROR Error while flushing log for invoice-events-4", "java.io.IOException: No space left on device",
	}, Also: []string{
		"at java.base/sun.nio.ch.File", "at org.apache.kafka.common.record.FileRecords.flush", "at kafka.log.",
		"WARN [ReplicaManager broker=2] Stopping serving replicas",
	}},
	{Name: "kubectl-apply", Program: "kubectl apply of 1,300 manifests, generated", Needles: []string{
		`The Deployment "mailer-outbox" is invalid:`, "Error from server (Forbidden): error when creating ",
	}},
	{Name: "terraform-plan", Program: "terraform plan: 210 changes, one of them a replacement", Needles: []string{
		"terraform_data.draft_network must be replaced",
	}, Also: []string{
		`-/+ resource "terraform_data" "draft_network"`, "~ triggers_replace", `~ "zone-1" -> "zone-2"`,
		"-/+ destroy and then create replacement", "~ update in-place", "Plan: 1 to add", "Note: You didn't use",
		"draft/network:",
		`"7ccabe55-1713-84b2-69a0-6b2633d47c08"`,
	}},
	{Name: "sensors-log", Program: "a gateway's log, generated: one line of its kind", Needles: []string{
		"clock stepped by -3600.412 s, 61 readings are now in the future",
	}},
	{Name: "consumer-log", Program: "a consumer's log, generated: one line of its kind", Needles: []string{
		"partition 5 is now assigned to consumer-4",
	}},

	{Name: "access-pass", Program: "Python's http.server"},
	{Name: "cargo-pass", Program: "cargo test, 4 crates"},
	{Name: "changelogs", Program: "Debian changelogs"},
	{Name: "chat-transcript", Program: "a chat, generated"},
	{Name: "git-oneline", Program: "git log --oneline"},
	{Name: "jest-pass", Program: "jest --verbose in 4 packages"},
	{Name: "manifests", Program: "YAML, generated"},
	{Name: "maven-pass", Program: "mvn -B test of 24 modules, generated"},
	{Name: "nightly-pass", Program: "a log of jobs, generated"},
	{Name: "notebook", Program: "a Jupyter notebook, generated"},
	{Name: "python-source", Program: "Python sources"},
	{Name: "sql-source", Program: "PL/pgSQL sources, generated"},
	{Name: "word-list", Program: "a list of words"},
}
