"""archive.py ROOT COUNT writes files of many sizes and dates into nested directories."""
import os
import sys

from words import noun, rand, trait, unique

root, count = sys.argv[1], int(sys.argv[2])
alarming = ["error", "failed", "failure-report", "exceptions", "panic", "denied", "warning", "fatal"]
endings = ["txt", "pdf", "csv", "log", "jpg", "ods", "py", "tar.gz", "yaml"]


def name():
    first = rand.choice(alarming) if rand.random() < 0.03 else noun()
    return first + rand.choice(["", "-" + trait().replace("_", "-"), f"-{rand.randrange(2019, 2027)}", f"_{rand.randrange(100)}"])


directories = unique(lambda: "/".join([root, *(noun() for _ in range(rand.randrange(1, 5)))]), count // 16)
for file in unique(lambda: f"{rand.choice(directories)}/{name()}.{rand.choice(endings)}", count):
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w") as f:
        f.write(" ".join(noun() for _ in range(rand.randrange(1, 60))))
