"""operations.py KIND COUNT writes what tools of operations work on; operations.sh and logs.sh say what fails in it."""
import json
import sys

from suites import few, title, write
from words import camel, hexa, noun, rand, trait, unique, verb


def alembic(count):
    write("alembic.ini", """[alembic]
script_location = migrations
[loggers]
keys = root,alembic,engine
[handlers]
keys = console
[formatters]
keys = generic
[logger_root]
level = WARN
handlers = console
[logger_alembic]
level = INFO
handlers =
qualname = alembic
[logger_engine]
level = INFO
handlers =
qualname = sqlalchemy.engine
[handler_console]
class = StreamHandler
args = (sys.stdout,)
formatter = generic
[formatter_generic]
format = %(asctime)s %(levelname)-5.5s [%(name)s] %(message)s
""")
    write("migrations/env.py", """from logging.config import fileConfig
from alembic import context
from sqlalchemy import create_engine, pool

fileConfig(context.config.config_file_name)
url = "sqlite:///" + context.get_x_argument(as_dictionary=True)["tenant"] + ".db"
with create_engine(url, poolclass=pool.NullPool).connect() as connection:
    context.configure(connection=connection, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
""")
    before = None
    for n in range(count):
        table = f"{noun()}_{noun()}_{n}"
        steps = [f"op.create_table('{table}', sa.Column('id', sa.Integer, primary_key=True), sa.Column('{noun()}', sa.String(40)))",
                 f"op.create_index('ix_{table}', '{table}', ['id'])"]
        if n == 4:
            steps = ["op.create_table('depots', sa.Column('id', sa.Integer), sa.Column('code', sa.String(8)))",
                     "op.execute(\"INSERT INTO depots SELECT 1, 'HAM'\")"]
        if n == count // 2:
            steps = ["op.create_index('uq_depots_code', 'depots', ['code'], unique=True)"]
        revision = hexa(12)
        body = "\n".join("    " + s for s in steps)
        write(f"migrations/versions/{revision}.py", f'"""{title()}"""\nimport sqlalchemy as sa\nfrom alembic import op\n\nrevision = "{revision}"\ndown_revision = {before!r}\n\n\ndef upgrade():\n{body}\n\n\ndef downgrade():\n    pass\n')
        before = revision


def goose(count):
    for n in range(1, count + 1):
        table = f"{noun()}_{noun()}_{n}"
        sql = f"CREATE TABLE {table} (id int PRIMARY KEY, {noun()}_name text);\nINSERT INTO {table} VALUES (1, '{title()}');\n"
        if n == 7:
            sql = "CREATE TABLE invoices (id int, cents bigint);\n"
        if n == count // 2:
            sql = "ALTER TABLE invoices ADD CONSTRAINT cents_not_negative CHECK (cents >= 0);\n"
        write(f"migrations/{n:05d}_{verb()}_{noun()}.sql", f"-- +goose Up\n{sql}-- +goose Down\nSELECT 1;\n")
    write("tenants", "\n".join(unique(lambda: f"{noun()}_{noun()}", 36)) + "\n")


def puppet(count):
    text = ""
    for n, name in enumerate(unique(lambda: f"{noun()}-{noun()}", count)):
        text += f"file {{ '/srv/puppet/etc/{name}.conf': content => \"{few()} = on\\n\" }}\n"
        if n % 9 == 3:
            text += f"exec {{ 'reload {name}': command => '/bin/echo {name} reloaded, 0 errors', logoutput => true, subscribe => File['/srv/puppet/etc/{name}.conf'], refreshonly => true }}\n"
        if n % 31 == 8:
            text += f"notify {{ 'option {name} is deprecated': loglevel => warning }}\n"
        if n == count // 3:
            text += "exec { 'unlock the vault': command => '/bin/sh -c \"echo seal key 3 of 5 is expired; exit 4\"', logoutput => on_failure }\n"
            text += "file { '/srv/puppet/etc/vault.token': content => 'x', require => Exec['unlock the vault'] }\n"
            text += "file { '/srv/puppet/etc/vault.policy': content => 'x', require => File['/srv/puppet/etc/vault.token'] }\n"
        if n == count * 2 // 3:
            text += "file { '/srv/puppet/missing/relay.conf': content => 'x' }\n"
    write("site.pp", text)


