"""stamp.py copies its input, with the job's id and a time in front of each line."""
import datetime
import sys

from words import hexa, rand

now = datetime.datetime(2026, 3, 14, 9, 12, 1)
for number, line in enumerate(sys.stdin):
    if number % 400 == 0:
        job = hexa(12)
    now += datetime.timedelta(microseconds=rand.choice([40, 200, 900, 7000, 90000]))
    print(f"{job} {now:%Y-%m-%dT%H:%M:%S.%f}Z {line}", end="")
