"""tree.py ROOT COUNT writes that many small files into nested directories."""
import os
import sys

from words import noun, rand, trait, unique

root, count = sys.argv[1], int(sys.argv[2])
endings = ["html", "css", "js", "png", "json", "svg", "md", "woff2", "jpg"]
directories = unique(lambda: "/".join([root, *(noun() for _ in range(rand.randrange(1, 4)))]), count // 22)
for file in unique(lambda: f"{rand.choice(directories)}/{rand.choice([noun(), noun() + '-' + trait().replace('_', '-')])}.{rand.choice(endings)}", count):
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        open(file, "w").write("x")
    except OSError as err:
        print(err, file=sys.stderr)
