"""healthy.py LINES logs what a healthy server logs, in words that are alarming elsewhere."""
import sys
from datetime import datetime, timedelta

from words import noun, rand, verb

now = datetime(2026, 6, 1, 8, 0)
FORMS = [
    "http: GET /api/{n}/{k} status=200 bytes={k} error_rate=0", "sync: {k} {n}s checked, 0 failed, 0 skipped", "queue: {n} drained, retries: 0, dead letters: 0",
    "scan: {k} files, no errors found", "backup: {n} verified, errors=0 warnings=0", "db: pool ok, {k} connections, timeouts=0, refused=0",
    "http: POST /api/errors/{k} status=201 bytes={k} error_rate=0", "breaker: {n} closed, failure ratio 0.00", "health: {n} passes, last failure: never",
    "mail: {k} sent, 0 rejected, bounce_errors=0", "exception handler registered for {n}", "fallback: not needed for {n}, panic_on_error=false",
]
for _ in range(int(sys.argv[1])):
    now += timedelta(milliseconds=rand.randrange(3000))
    print(f"{now:%Y/%m/%d %H:%M:%S} INFO {rand.choice(FORMS).format(n=noun(), v=verb(), k=rand.randrange(9000))}")
