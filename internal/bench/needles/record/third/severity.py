"""severity.py LINES logs a morning's orders as JSON that a cloud reads; the ledger of one is not balanced."""
import json
import logging
import sys

from words import hexa, noun, rand, verb


class Formatter(logging.Formatter):
    def format(self, record):
        entry = {"severity": record.levelname, "message": record.getMessage(), "logging.googleapis.com/trace": hexa(16),
                 "labels": {"service": "orders", "revision": "orders-00041"}, **getattr(record, "fields", {})}
        if record.exc_info:
            entry["stack_trace"] = self.formatException(record.exc_info)
        return json.dumps(entry)


handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(Formatter())
logging.basicConfig(handlers=[handler], level=logging.DEBUG)
log = logging.getLogger()


def close(ledger):
    assert sum(ledger) == 0, f"ledger 2026-03-02 is not balanced: {sum(ledger)} cents left"


lines = int(sys.argv[1])
for n in range(lines):
    fields = {"order": 50000 + n, "errors": 0, "retry": rand.random() < 0.1}
    if n == lines // 3:
        try:
            close([1250, -1150])
        except AssertionError:
            log.critical("day not closed, orders are held back", exc_info=True, extra={"fields": fields})
    elif rand.random() < 0.05:
        log.warning("slow answer of %s: %d ms", noun(), rand.randrange(800, 2000), extra={"fields": fields})
    else:
        getattr(log, rand.choice(["info", "info", "debug"]))(rand.choice([f"{noun()} {verb()} {noun()}", "order stored", "payment authorized, error code 0"]), extra={"fields": fields})
