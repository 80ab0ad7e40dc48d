"""threads.py LINES imports files in threads; the exception of one is printed by the interpreter."""
import logging
import sys
import threading
import time

from words import noun, rand

logging.basicConfig(stream=sys.stderr, format="%(threadName)s %(levelname)-5s %(message)s", level=logging.DEBUG)
total = int(sys.argv[1])


def parse(row):
    name, amount = row.split(";")
    return name, int(amount)


def load(rows):
    return dict(parse(row) for row in rows)


for batch in range(total // 10):
    rows = [f"{noun()};{rand.randrange(900)}" for _ in range(9)]
    if batch == total // 30:
        rows[4] = "voucher;12,50"
    logging.info("batch %d of %s.csv", batch, noun())
    for n, row in enumerate(rows[:8]):
        logging.debug("row %d: %s", n, row if batch != total // 30 else "...")
    thread = threading.Thread(target=load, args=(rows,), name=f"loader-{batch % 7}")
    thread.start()
    thread.join()
print(f"{total // 10} batches", flush=True)
