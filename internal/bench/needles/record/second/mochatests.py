"""mochatests.py fails|passes PACKAGES writes packages with tests for mocha."""
import os
import sys

from words import noun, rand, trait, unique, verb

fails, count = sys.argv[1] == "fails", int(sys.argv[2])
ALARMING = ["throws an error when the {} is gone", "fails if the {} is closed", "reports the exception of the {}", "returns error 404 for a {}",
            "does not crash without a {}", "rejects a {} with ERR_INVALID", "rolls back when the {} fails"]
PLANTED = {
    9: "it('adds the surcharge once', function () { assert.strictEqual(surcharge(['DE', 'AT']), 450); });",
    17: "it('waits for the outbox', function (done) { this.timeout(80); setTimeout(done, 4000).unref(); });",
}
for p, package in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}", count))):
    os.makedirs(f"packages/{package}/test")
    for f, file in enumerate(unique(noun, 4)):
        text = "const assert = require('assert');\nconst surcharge = (zones) => zones.length * 450;\n\n"
        for g, group in enumerate(unique(noun, 3)):
            text += f"describe('{group}', function () {{\n"
            for t in range(rand.randrange(5, 13)):
                title = f"{verb()} {rand.choice(['a', 'the', 'every'])} {noun()} {trait().replace('_', ' ')}"
                if not fails and rand.random() < 0.5:
                    title = rand.choice(ALARMING).format(noun())
                log = rand.choice([""] * 7 + [f"console.log('{noun()}: %d rows, 0 errors', {rand.randrange(900)}); "])
                text += f"  it('{title}', function () {{ {log}assert.ok(true); }});\n"
                if fails and f == 1 and g == 1 and t == 2 and p in PLANTED:
                    text += "  " + PLANTED[p] + "\n"
            text += "});\n\n"
        open(f"packages/{package}/test/{file}.js", "w").write(text)
