# Texts of PostgreSQL.
# shellcheck shell=bash

# with_postgres runs a command against a server that logs into /srv/pg/log; only what the command prints is kept.
with_postgres() {
	bin=/usr/lib/postgresql/15/bin
	fresh pg
	chown 65534:65534 . && cp "$here"/second/*.py "$here"/words.py .
	setpriv --reuid=65534 --regid=65534 --clear-groups $bin/initdb -D /srv/pg/data -A trust -U app --no-sync >/dev/null 2>&1
	setpriv --reuid=65534 --regid=65534 --clear-groups $bin/postgres -D /srv/pg/data -k /srv/pg -c listen_addresses= \
		-c fsync=off -c log_statement=mod -c log_duration=on -c deadlock_timeout=200ms -c log_checkpoints=on \
		-c log_line_prefix='%m [%p] %u@%d ' -c log_timezone=UTC >log 2>&1 &
	server=$!
	export PGHOST=/srv/pg PGUSER=app PGDATABASE=app HOME=/srv/pg
	for _ in $(seq 100); do psql -d postgres -qc 'create database app' >/dev/null 2>&1 && break || sleep 0.2; done
	"$@"
	kill -INT $server && wait $server || true
}

# postgres_log: what the server logs of 2,400 statements of two clients; they deadlock once, and one session is ended.
postgres_log() { # text
	with_postgres deadlock >/dev/null 2>&1
	cat /srv/pg/log
}

deadlock() {
	psql -qc 'create table accounts (id int primary key, cents bigint); insert into accounts select n, 0 from generate_series(1, 50) n'
	python3 -c 'from words import rand
for n in range(600): print(f"update accounts set cents = cents + {rand.randrange(9999)} where id = {rand.randrange(1, 50)};")' >updates.sql
	psql -qf updates.sql
	(echo 'begin; update accounts set cents = 1 where id = 7; select pg_sleep(0.4); update accounts set cents = 2 where id = 8; commit;' | psql -q) &
	other=$!
	(echo 'begin; update accounts set cents = 3 where id = 8; select pg_sleep(0.4); update accounts set cents = 4 where id = 7; commit;' | psql -q) || true
	wait $other || true
	psql -qf updates.sql
	psql -d reporting -c 'select 1' || true
	psql -qf updates.sql && psql -qf updates.sql
}

# psql_migrations: 340 migrations, each statement of which is echoed; one statement fails.
psql_migrations() { # text
	with_postgres migrate
}

migrate() {
	python3 migrations.py 340
	for file in migrations/*.sql; do
		echo "-- applying $file"
		psql -a -f "$file" 2>&1 || true
	done
}

# pg_dump_sql: a database as SQL.
pg_dump_sql() { # text
	with_postgres dump
}

dump() {
	python3 migrations.py rows | psql -q
	pg_dump | sed '/^.restrict/d; /^.unrestrict/d'
}
