"""migrations.py COUNT writes migrations, one of which has a column twice; migrations.py rows prints tables with rows."""
import os
import sys

from words import noun, rand, trait, unique, verb

TYPES = ["text not null default ''", "bigint", "timestamptz default now()", "jsonb", "boolean not null default false", "numeric(12,2)"]


def rows():
    words = ["error", "failed", "no error", "panic button", "fatal: see above", "denied", "ok"]
    for table in unique(noun, 6):
        print(f"create table {table}s (id int primary key, name text, note text, errors int, failed boolean, at timestamp);")
        for n in range(260):
            note = rand.choice(words) if rand.random() < 0.2 else f"{noun()} {verb()} the {noun()}"
            print(f"insert into {table}s values ({n}, '{noun()} {noun()}', '{note}', {rand.randrange(4)}, {rand.choice(['true', 'false'])}, "
                  f"'2026-02-{rand.randrange(1, 28):02d} {rand.randrange(24):02d}:{rand.randrange(60):02d}');")
        print(f"create index on {table}s (name);")


def migrations(count):
    os.makedirs("migrations")
    tables = {}
    for n in range(count):
        table = rand.choice(list(tables)) if tables and rand.random() < 0.6 else noun() + "_" + noun()
        statements = []
        if table not in tables:
            tables[table] = unique(lambda: noun() + "_" + noun(), 4)
            columns = "".join(f",\n    {c} {rand.choice(TYPES)}" for c in tables[table])
            statements.append(f"CREATE TABLE {table} (\n    id bigserial PRIMARY KEY{columns}\n);")
        else:
            column = next(c for c in iter(lambda: noun() + "_" + trait(), "") if c not in tables[table])
            tables[table].append(column)
            statements.append(f"ALTER TABLE {table} ADD COLUMN {column} {rand.choice(TYPES)};")
            if rand.random() < 0.4:
                statements.append(f"CREATE INDEX ON {table} ({column});")
        if rand.random() < 0.3:
            statements.append(f"COMMENT ON TABLE {table} IS 'the {noun()} {verb()} it';")
        if rand.random() < 0.3:
            statements.append(f"INSERT INTO {table} DEFAULT VALUES;\nUPDATE {table} SET {tables[table][-1]} = DEFAULT;")
        if n == 121:
            statements.append(f"ALTER TABLE {table} ALTER COLUMN settled_at TYPE timestamptz USING settled_at AT TIME ZONE 'UTC';")
        text = "BEGIN;\n\n" + "\n".join(statements) + "\n\nCOMMIT;\n" if n % 4 == 0 else "\n".join(statements) + "\n"
        open(f"migrations/{n + 1:04d}_{table}.sql", "w").write(text)


rows() if sys.argv[1] == "rows" else migrations(int(sys.argv[1]))
