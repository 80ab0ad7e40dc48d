"""jesttests.py fails|passes PACKAGES writes suites for jest; of the second package two tests fail, if they should."""
import os
import sys

from words import noun, rand, trait, unique, verb

fails, packages = sys.argv[1] == "fails", int(sys.argv[2])
ALARMING = ["throws an error when the {} is missing", "panics never on {}", "rejects a failed {}", "reports the exception of a {}", "fails the {} with a fatal error",
            "prints ✕ for an unknown {}", "renders 'Error: {} not found'"]
for p, package in enumerate(unique(lambda: f"{noun()}-{noun()}", packages)):
    root = f"packages/{p:02d}-{package}"
    os.makedirs(f"{root}/test")
    open(f"{root}/package.json", "w").write(f'{{"name": "{package}", "version": "2.4.0"}}\n')
    for s, suite in enumerate(unique(noun, 10)):
        text = ""
        for d in range(3):
            text += f"describe('{suite} {verb()} {noun()} {d}', () => {{\n"
            for t in range(12):
                title = f"{verb()} the {trait().replace('_', ' ')} {noun()}"
                if rand.random() < (0.1 if fails else 0.5):
                    title = rand.choice(ALARMING).format(noun()).replace("'", "\\'")
                text += f"  test('{title} ({t})', () => {{ expect({t} * 2).toBe({t * 2}); }});\n"
            if fails and p == 1 and s == 4 and d == 1:
                text += "  test('sums the vouchers of a split cart', () => {\n    expect([450, 320].reduce((a, b) => a + b)).toBe(790);\n  });\n"
            if fails and p == 1 and s == 8 and d == 2:
                text += "  test('reads the zone of a guest', () => {\n    const guest = {};\n    expect(guest.address.zone).toBe('EU');\n  });\n"
            text += "});\n\n"
        open(f"{root}/test/{suite}.test.js", "w").write(text)