def units(count):
    for n, name in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}", count))):
        text = f"[Unit]\nDescription={title()}\n"
        if n == count // 3:
            text += f"Requires={name}-missing.socket\n"
        text += "\n[Service]\nType=simple\n"
        text += rand.choice(["", "MemoryLimit=200M\n", "StandardOutput=syslog\n", f"Retries={rand.randrange(9)}\n", "KillMode=none\n", "CPUShares=200\n"])
        text += rand.choice(["", f"{camel(noun())}={noun()}\n", "PIDFile=/var/run/a.pid\n"])
        text += "Type=oneshoot\nExecStart=bin/serve\n" if n == count // 2 else "ExecStart=/bin/true\n"
        write(f"units/{name}.service", text)


def zones(count):
    text = 'options { directory "/srv/zones"; };\n'
    for n, name in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}.{rand.choice(['example', 'test', 'invalid'])}", count))):
        records = "".join(f"{host} IN A 192.0.2.{rand.randrange(250)}\n" for host in unique(noun, 4))
        if rand.randrange(14) == 0:
            records += f"mail IN MX 10 gone.{name}.\n"
        if n == count // 3:
            records += "www IN A 192.0.2.10\nwww IN CNAME shop\n"
        if n == count // 2:
            records += "api IN A 192.0.2.310\n"
        write(f"db/{name}", f"$TTL 3600\n@ IN SOA ns hostmaster 20260{rand.randrange(100, 999)}01 7200 900 1209600 300\n@ IN NS ns\nns IN A 192.0.2.1\n{records}")
        text += f'zone "{name}" {{ type master; file "db/{name}"; }};\n'
    write("named.conf", text)


def files(count):
    for name in sorted(unique(lambda: f"{noun()}/{noun()}-{rand.choice(['error', 'failed', noun()])}-{hexa(4)}.{rand.choice(['pdf', 'csv', 'log'])}", count)):
        write("source/" + name, few() * rand.randrange(1, 4) + "\n")


ROUTES = ["orders", "carts", "parcels", "labels", "depots", "returns"]


# OWN are events that only one of the logs has, of its kind of service.
OWN = {
    "structlog": lambda: rand.choice([
        ("tasks", "info", "task received", {"task": f"accounts.{rand.choice(['close', 'open', 'remind'])}_{few()}", "eta": None}),
        ("tasks", "info", "task succeeded", {"task": f"accounts.{few()}", "runtime": rand.randrange(1, 9) / 10}),
        ("tasks", "warning", "task retried", {"task": f"accounts.{few()}", "exc": "LockTimeout('ledger row is busy')", "retries": 1}),
    ]),
    "zerolog": lambda: rand.choice([
        ("disk", "info", "segment sealed", {"segment": f"{few()}-{rand.randrange(800):06d}", "bytes": 67108864}),
        ("raft", "debug", "heartbeat", {"term": 41, "peer": f"n{rand.randrange(1, 6)}", "failed_votes": 0}),
        ("raft", "warn", "heartbeat late", {"peer": f"n{rand.randrange(1, 6)}", "ms": rand.randrange(3, 9) * 50}),
    ]),
    "bunyan": lambda: rand.choice([
        ("billing", "info", "charge authorised", {"cents": rand.randrange(9) * 500, "network": rand.choice(["visa", "amex"]), "declined": False}),
        ("billing", "warn", "soft decline, asking for another card", {"reason": rand.choice(["insufficient_funds", "expired_card"]), "err_code": 51}),
        ("fraud", "debug", "score", {"score": rand.randrange(9) / 10, "rules_failed": []}),
    ]),
    "logback": lambda: rand.choice([
        ("sql", "debug", "select s.count from stock s where s.sku=? and s.depot=?", {"fetched": 1}),
        ("stock", "info", "goods counted", {"sku": f"{rand.randrange(10, 99)}-{rand.randrange(9)}", "depot": "HAM-2", "difference": 0}),
        ("labels", "warn", "label printed at the second attempt", {"printer": f"dock-{rand.randrange(9)}"}),
    ]),
    "tracing": lambda: rand.choice([
        ("router", "debug", "hop chosen", {"from": few(), "to": few(), "cost": rand.randrange(30)}),
        ("router", "info", "parcel routed", {"hops": rand.randrange(1, 5), "late": False}),
        ("gps", "warn", "position is older than a minute", {"van": rand.randrange(40)}),
    ]),
    "hclog": lambda: rand.choice([
        ("checks", "debug", "check passed", {"check": f"{few()}-http", "failures_before_critical": 3}),
        ("checks", "info", "synced service", {"service": few()}),
        ("gossip", "warn", "memberlist: refuting a suspect message", {"from": f"node-{rand.randrange(9)}"}),
    ]),
}


