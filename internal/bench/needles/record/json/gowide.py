"""A Go package of many files, one of which imports what does not exist."""
import os

from words import NOUNS

open("go.mod", "w").write("module example.com/wide\n\ngo 1.24\n")
for i in range(1200):
    name = "%s_%s_%d" % (NOUNS[i % 150], NOUNS[i // 7 % 150], i)
    imports = 'import _ "example.com/wide/internal/ledgerbook"\n' if i == 700 else ""
    with open("%s%s.go" % (name, "_windows" if i == 431 else ""), "w") as f:
        f.write("package wide\n\n%s\nvar V%d = %d\n" % (imports, i, i))
