"""gotests.py fails|passes TESTS SUBTESTS writes a Go module whose tests log, print and, with fails, fail twice."""
import os
import sys

from words import camel, noun, rand, trait, unique, verb

fails = sys.argv[1] == "fails"
tests, subtests = int(sys.argv[2]), int(sys.argv[3])
PACKAGES = ["account", "billing", "cart", "ledger", "mailer", "pricing", "search", "webhook"]
LOGS = [
    't.Logf("%d of %d entries match", n%17, n)', 't.Logf("retry %d after %v", n%3, time.Duration(n)*time.Millisecond)',
    't.Logf("%s: checksum %04x", name, uint16(n*40503))', 't.Log("using the in-memory store")',
    't.Logf("loaded fixture testdata/%s.json (%d bytes)", name, 512+n%4096)', 't.Logf("state: %v", map[string]int{"open": n % 5})',
    'fmt.Printf("%s listening on 127.0.0.1:%d\\n", name, 20000+n)', 't.Logf("balance = %d after %d steps", n*10, n%9)',
]
ALARMING = [
    't.Log("0 errors, 0 failed, 12 passed")', 't.Logf("read error.go in %dms", n%7)', 't.Log("args: --fail-fast --no-panic -v")',
    't.Logf("error rate %d.%02d%%", 0, n%9)', 't.Log("got expected error: not found")', 't.Logf("errors=%d failures=0", 0)',
    'fmt.Println("failover target: replica", n%3)',
]
ALARMING_NAMES = ["Error", "Fail", "Panic", "FailFast", "ErrorIsNil", "Fatal", "Exception", "PanicRecovered", "Failover"]

open("go.mod", "w").write("module example.com/shop\n\ngo 1.22\n")


def body(test, number, fixture):
    log = rand.choice(LOGS if fails else LOGS[:2] + ALARMING)
    every = rand.choice([3, 60, 60, 60, 60] if fails else [1, 2, 5, 100])
    names = ", ".join('"%s"' % n for n in fixture)
    if not fails:
        names = names.replace("parses_", "parse_error_").replace("skips_", "does_not_panic_").replace("checks_", "fail_")
    extra = "" if rand.random() > 0.03 else "\t\t\tt.Parallel()\n"
    return f"""
func Test{test}(t *testing.T) {{
	for i, name := range []string{{{names}}} {{
		t.Run(name, func(t *testing.T) {{
{extra}			n := i*{rand.randrange(3, 90)} + {number}
			if i%{every} == 0 {{
				{log}
			}}
			_ = n
			{{check}}
		}})
	}}
}}
"""


def name():
    if fails or rand.random() < 0.4:
        return camel(noun(), verb(), rand.choice([noun(), trait()]))
    return camel(noun(), rand.choice(ALARMING_NAMES), rand.choice(["", "", verb(), trait()]))


planted = {  # package: the test, its check, and the message that identifies it
    "cart": ("CheckoutKeepsVoucher", 'if name == checked { t.Errorf("total = %d, want %d", 8750, 9000) }'),
    "mailer": ("DigestSkipsUnsubscribed", 'if name == checked { t.Fatalf("Send: got 3 recipients [%s %s %s], want 2", "ada", "bob", "cyd") }'),
}
names = unique(name, tests)
cases = unique(lambda: verb() + "_" + trait(), 240)
per = -(-tests // len(PACKAGES))
for p, package in enumerate(PACKAGES):
    mine = names[p * per:(p + 1) * per]
    if fails and package in planted:
        mine[len(mine) // 2] = planted[package][0]
    os.makedirs(package, exist_ok=True)
    open(f"{package}/{package}.go", "w").write(f"package {package}\n")
    files = [mine[i:i + 9] for i in range(0, len(mine), 9)]
    for f, group in enumerate(files):
        text = f'package {package}\n\nimport (\n\t"fmt"\n\t"testing"\n\t"time"\n)\n\nvar _ = fmt.Sprint(time.Second)\n'
        fixture = rand.sample(cases, subtests)  # the cases that the tests of a file share
        for i, test in enumerate(group):
            check = ""
            code = body(test, f * 31 + i, fixture)
            if fails and package in planted and test == planted[package][0]:
                chosen = code.split('"')[2 * (subtests // 2) + 1]
                check = planted[package][1].replace("checked", '"' + chosen + '"')
            text += code.replace("{check}", check)
        open(f"{package}/{noun()}{f}_test.go", "w").write(text)
