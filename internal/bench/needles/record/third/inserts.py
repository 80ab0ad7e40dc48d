"""inserts.py COUNT prints statements for sqlite3; one repeats a key, one names a column that is not there."""
import sys

from words import noun, rand

print("CREATE TABLE receipt (id INTEGER PRIMARY KEY, till TEXT NOT NULL, cents INTEGER CHECK (cents >= 0), note TEXT);")
for n in range(int(sys.argv[1])):
    key, column = (40 if n == 260 else n), ("notes" if n == 611 else "note")
    note = rand.choice([noun(), noun(), f"error of the {noun()}", f"{noun()} failed, paid in cash"])
    print(f"INSERT INTO receipt (id, till, cents, {column}) VALUES ({key}, '{noun()}-{rand.randrange(9)}', {rand.randrange(90000)}, '{note}');")
    if n % 100 == 99:
        print(f"UPDATE receipt SET cents = cents + {n} WHERE till = '{noun()}-3';")
print("CREATE INDEX receipt_till ON receipt (till);")
