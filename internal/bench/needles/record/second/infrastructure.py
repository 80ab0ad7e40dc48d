"""infrastructure.py COUNT writes a configuration of terraform whose resources need nothing but terraform."""
import sys

from words import noun, rand, unique

count = int(sys.argv[1])
kinds = ["subnet", "bucket", "record", "role", "queue", "disk"]
names = unique(lambda: f"{noun()}_{rand.choice(kinds)}", count)
text = ""
for i, name in enumerate(names):
    depends = f"  depends_on = [terraform_data.{names[i - 1]}]\n" if i % 9 else ""
    command = f"echo '{name}: {rand.choice(['created', 'tagged', 'waiting for dns', '0 errors', 'attached'])}'"
    if i == 83:
        command += "; echo 'quota of eu-central-1 is 64 addresses, 64 are in use' >&2; exit 3"
    text += f'resource "terraform_data" "{name}" {{\n  input = {{ name = "{name.replace("_", "-")}", size = {rand.randrange(400)} }}\n{depends}' \
            f'  provisioner "local-exec" {{\n    command = "{command}"\n  }}\n}}\n\n'
open("main.tf", "w").write(text)
