"""workspaces.py COUNT writes npm workspaces whose builds print their steps; one of them throws."""
import json
import os
import sys

from words import hexa, noun, rand, unique, verb

count = int(sys.argv[1])
json.dump({"name": "site", "private": True, "workspaces": ["packages/*"]}, open("package.json", "w"))
for i, package in enumerate(sorted(unique(lambda: noun() + "-" + rand.choice(["ui", "api", "core", "utils"]), count))):
    os.makedirs(f"packages/{package}")
    json.dump({"name": f"@site/{package}", "version": f"1.{i % 7}.{i % 11}", "scripts": {"build": "node build.js --mode production"}},
              open(f"packages/{package}/package.json", "w"))
    lines = [f"transforming {rand.randrange(4, 300)} modules"]
    lines += [f"dist/{verb()}-{hexa(6)}.js  {rand.randrange(1, 900) / 10} kB | gzip: {rand.randrange(1, 400) / 10} kB" for _ in range(rand.randrange(2, 7))]
    if rand.random() < 0.05:
        lines.append("(!) some chunks are larger than 500 kB after minification")
    lines.append(f"built in {rand.randrange(80, 3000)}ms")
    text = "".join(f"console.log({json.dumps(line)});\n" for line in lines)
    if i == count * 3 // 5:
        text = f"console.log({json.dumps(lines[0])});\nconst config = require('./build.config.js');\nconfig.plugins.map((p) => p.resolve());\n"
        open(f"packages/{package}/build.config.js", "w").write("module.exports = { plugin: [] };\n")
    open(f"packages/{package}/build.js", "w").write(text)
