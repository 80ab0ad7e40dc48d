"""history.py COMMITS makes a repository with a history, through git fast-import."""
import subprocess
import sys

from words import noun, rand, trait, unique, verb

PEOPLE = [("Ada Brandt", "ada@example.com"), ("Jonas Weil", "jonas@example.com"), ("Mei Tan", "mei@example.org"), ("Luis Ortega", "luis@example.net")]
SUBJECTS = ["fix the error that {n} {v} twice", "{n}: {v} {m} {t}", "do not fail when the {n} is gone", "{n}: panic no more without a {m}",
            "docs: say what {n} {v}", "test that {n} {v} the {m}", "rename {n} to {m}", "Revert \"{n}: {v} {m}\""]
files = unique(lambda: f"{rand.choice(['src', 'src/store', 'src/http', 'docs', 'test'])}/{noun()}_{noun()}.{rand.choice(['go', 'md', 'c', 'py'])}", 240)
held = {}
stream, when = [], 1700000000
for commit in range(int(sys.argv[1])):
    who, when = rand.choice(PEOPLE), when + rand.randrange(200, 40000)
    words = dict(n=noun(), m=noun(), v=verb(), t=trait().replace("_", " "))
    subject = rand.choice(SUBJECTS).format(**words)
    if rand.random() < 0.4:
        subject += f"\n\nUntil now the {noun()} {verb()} {noun()}s, and an error of the {noun()} was lost.\nNow it is returned, and {words['n']} {verb()} it.\n"
    stream.append(f"commit refs/heads/main\nauthor {who[0]} <{who[1]}> {when} +0000\ncommitter {who[0]} <{who[1]}> {when} +0000\n"
                  f"data {len(subject.encode())}\n{subject}\n")
    for file in rand.sample(files, rand.randrange(1, 7)):
        lines = held.setdefault(file, [])
        for _ in range(rand.randrange(1, 30)):
            lines.insert(rand.randrange(len(lines) + 1), f"{noun()} {verb()} {noun()} {rand.randrange(999)}")
        if len(lines) > 80:
            del lines[10:10 + rand.randrange(40)]
        text = "\n".join(lines) + "\n"
        stream.append(f"M 100644 inline {file}\ndata {len(text.encode())}\n{text}\n")
subprocess.run(["git", "init", "-q", "-b", "main", "repository"], check=True)
subprocess.run(["git", "-C", "repository", "fast-import", "--quiet"], input="".join(stream).encode(), check=True)
