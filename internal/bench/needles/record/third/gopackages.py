"""gopackages.py COUNT writes a module; every fifth package has tests, one fails, one has an import too many."""
import os
import sys

from words import camel, noun, rand, trait, unique, verb

open("go.mod", "w").write("module example.com/monorepo\n\ngo 1.22\n")
for n, path in enumerate(sorted(unique(lambda: "/".join([rand.choice(["service", "internal", "tools"]), noun(), rand.choice(["errors", "failures", noun(), noun(), noun()]) + noun()]), int(sys.argv[1])))):
    os.makedirs(path, exist_ok=True)
    name = os.path.basename(path)
    open(f"{path}/{name}.go", "w").write(f"package {name}\n\n// Limit is the limit.\nconst Limit = {n}\n")
    if n % 12 and n not in (171, 236):
        continue
    test = f"package {name}\n\nimport \"testing\"\n\n"
    if n == 236:
        test = f"package {name}\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\n"
    for t in unique(lambda: camel(verb(), trait()), 4):
        test += f"func Test{t}(t *testing.T) {{\n\tif Limit < 0 {{\n\t\tt.Error(\"negative\")\n\t}}\n}}\n\n"
    if n == 171:
        test += "func TestQuotaIsShared(t *testing.T) {\n\tt.Log(\"tenant 7 of 12\")\n\tif got, want := Limit*2, 340; got != want {\n\t\tt.Errorf(\"quota = %d, want %d\", got, want)\n\t}\n}\n"
    open(f"{path}/{name}_test.go", "w").write(test)
