"""tsprojects.py COUNT writes TypeScript projects that refer to each other; one has an error."""
import json
import os
import sys

from words import camel, noun, rand, unique, verb

count = int(sys.argv[1])
projects = unique(lambda: noun() + "-" + rand.choice(["view", "model", "api"]), count)
for i, project in enumerate(projects):
    os.makedirs(f"{project}/src")
    needs = rand.sample(projects[:i], min(i, rand.randrange(4)))
    json.dump({"compilerOptions": {"composite": True, "strict": True, "module": "commonjs", "target": "es2020", "types": [],
                                   "outDir": "dist", "rootDir": "src"},
               "include": ["src"], "references": [{"path": "../" + n} for n in needs]}, open(f"{project}/tsconfig.json", "w"))
    names = unique(noun, 3)
    index = "".join(f"export * from './{n}';\n" for n in names)
    for n in names:
        text = "".join(f"export function {verb()}{camel(n, project.replace('-', '_'))}(count: number): string {{\n  return `${{count}}`;\n}}\n" for _ in range(1))
        if i == count // 2 and n == names[1]:
            text += "interface Basket { total: number; items: string[] }\n\nexport const empty: Basket = { total: '0.00', items: [] };\n"
        open(f"{project}/src/{n}.ts", "w").write(text)
    index += "".join(f"import * as {camel(n.replace('-', '_'))} from '../../{n}/src/index';\n" for n in needs)
    open(f"{project}/src/index.ts", "w").write(index)
json.dump({"files": [], "references": [{"path": p} for p in projects]}, open("tsconfig.json", "w"))
