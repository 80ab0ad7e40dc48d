"""crates.py fails|passes CRATES writes a workspace; of the third crate two tests fail, if they should."""
import os
import sys

from words import noun, rand, trait, unique, verb

fails, crates = sys.argv[1] == "fails", int(sys.argv[2])
names = sorted(unique(lambda: f"{noun()}_{noun()}", crates))
open("Cargo.toml", "w").write("[workspace]\nresolver = \"2\"\nmembers = [" + ", ".join(f'"crates/{n}"' for n in names) + "]\n[profile.test]\ndebug = false\n")
for c, name in enumerate(names):
    os.makedirs(f"crates/{name}/src")
    open(f"crates/{name}/Cargo.toml", "w").write(f'[package]\nname = "{name}"\nversion = "0.3.{c}"\nedition = "2021"\n')
    text = "pub fn zone_of(tenants: &[u32], n: usize) -> u32 {\n    tenants[n] % 7\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n"
    for m in unique(noun, 8):
        text += f"\n    mod {m} {{\n        use super::*;\n" if m != "static" else ""
        for t in unique(lambda: rand.choice([f"{verb()}_{trait()}_{noun()}", f"{verb()}_{noun()}", f"error_of_{noun()}", f"panics_on_{trait()}"]), 26):
            if t.startswith("panics_on") and not fails:
                text += f"        #[test]\n        #[should_panic]\n        fn {t}() {{ zone_of(&[], {rand.randrange(9)}); }}\n"
            else:
                text += f"        #[test]\n        fn {t}() {{ assert_eq!(zone_of(&[8, 9], 1), 2); }}\n"
        text += "    }\n"
    if fails and c == 2:
        text += "\n    #[test]\n    fn last_tenant_has_a_zone() {\n        let tenants = [3, 4, 5];\n        assert_eq!(zone_of(&tenants, tenants.len()), 5);\n    }\n"
        text += "\n    #[test]\n    fn zones_start_at_one() {\n        let zone = zone_of(&[14, 21], 1);\n        assert!(zone > 0, \"tenant 21 has zone {zone}, zones start at 1\");\n    }\n"
    open(f"crates/{name}/src/lib.rs", "w").write(text + "}\n")
