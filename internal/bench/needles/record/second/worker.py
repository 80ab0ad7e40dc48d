"""worker.py LINES logs as a worker of a queue does; one line is unlike all others, and says nothing of failing."""
import logging
import sys

from words import noun, rand, unique

NAMES = unique(noun, 12)

logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(name)s %(message)s", level=logging.INFO)
log = logging.getLogger("worker")
lines = int(sys.argv[1])
for n in range(lines):
    if n == lines * 2 // 5:
        logging.getLogger("lease").info("leader is now node-4, this node follows and keeps 312 tasks back")
    elif n % 50 == 49:
        log.info("checkpoint %d written in %d ms", n // 50, rand.randrange(90))
    else:
        log.info("task %d done: %s.json", n, NAMES[n * 7 % 12])
