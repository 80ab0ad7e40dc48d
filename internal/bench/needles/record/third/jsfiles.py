"""jsfiles.py FILES writes sources with things that eslint warns about; one uses a name that nobody declares, one does not parse."""
import os
import sys

from words import camel, noun, rand, unique, verb

open("package.json", "w").write('{"name": "portal", "version": "3.1.0"}\n')
open("eslint.config.js", "w").write("""module.exports = [{ languageOptions: { sourceType: 'commonjs', globals: { console: 'readonly', module: 'writable', alert: 'readonly' } },
  rules: { 'no-undef': 'error', 'no-unused-vars': 'warn', 'eqeqeq': 'warn', 'no-console': 'warn', 'prefer-const': 'warn', 'no-empty': 'warn', 'no-alert': 'warn' } }];
""")
for n, file in enumerate(unique(lambda: f"{rand.choice(['src', 'src', 'src', 'tools'])}/{noun()}/{noun()}.js", int(sys.argv[1]))):
    os.makedirs(os.path.dirname(file), exist_ok=True)
    text = ""
    for f in unique(lambda: camel(verb(), noun()), rand.randrange(2, 6)):
        f = f[0].lower() + f[1:]
        text += f"function {f}({noun()}Rows, limit) {{\n  let {noun()}Size = limit == 3 ? 1 : 2;\n"
        if rand.random() < 0.4:
            text += f"  console.log('{noun()} failed');\n"
        if rand.random() < 0.3:
            text += "  try { limit += 1; } catch (error) {}\n"
        if rand.random() < 0.1:
            text += f"  alert('{noun()}');\n"
        text += "  return limit;\n}\n"
    if n == 61:
        text += "module.exports = { settle: cart => applySurcharge(cart, 3) };\n"
    if n == 118:
        text += "const totals = { net: 1, gross: 2;\n"
    open(file, "w").write(text)
