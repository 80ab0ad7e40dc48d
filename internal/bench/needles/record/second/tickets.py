"""tickets.py COUNT prints a table of tickets."""
import sys

from words import noun, rand, verb

print("id,opened,status,component,severity,title,attempts,errors,failed")
for n in range(int(sys.argv[1])):
    title = f"{noun()} {verb()} the {noun()}"
    if rand.random() < 0.1:
        title = rand.choice(["error when the {} is opened", "{} failed twice", "fatal: {} not found", "login denied for {}", "panic in the {}", "timeout of the {}"]).format(noun())
    print(f"{70000 + n},2026-0{rand.randrange(1, 7)}-{rand.randrange(1, 28):02d},{rand.choice(['open', 'closed', 'failed', 'waiting', 'error'])},{noun()},"
          f"{rand.choice(['low', 'high', 'critical'])},\"{title}\",{rand.randrange(9)},{rand.randrange(4)},{rand.choice(['yes', 'no'])}")
