"""plan.py COUNT VERSION prints terraform's resources; every one is of that version, one has another trigger for each."""
import sys

from words import noun, unique

count, version = int(sys.argv[1]), sys.argv[2]
for n, name in enumerate(unique(lambda: f"{noun()}_{noun()}", count)):
    print(f"""resource "terraform_data" "{name}" {{
  input            = {{ image = "registry.example.com/{name.replace('_', '/')}:1.{n}.{version}", errors = "0", on_failure = "retry" }}
  triggers_replace = ["zone-{version if n == 77 else 'a'}"]
}}
""")
