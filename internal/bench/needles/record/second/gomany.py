"""gomany.py COUNT writes a Go module of many packages, each of which imports others; two have a type error."""
import os
import sys

from words import NOUNS, camel, noun, rand, unique, verb

open("go.mod", "w").write("module example.com/monorepo\n\ngo 1.22\n")
areas = ["services/%s/core", "services/%s/transport/rest", "libraries/%s", "tools/%s/cmd"]
count = int(sys.argv[1])
named = lambda: rand.choice([n for n in NOUNS if n != "vendor"])  # go build has a meaning for it
paths = unique(lambda: rand.choice(areas) % named() + "/" + noun() + noun(), count)
for i, path in enumerate(paths):
    package = os.path.basename(path)
    os.makedirs(path)
    imports = sorted({p for p in rand.sample(paths[:i], min(i, 2))}) if i < count - 200 else []
    imports = [p for p in imports if i % 3 and paths.index(p) not in (310, 455)]
    text = f"package {package}\n\n" + "".join(f'import _ "example.com/monorepo/{p}"\n' for p in imports)
    for function in unique(lambda: camel(verb(), noun()), 3):
        text += f"\nfunc {function}(n int) int {{ return n * {rand.randrange(99)} }}\n"
    if i == 310:
        text += "\ntype quota struct{ limit int64 }\n\nfunc (q quota) Exceeded(used int) bool { return used > q.limit }\n"
    if i == 455:
        text += "\ntype Sink interface{ Flush() error }\n\ntype fileSink struct{}\n\nfunc (fileSink) Flush() {}\n\nvar _ Sink = fileSink{}\n\nfunc newest(s Sink) int { return s.Offset() }\n"
    open(f"{path}/{package}.go", "w").write(text)
