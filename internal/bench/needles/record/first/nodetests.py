"""nodetests.py FILES TESTS writes tests for node --test; one of them fails."""
import os
import sys

from words import noun, rand, trait, unique, verb

files, tests = int(sys.argv[1]), int(sys.argv[2])
os.makedirs("test")
for i, file in enumerate(unique(lambda: noun() + "-" + noun(), files)):
    text = "const { describe, it, test } = require('node:test');\nconst assert = require('node:assert');\n\n"
    for g, group in enumerate(unique(noun, tests // 12)):
        text += f"describe('{group} {rand.choice(['list', 'view', 'store', 'api'])}', () => {{\n"
        for t, title in enumerate(unique(lambda: verb() + " " + rand.choice(["a", "the", "every"]) + " " + noun() + " " + trait().replace("_", " "), 12)):
            log = rand.choice(["", "", "", "", f" console.log('rendered {group} in', {rand.randrange(90)}, 'ms');"])
            if i == files * 2 // 5 and g == 1 and t == 5:
                text += "  it('keeps the discount of a shared basket', () => {\n    assert.deepStrictEqual({ total: 118.8, discount: 0 }, { total: 108, discount: 10.8 });\n  });\n"
            text += f"  it('{title}', () => {{{log} assert.ok(true); }});\n"
        text += "});\n\n"
    open(f"test/{file}.test.js", "w").write(text)
