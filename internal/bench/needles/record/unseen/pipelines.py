"""pipelines.py KIND writes a pipeline for a runner, or runs the steps and prints them as that service's runner does."""
import datetime
import subprocess
import sys

from suites import chatter, few, title, write
from words import camel, hexa, noun, rand, trait, unique, verb

now = datetime.datetime(2026, 3, 2, 9, 11, 24, 120000)


def script(name, count, special=()):
    """A shell script that prints count lines, and the special ones at their places; it exits with the last's code."""
    lines = [rand.choice([
        lambda: chatter(),
        lambda: f"  ✓ {few()} {verb()} the {noun()}",
        lambda: f"compiled {few()}/{noun()}.kt",
        lambda: f"w: src/{few()}/{camel(noun())}.kt:{rand.randrange(40)}: parameter '{noun()}' is never used",
        lambda: f"#{rand.randrange(40)} layer {hexa(4)} done",
    ])() for _ in range(count)]
    code = 0
    for at, text, code in special:
        lines[int(count * at)] = text
    write(name, "cat <<'END'\n" + "\n".join(lines) + f"\nEND\nexit {code}\n")


def act():
    jobs = ""
    for n, job in enumerate(["lint", "unit", "browser", "image", "docs"]):
        steps = ""
        for s, step in enumerate(unique(title, 8)):
            special = []
            if job == "unit" and s == 4:
                special = [(0.4, "e: src/tariff/ZoneTable.kt:77:21 unresolved reference: zoneOfPostcode", 0),
                           (0.9, "1 error, 38 warnings", 2)]
            if job == "docs" and s == 3:
                special = [(0.6, "docs/carriers.md: link to #pickup-times leads nowhere", 1)]
            script(f"ci/{job}-{s}.sh", 22, special)
            steps += f"      - name: {step}\n        run: sh /srv/act/ci/{job}-{s}.sh\n"
            if job == "docs" and s == 3:
                steps += "        continue-on-error: true\n"
        jobs += f"  {job}:\n    runs-on: ubuntu-latest\n    steps:\n{steps}"
    write(".github/workflows/ci.yml", f"name: CI\non: push\njobs:\n{jobs}")


def tick():
    global now
    now += datetime.timedelta(milliseconds=rand.choice([4, 19, 40]))
    return now


def run(command):
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.stdout.splitlines(), done.returncode


def gitlab():
    def say(line, stream="O"):
        print(f"{tick().isoformat(timespec='microseconds')}Z 01{stream} {line}".rstrip())

    for n, job in enumerate(["format", "types", "licences", "unit", "contract", "browser", "bundle", "publish"]):
        special = []
        if job == "licences":
            special = [(0.5, "leaflet-heat 0.2.0: licence is missing, allowed are MIT, BSD-2-Clause, Apache-2.0", 1)]
        if job == "contract":
            special = [(0.3, "GET /v2/parcels/17: field weight_g is a string, the contract says integer", 0), (0.7, "contract: 211 checks, 1 broken", 5)]
        script(f"ci/{job}.sh", 100, special)
        say("Running with gitlab-runner 17.5.3 (12030cf4)")
        say(f"  on shared-7 {hexa(9)}, system ID: s_{hexa(12)}")
        say('Preparing the "shell" executor')
        say("Using Shell (bash) executor...")
        say("Fetching changes with git depth set to 20...")
        say(f"Checking out {hexa(8)} as detached HEAD (ref is main)...")
        say("Skipping Git submodules setup")
        say(f"$ sh ci/{job}.sh")
        lines, code = run(f"sh ci/{job}.sh")
        for line in lines:
            say(line, rand.choice("OOOE"))
        say("Cleaning up project directory and file based variables")
        say(f"ERROR: Job failed: exit status {code}" if code else "Job succeeded")


