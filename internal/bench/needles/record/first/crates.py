"""crates.py COUNT writes a workspace of crates; the types of one do not match."""
import os
import sys

from words import noun, rand, unique, verb

count = int(sys.argv[1])
crates = unique(lambda: noun() + "_" + rand.choice(["core", "client", "macros", "types", "store"]), count)
open("Cargo.toml", "w").write('[workspace]\nresolver = "2"\nmembers = ["crates/*"]\n\n[profile.dev]\ndebug = 0\n')
for i, crate in enumerate(crates):
    os.makedirs(f"crates/{crate}/src")
    needs = [c for c in rand.sample(crates[:i], min(i, rand.randrange(3))) if c != crates[count * 3 // 5]]
    open(f"crates/{crate}/Cargo.toml", "w").write(
        f'[package]\nname = "{crate}"\nversion = "0.{i % 9}.{i % 4}"\nedition = "2021"\n\n[dependencies]\n'
        + "".join(f'{n} = {{ path = "../{n}" }}\n' for n in needs))
    text = ""
    for function in unique(lambda: verb() + "_" + noun(), 5):
        text += f"pub fn {function}(n: u32) -> u32 {{\n    n + {rand.randrange(90)}\n}}\n\n"
        if rand.random() < 0.05:
            text += rand.choice([f"fn unused_{noun()}() {{}}\n\n", f"pub fn old_{noun()}(n: u32) -> u32 {{\n    let spare = n;\n    n\n}}\n\n"])
    if i == count * 3 // 5:
        text += 'pub fn remaining(limit: u64, used: Option<u64>) -> u64 {\n    limit - used\n}\n'
    open(f"crates/{crate}/src/lib.rs", "w").write(text)