def event():
    """A logger, a level, a message and fields of a shop on a good day."""
    route = f"/v2/{rand.choice(ROUTES)}/{rand.randrange(30)}"
    return rand.choice([
        lambda: ("http", "info", "request served", {"route": route, "status": rand.choice([200, 200, 200, 204, 304, 404]), "ms": rand.randrange(9), "error": None}),
        lambda: ("http", "info", "request served", {"route": route, "status": 200, "ms": rand.randrange(9), "user": f"u{rand.randrange(9)}"}),
        lambda: ("jobs", "info", "job finished", {"job": rand.choice(["rebuild-", "export-", "purge-"]) + few(), "rows": rand.randrange(9), "failed": 0}),
        lambda: ("jobs", "debug", f"{few()} handed to {few()}", {"job": rand.randrange(9), "attempt": 1}),
        lambda: ("cache", "debug", "miss", {"key": f"{rand.choice(ROUTES)}:{rand.randrange(30)}", "loaded_ms": rand.randrange(5)}),
        lambda: ("db", "warn" if rand.randrange(8) == 0 else "debug", "slow query", {"table": few(), "ms": rand.randrange(3, 9) * 100, "rows": rand.randrange(50)}),
        lambda: ("mail", "info", "delivered", {"to": f"{few()}@shop.example", "queue": rand.randrange(20), "errors": 0}),
        lambda: ("pool", "warn" if rand.randrange(6) == 0 else "debug", "connection reset by peer, reconnecting", {"host": f"{few()}-{rand.randrange(9)}", "attempt": rand.randrange(1, 3)}),
    ])()


SPECIAL = {
    "structlog": {1 / 3: ("ledger", "error", "posting refused", {"journal": "J-20417", "reason": "debit 1250 and credit 1249 differ"}),
                  2 / 3: ("jobs", "critical", "scheduler stopped, no job is started any more", {"reason": "clock went back by 3601 s"})},
    "zerolog": {1 / 4: ("disk", "error", "segment not written", {"segment": "orders-000812", "cause": "no space left on device"}),
                1 / 2: ("disk", "warn", "orders are kept in memory until there is space", {"limit": 20000})},
    "bunyan": {2 / 5: ("billing", "error", "card network answered with a foreign merchant id", {"merchant": "M-7781", "expected": "M-7718"}),
               3 / 5: ("billing", "fatal", "reconciliation aborted", {"batch": "B-311", "open": 42})},
    "logback": {1 / 3: ("stock", "error", "stock of sku 88-104 is negative", {"depot": "HAM-2", "count": -3}),
                1 / 2: ("labels", "error", "label printer is out of paper since 40 minutes", {"printer": "dock-7"})},
    "tracing": {1 / 3: ("router", "error", "route table is empty, all parcels go to the default depot", {"version": 118}),
                2 / 3: ("router", "error", "gave up loading route table", {"cause": "checksum of part 3 differs"})},
    "hclog": {},
}


def events(kind, count):
    special = {int(count * at): e for at, e in SPECIAL[kind].items()}
    for n in range(count):
        if n % 12 == 0:
            request = hexa(8)
        logger, level, message, fields = special.get(n) or (OWN[kind]() if rand.randrange(5) < 3 else event())
        print(json.dumps({"logger": logger, "level": level, "message": message, "fields": fields, "request": request}))


if __name__ == "__main__":
    if sys.argv[1] in SPECIAL:
        events(sys.argv[1], int(sys.argv[2]))
    else:
        globals()[sys.argv[1]](int(sys.argv[2]))
