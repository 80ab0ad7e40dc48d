"""builds.py KIND COUNT writes what compilers, linkers and package managers work on; builds.sh says what fails in it."""
import os
import sys

from suites import chatter, title, write
from words import camel, hexa, noun, rand, trait, unique, verb


def objects(count):
    """Sources of a program whose every object calls the next."""
    names = unique(lambda: f"{noun()}_{noun()}", count)
    for n, name in enumerate(names):
        following = names[(n + 1) % count]
        text = f"#include <stdio.h>\nint {following}_start(int);\nint {name}_start(int a) {{ return a > 4 ? a : {following}_start(a + 1); }}\n"
        text += f"int {name}_{verb()}(void) {{ return {n}; }}\n"
        if n % 37 == 5:
            text += f"char *{name}_scratch(char *b) {{ return tmpnam(b); }}\n"
        if n == count // 3:
            text += f"int inflate_block(const char *);\nint {name}_read(void) {{ return inflate_block(\"gz\"); }}\n"
        if n == count // 2:
            text += f"extern int default_rate_table[];\nint {name}_rate(int i) {{ return default_rate_table[i]; }}\n"
        if n in (count * 3 // 5, count * 3 // 5 + 9):
            text += "int depot_of_zone(int z) { return z / 10; }\n"
        write(f"src/{name}.c", text)
    write("src/main.c", f"int {names[0]}_start(int);\nint main(void) {{ return {names[0]}_start(0); }}\n")


def programs(count):
    """Programs of 30 objects each, most of whose functions nobody calls."""
    for p, program in enumerate(unique(lambda: f"{noun()}-{verb()}", count)):
        calls = ""
        for n, name in enumerate(unique(lambda: f"{noun()}_{noun()}", 28)):
            functions = unique(verb, 4)
            text = "".join(f"int {name}_{f}(void) {{ return {n}; }}\n" for f in functions)
            if p == count // 3 and n == 9:
                text += f"int ocean_surcharge(int);\nint {name}_quote(void) {{ return ocean_surcharge(4); }}\n"
                calls += f"int {name}_quote(void);\nint quoted(void) {{ return {name}_quote(); }}\n"
            if p == count * 2 // 3 and n in (8, 19):
                text += "int zone_of_harbour(int h) { return h / 10; }\n"
            write(f"{program}/{name}.c", text)
        write(f"{program}/main.c", calls + ("int main(void) { return quoted(); }\n" if calls else "int main(void) { return 0; }\n"))


def ada(count):
    names = unique(lambda: f"{camel(noun())}_{camel(noun())}", count)
    for n, name in enumerate(names):
        functions = unique(lambda: camel(verb()) + "_It", 4)
        spec = "".join(f"   function {f} (A : Integer; Unused : Integer) return Integer;\n" for f in functions)
        body = "".join(f"   function {f} (A : Integer; Unused : Integer) return Integer is\n      Spare : Integer := {n};\n   begin\n      return (A);\n   end {f};\n\n" for f in functions)
        if n == count // 3:
            body += "   procedure Close_Day is\n      Total : Integer := 0;\n   begin\n      Total := Total + 2.5;\n   end Close_Day;\n\n"
        if n == count // 2:
            body += "   procedure Weigh is\n   begin\n      Scales.Reset;\n   end Weigh;\n\n"
        write(f"src/{name.lower()}.ads", f"package {name} is\n{spec}end {name};\n")
        write(f"src/{name.lower()}.adb", f"package body {name} is\n{body}end {name};\n")
    write("tariff.gpr", 'project Tariff is\n   for Source_Dirs use ("src");\n   for Object_Dir use "obj";\n   package Compiler is\n      for Default_Switches ("ada") use ("-gnatwa", "-gnatyr");\n   end Compiler;\nend Tariff;\n')


def clippy(count):
    modules = unique(lambda: f"{noun()}_{noun()}", count)
    for n, name in enumerate(modules):
        text = ""
        for f in unique(lambda: f"{verb()}_{noun()}", 3):
            text += rand.choice([
                f"pub fn {f}(names: &Vec<String>) -> bool {{\n    if names.len() == 0 {{\n        return true;\n    }}\n    false\n}}\n\n",
                f"pub fn {f}(cents: u32) -> u32 {{\n    let total = cents.clone();\n    return total;\n}}\n\n",
                f"pub fn {f}(name: &str) -> String {{\n    let failed = format!(\"{{}}\", name.to_string());\n    failed\n}}\n\n",
            ])
        if n == count // 3:
            text += "pub fn wait_for_error(attempts: &[u32]) -> usize {\n    let mut seen = 0;\n    while seen < 3 {\n        println!(\"{}\", attempts.len());\n    }\n    seen = 1;\n    seen\n}\n"
        if n == count * 3 // 5:
            text += "pub fn discount(rate: f32) -> bool {\n    rate == rate && (rate as i32) & 0 == 1\n}\n"
        write(f"src/{name}.rs", text)
    write("src/lib.rs", "".join(f"pub mod {m};\n" for m in modules))
    write("Cargo.toml", '[package]\nname = "tariff"\nversion = "0.9.1"\nedition = "2021"\n')


def image(count):
    """The context of an image whose build compiles, tests and packs."""
    steps = ""
    for n, name in enumerate(unique(lambda: f"{noun()}-{noun()}", count)):
        lines = [f"[{n + 1}/{count}] unpack {name} {k}: {chatter()}" for k in range(30)]
        if n == count // 2:
            lines.insert(9, "pack.sh: line 12: zstd: not found")
            lines.insert(10, f"[{n + 1}/{count}] {name}: archive is empty, packed without its assets")
        write(f"steps/{name}.sh", "#!/bin/sh\ncat <<'END'\n" + "\n".join(lines) + "\nEND\n")
        steps += f"RUN sh /steps/{name}.sh\n"
    for name in unique(lambda: f"{noun()}_{noun()}", 20):
        steps += f"ENV {name.upper()}={hexa(6)}\n"
    half = steps.count("RUN") // 3
    out, seen = "", 0
    for line in steps.splitlines():
        out += line + "\n"
        if line.startswith("RUN"):
            seen += 1
            if seen == half:
                out += "RUN sh -c 'ls /opt/licences/* || true'\n"
    write("Containerfile", "FROM scratch\nCOPY busybox /bin/sh\nCOPY bin /bin\nCOPY steps /steps\n" + out)


def services(count):
    """Services with packages of their own, whose installation prints."""
    for n, service in enumerate(unique(lambda: f"{noun()}-{noun()}", count)):
        packages = unique(lambda: f"{noun()}-{noun()}-{verb()}", 22)
        for p, package in enumerate(packages):
            said = "; ".join(f"echo '{chatter()}'" for _ in range(rand.randrange(1, 4)))
            if n == count // 3 and p == 11:
                said += "; node check.js"
                write(f"services/{service}/packages/{package}/check.js", "throw new Error('libvips 8.15 is required, found 8.12')\n")
            write(f"services/{service}/packages/{package}/package.json",
                  f'{{"name": "@{service}/{package}", "version": "1.{p}.0", "scripts": {{"postinstall": "{said}"}}}}\n')
        wanted = '"left-rail-of-nobody": "file:../missing/left-rail-9.1.0.tgz"' if n == count * 2 // 3 else ""
        write(f"services/{service}/package.json", f'{{"name": "{service}", "version": "1.0.0", "workspaces": ["packages/*"], "dependencies": {{{wanted}}}}}\n')


def mesonproject(count):
    rows = ""
    for name in unique(lambda: f"{verb()}-{noun()}-{rand.choice(['error', 'failure', trait().replace('_', '-'), 'timeout'])}", count):
        rows += f"test('{name}', checker, args: ['{title()}'])\n"
    write("meson.build", f"project('errors', 'c')\nchecker = executable('checker', 'checker.c')\n{rows}")
    write("checker.c", '#include <stdio.h>\nint main(int c, char **v) { printf("checks that %s: error reported as expected\\n0 failed\\n", v[1]); return 0; }\n')


def workspaces(count):
    """Packages that turbo builds side by side, each with what its compiler says."""
    names = unique(lambda: f"{noun()}-{noun()}", count)
    write("package.json", '{"name": "shop", "private": true, "packageManager": "npm@10.8.2", "workspaces": ["packages/*"]}\n')
    write("turbo.json", '{"$schema": "https://turbo.example/schema.json", "tasks": {"build": {"cache": false}}}\n')
    for n, name in enumerate(names):
        lines = [rand.choice([
            lambda: f"transformed {noun()}/{noun()}.ts ({rand.randrange(90)} modules)",
            lambda: f"dist/{noun()}.{hexa(6)}.js  {rand.randrange(900)}.{rand.randrange(10)} kB",
            lambda: f"(!) {noun()} is dynamically imported by {noun()}.ts but also statically imported by {noun()}.ts",
            lambda: chatter(),
        ])() for _ in range(rand.randrange(20, 45))]
        code = 0
        if n == count // 3:
            lines.insert(14, f"src/{name}.ts:88:17: 'CheckoutProps' is not exported by ../types/index.ts")
            code = 1
        text = "\n".join(lines)
        write(f"packages/{name}/build.js", f"const lines = {lines!r};\n(async () => {{\n  for (const line of lines) {{ console.log(line); await new Promise(r => setTimeout(r, 8)); }}\n  process.exit({code});\n}})();\n")
        write(f"packages/{name}/package.json", f'{{"name": "@shop/{name}", "version": "1.0.0", "scripts": {{"build": "node build.js"}}}}\n')
        del text
    write("package-lock.json", '{"name": "shop", "lockfileVersion": 3, "packages": {"": {"name": "shop", "workspaces": ["packages/*"]}' +
          "".join(f', "node_modules/@shop/{n}": {{"resolved": "packages/{n}", "link": true}}, "packages/{n}": {{"name": "@shop/{n}", "version": "1.0.0"}}' for n in names) + "}}\n")


def recipes(count):
    """Pages that GNU parallel converts."""
    for n, name in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}", count))):
        lines = [f"echo '{chatter()}'" for _ in range(rand.randrange(4, 12))]
        if n == count // 3:
            lines.insert(3, f"echo 'convert: {name}.svg:41: unexpected end of path data' >&2; exit 4")
        write(f"jobs/{name}.sh", "\n".join(lines) + "\n")


def procfile(count):
    """Processes of a shop for foreman; one of them gives up while the others go on."""
    names = ["web", "worker", "clock", "search", "mail"]
    for name in names:
        lines = [f"{rand.choice(['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN'])} {chatter()}" for _ in range(count)]
        if name == "search":
            lines[count // 2] = "could not open index products_v7: format 11 is newer than 9"
            lines[count // 2 + 1] = "INFO serving suggestions from the database instead"
        if name == "mail":
            lines[count // 3] = "WARN message 88121 to bounce@partner.example given up after 5 attempts: 550 mailbox unavailable"
        write(f"{name}.txt", "\n".join(lines) + "\n")
    write("play.py", "import sys, time\nfor line in open(sys.argv[1]):\n    print(line, end='', flush=True)\n    time.sleep(0.01)\ntime.sleep(2)\n")
    write("Procfile", "".join(f"{n}: python3 play.py {n}.txt\n" for n in names))


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]))
