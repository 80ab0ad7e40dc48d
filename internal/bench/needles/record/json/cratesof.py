"""A workspace of many crates."""
import os
import sys

from words import NOUNS

WORDS = list(NOUNS)
n = int(sys.argv[1])
names = ["%s-%s" % (WORDS[i % len(WORDS)], WORDS[(i * 7 + 3) % len(WORDS)]) for i in range(n)]
names = list(dict.fromkeys(names))
open("Cargo.toml", "w").write("[workspace]\nresolver = \"2\"\nmembers = [%s]\n" % ", ".join('"%s"' % m for m in names))
for i, name in enumerate(names):
    os.makedirs(name + "/src")
    open(name + "/src/lib.rs", "w").write("pub fn f() {}\n")
    license = "" if i == 70 else 'license = "MIT"\n'
    edition = "2015" if i == 111 else "2021"
    deps = "".join('%s = { path = "../%s" }\n' % (names[j], names[j]) for j in range(i, max(i - 3, 0), -1) if j != i)
    open(name + "/Cargo.toml", "w").write('[package]\nname = "%s"\nversion = "0.%d.0"\nedition = "%s"\n%s\n[dependencies]\n%s' % (name, i % 9, edition, license, deps))
print(names[70], names[111], file=sys.stderr)
