"""Resources of terraform that need no provider."""
import sys

from words import NOUNS

WORDS = list(NOUNS)
n, state = int(sys.argv[1]), sys.argv[2]
with open("main.tf", "w") as f:
    for i in range(n):
        if state == "after" and i == 140:
            continue
        name = "%s_%d" % (WORDS[i % len(WORDS)], i)
        port = 8000 + i
        if state == "after" and i == 222:
            port = 22
        f.write('resource "terraform_data" "%s" {\n  input = {\n    host = "%s.example.com"\n    port = %d\n  }\n}\n\n' % (name, name, port))
    f.write('check "ports" {\n  assert {\n    condition = terraform_data.%s_222.output.port > 1024\n    error_message = "the dispatcher must not listen below 1024"\n  }\n}\n' % WORDS[222 % len(WORDS)])
print(WORDS[140 % len(WORDS)], WORDS[222 % len(WORDS)], file=sys.stderr)