def jenkins():
    def say(line):
        print(f"[{tick().isoformat(timespec='milliseconds')}Z] {line}".rstrip())

    def sh(command):
        say("[Pipeline] sh")
        say("+ " + command)
        for line in run(command)[0]:
            say(line)

    for m, module in enumerate(unique(lambda: f"{noun()}_{noun()}", 28)):
        text = f'"""The {module}."""\n'
        for f in unique(lambda: f"{verb()}_{noun()}", 6):
            text += f'\n\ndef {f}(a):\n    """{title()}.\n\n    >>> {f}(2)\n    {2 + m}\n    """\n    return a + {m}\n'
        if m == 13:
            text += '\n\ndef net_weight(gross, tare):\n    """Weight without the box.\n\n    >>> net_weight(1200, 150)\n    1050\n    """\n    return gross + tare\n'
        if m == 21:
            text += '\n\ndef slot_of(hour):\n    """Slot of an hour.\n\n    >>> slot_of(7)\n    \'early\'\n    """\n    return {8: "early"}[hour]\n'
        write(f"shop/{module}.py", text)
    say("Started by upstream project \"shop/main\" build number 4117")
    say("[Pipeline] Start of Pipeline")
    say("[Pipeline] node")
    say("Running on agent-12 in /var/jenkins/workspace/shop_main")
    say("[Pipeline] {")
    for stage, commands in [
        ("Compile", ["gcc --version | head -1", "python3 -m compileall -f shop"]),
        ("Examples", ["for f in shop/*.py; do python3 -m doctest -v $f; done"]),
        ("Archive", ["tar -czvf shop.tar.gz shop", "sha256sum shop/*.py"]),
    ]:
        say("[Pipeline] stage")
        say(f"[Pipeline] {{ ({stage})")
        for command in commands:
            sh(command)
        say("[Pipeline] }")
        say("[Pipeline] // stage")
    say("[Pipeline] }")
    say("[Pipeline] // node")
    say("[Pipeline] End of Pipeline")
    say("Finished: UNSTABLE")


def github():
    def say(line):
        print(f"{tick().isoformat(timespec='microseconds')}0Z {line}".rstrip())

    for n, name in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}", 120))):
        loose = n % 3 == 0
        text = f"export const {name.replace('-', '_')} = {'{ a:1 }' if loose else '{ a: 1 }'};\n"
        if n == 40:
            text += "export function total(cart) {\n  return cart.lines.reduce((sum, line => sum + line.cents, 0);\n}\n"
        write(f"src/{name}.js", text)
        css = f".{name} {{\n  color: #{hexa(6)};\n  margin: {rand.randrange(20)}px;\n" + (f"  margin-top: {rand.randrange(9)}px !important;\n" if n % 4 == 1 else "")
        if n == 64:
            css += "  background: #12345;\n"
        write(f"src/{name}.css", css + "}\n")
    write(".stylelintrc.json", '{"rules": {"declaration-no-important": [true, {"severity": "warning"}], "color-hex-length": ["long", {"severity": "warning"}], "color-no-invalid-hex": true, "selector-class-pattern": ["^[a-c].*", {"severity": "warning"}]}}\n')
    say("Current runner version: '2.321.0'")
    say("##[group]Operating System")
    say("Ubuntu")
    say("24.04.1")
    say("LTS")
    say("##[endgroup]")
    for name, command in [("npx prettier --check src", "npx prettier --check --log-level debug src"), ("npx stylelint 'src/**/*.css'", "npx stylelint --no-color 'src/**/*.css'"),
                          ("tar -cvf site.tar src", "tar -cvf site.tar src")]:
        say(f"##[group]Run {name}")
        say(f"\x1b[36;1m{name}\x1b[0m")
        say("shell: /usr/bin/bash -e {0}")
        say("env:")
        say("  CI: true")
        say("##[endgroup]")
        lines, code = run(command)
        for line in lines:
            say(line)
        if code:
            say(f"##[error]Process completed with exit code {code}.")
    say("Post job cleanup.")
    say("Cleaning up orphan processes")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
