# Migrations, configuration, servers and pipelines.
# shellcheck shell=bash
# ShellCheck does not see that record.sh calls these functions.
# shellcheck disable=SC2317

operation() { # kind, count: what a tool works on, in an empty directory of that name
	fresh "$1"
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/operations.py" "$1" "$2"
}

# alembic: 6 tenants of 24 revisions with the statements; one tenant's rows are not unique.
alembic_tenants() { # text
	operation alembic 24
	for tenant in harbour lakeside orchard quarry mill station; do
		echo "migrating $tenant"
		if [ $tenant = orchard ]; then
			alembic -x tenant=$tenant upgrade +8 >/dev/null 2>&1
			sqlite3 $tenant.db "INSERT INTO depots VALUES (2, 'HAM')" || python3 -c "import sqlite3; c = sqlite3.connect('$tenant.db'); c.execute(\"INSERT INTO depots VALUES (2, 'HAM')\"); c.commit()"
		fi
		alembic -x tenant=$tenant upgrade head 2>&1 || true
	done
}

# goose: 36 tenants of 40 migrations in schemas; one has a row that a check refuses.
goose_tenants() { # text
	operation goose 40
	CGO_ENABLED=0 GOBIN=/srv/bin go install github.com/pressly/goose/v3/cmd/goose@v3.30.1 >&2
	bin=/usr/lib/postgresql/15/bin
	mkdir data && chown 65534:65534 . data
	setpriv --reuid=65534 --regid=65534 --clear-groups $bin/initdb -D /srv/goose/data -A trust -U app --no-sync >/dev/null 2>&1
	setpriv --reuid=65534 --regid=65534 --clear-groups $bin/postgres -D /srv/goose/data -k /srv/goose -c listen_addresses= -c fsync=off >log 2>&1 &
	server=$!
	export PGHOST=/srv/goose PGUSER=app PGDATABASE=postgres
	until psql -qc 'select 1' >/dev/null 2>&1; do sleep 0.2; done
	sick=$(sed -n 14p tenants)
	while read -r tenant; do
		echo "== tenant $tenant"
		psql -qc "create schema $tenant"
		url="host=/srv/goose user=app dbname=postgres search_path=$tenant"
		if [ "$tenant" = "$sick" ]; then
			/srv/bin/goose -dir migrations postgres "$url" up-to 9 2>&1
			psql -qc "insert into $tenant.invoices values (31, -450)"
		fi
		/srv/bin/goose -dir migrations postgres "$url" up 2>&1 || true
	done <tenants
	kill -INT $server && wait $server || true
}

# puppet: 420 files and some commands; a command fails with two files that need it, a directory is missing.
puppet_apply() { # text
	operation puppet 420
	mkdir etc
	HOME=/srv/tmp puppet apply --verbose --color=false --confdir /srv/puppet/conf --vardir /srv/puppet/var site.pp 2>&1 || true
}

# systemd-analyze: 420 units with old and unknown keys; one needs a socket that is not there, one cannot be started.
systemd_verify() { # text
	operation units 420
	systemd-analyze verify --man=no units/*.service 2>&1 || true
}

# named-checkconf: 1,000 zones; two are not loaded.
named_checkconf() { # text
	operation zones 1000
	named-checkconf -z named.conf 2>&1 || true
}

# rclone: 480 files, with debug lines; one may not be read, one is in the way of a directory.
rclone_copy() { # text
	operation files 480
	first=$(find source -name '*.pdf' | sort | sed -n 50p)
	second=$(find source -name '*.csv' | sort | sed -n 90p)
	chmod 0 "$first"
	mkdir -p "target/${second#source/}/old" && touch "target/${second#source/}/old/part"
	chown -R 65534:65534 target
	HOME=/srv/tmp XDG_CONFIG_HOME=/srv/tmp/rclone XDG_CACHE_HOME=/srv/tmp/rclone setpriv --reuid=65534 --regid=65534 --clear-groups \
		rclone copy -vv --config /srv/files/none.conf --retries 1 --stats 2s source target 2>&1 || true
}

# nats: the server's debug and trace lines of 52 clients; one has a wrong password, one sends what is not the protocol.
nats_trace() { # text
	fresh nats
	CGO_ENABLED=0 GOBIN=/srv/bin go install github.com/nats-io/nats-server/v2@v2.15.3 >&2
	/srv/bin/nats-server -DV -a 127.0.0.1 -p 14222 --user app --pass s3cret -l log &
	server=$!
	sleep 1.5
	python3 "$here/unseen/nats.py" 52
	kill $server && wait $server || true
	cat log
}

# act: a workflow with five jobs on the host; a step fails in one, and in another one that may fail.
act_workflow() { # text
	fresh act
	CGO_ENABLED=0 GOBIN=/srv/bin go install github.com/nektos/act@v0.2.89 >&2
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/pipelines.py" act
	git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b.example commit -qm all
	git remote add origin https://git.example/shop/harbour.git
	HOME=/srv/tmp XDG_CACHE_HOME=/srv/tmp/act /srv/bin/act push -P ubuntu-latest=-self-hosted 2>&1 || true
}

# gitlab: the logs of a pipeline's jobs as GitLab's runner prints them; two fail, one of which may.
gitlab_runner() { # text
	fresh pipeline
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/pipelines.py" gitlab
}

# jenkins: a pipeline's console as Jenkins prints it, of programs that run; examples of a module's texts fail.
jenkins_console() { # text
	fresh jenkins
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/pipelines.py" jenkins
}

# github: a job's raw log as GitHub stores it, of prettier and stylelint; a file does not parse, a colour is none.
github_log() { # text
	fresh github
	node_packages prettier@3.6.2 stylelint@16.23.0
	ln -s /srv/npm/node_modules node_modules
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/pipelines.py" github
}
