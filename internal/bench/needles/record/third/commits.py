"""commits.py COUNT [log] writes a history for git fast-import; with log, its messages tell of mended failures."""
import sys

from words import hexa, noun, rand, trait, verb

FIXED = ["fix: panic when the {} is empty", "fix(api): error: {} not found is now 404", "fatal error in {} no longer kills the worker",
         "revert \"fix: {} failed silently\"", "test: {} fails loudly", "ci: retry failed {} jobs", "error: wrap, don't swallow ({})",
         "docs: what FAIL means for a {}", "handle NullPointerException in {}", "warn about a deprecated {}", "remove the broken {} check"]
log = len(sys.argv) > 2
for n in range(int(sys.argv[1])):
    message = f"{rand.choice(['', '', 'feat: ', 'chore: ', 'refactor: '])}{noun()} {verb()} {trait().replace('_', ' ')} {noun()}"
    if log and rand.random() < 0.4:
        message = rand.choice(FIXED).format(noun())
    print(f"commit refs/heads/main\nmark :{n + 1}\ncommitter Ada <ada@example.com> {1767225600 + n * 5000} +0000\ndata {len(message)}\n{message}")
    if n:
        print(f"from :{n}")
    for f in range(4):
        text = f"{noun()} {hexa(12)}\n" * 3
        print(f"M 100644 inline notes/{f}.txt\ndata {len(text)}\n{text}")
