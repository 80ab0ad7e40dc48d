"""data.py environment|random|table prints data."""
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from words import hexa, noun, rand, unique, verb  # noqa: E402


def environment():
    values = [lambda: str(rand.randrange(99999)), lambda: "/usr/lib/" + noun() + "/" + noun(), lambda: "true", lambda: noun() + "," + noun(),
              lambda: f"https://{noun()}.example.org:{rand.randrange(9999)}/{verb()}", lambda: hexa(rand.choice([8, 16])), lambda: "",
              lambda: " ".join(noun() for _ in range(rand.randrange(1, 9)))]
    names = unique(lambda: "_".join(n.upper() for n in (noun(), noun(), rand.choice(["url", "error_level", "path", "timeout", "fail_fast", "size"]))), 1400)
    subprocess.run(["/usr/bin/env", "-i", *(f"{n}={rand.choice(values)()}" for n in names)], check=True)


def random_bytes():
    sys.stdout.buffer.write(random.Random(29).randbytes(27_000))


def table():
    print("id,day,region,pieces,customer,status")
    customers = unique(noun, 6)
    for i in range(20_000):
        status = rand.choices(["ok", "shipped", "error", "failed", "open"], [86, 5, 4, 2, 3])[0]
        print(f"{i + 1},2026-{1 + i // 1700:02d}-{1 + i // 60 % 28:02d},{['north', 'south', 'east', 'west'][i // 90 % 4]},{1 + i // 30 % 7},{rand.choice(customers)},{status}")


{"environment": environment, "random": random_bytes, "table": table}[sys.argv[1]]()
