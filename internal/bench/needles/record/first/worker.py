"""A worker that logs its jobs on a clock of its own."""
import logging
import time

from words import hexa, noun, rand

now = 1773479521.0


class Formatter(logging.Formatter):
    def formatTime(self, record, datefmt=None):
        return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now)) + ",%03d" % (now * 1000 % 1000)


handler = logging.StreamHandler()
handler.setFormatter(Formatter("%(asctime)s %(levelname)-8s [%(name)s] %(message)s"))
logging.basicConfig(level=logging.INFO, handlers=[handler])
jobs = logging.getLogger("worker.jobs")
database = logging.getLogger("worker.db")


def amount_of(row):
    return int(row["amount"])


def settle(rows):
    return sum(amount_of(row) for row in rows)


for i in range(1250):
    now += rand.random() * 2
    number, queue = 40000 + i, rand.choice(["mail", "export", "settle", "thumbnail"])
    jobs.info("job %d started queue=%s attempt=%d", number, queue, 1)
    if i % 4 == 0:
        database.info("select from %ss where shard = %d: %d rows in %.1f ms", noun(), i % 16, rand.randrange(500), rand.random() * 40)
    if rand.random() < 0.01:
        jobs.warning("job %d waits for a lock held by job %d", number, number - 3)
    if i == 783:
        try:
            settle([{"amount": "120"}, {"amount": "12,50"}])
        except ValueError:
            jobs.exception("job %d gave up", number)
        continue
    jobs.info("job %d done in %d ms checksum=%s", number, rand.randrange(4, 900), hexa(4))
