# Logs by the libraries of several languages. Each logs what operations.py writes as one event a line.
# shellcheck shell=bash
# ShellCheck does not see that record.sh calls these functions.
# shellcheck disable=SC2317

events() { # kind, count: a directory with the events
	fresh "$1"
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/operations.py" "$1" "$2" >events.jsonl
}

# structlog: 1,000 events as key=value; a posting is refused with a traceback, the scheduler stops.
structlog_logfmt() { # text
	events structlog 1000
	cp "$here/unseen/structured.py" ledger.py
	/usr/bin/python3 ledger.py 2>&1
}

# zerolog: 900 events as JSON; a segment is not written, and what follows from it.
zerolog_json() { # text
	events zerolog 900
	cp "$here/unseen/zerolog.go.txt" main.go
	printf 'module example.com/orders\n\ngo 1.22\n' >go.mod
	go get github.com/rs/zerolog@v1.33.0 >/dev/null 2>&1 && go mod tidy >/dev/null 2>&1
	go run . 2>&1
}

# hclog: 500 events of a day without a failure.
hclog_healthy() { # text
	events hclog 500
	cp "$here/unseen/hclog.go.txt" main.go
	printf 'module example.com/agent\n\ngo 1.22\n' >go.mod
	go get github.com/hashicorp/go-hclog@v1.6.3 >/dev/null 2>&1 && go mod tidy >/dev/null 2>&1
	go run . 2>&1
}

# bunyan: 800 events as JSON with numbers for levels; an error with its stack, and an end.
bunyan_json() { # text
	events bunyan 800
	node_packages bunyan@2.0.5
	ln -s /srv/npm/node_modules node_modules
	cp "$here/unseen/bunyan.js" .
	node bunyan.js 2>&1
}

# logback: 900 events with the context of requests; one has a stack trace with a cause.
logback_context() { # text
	events logback 900
	cp "$here/unseen/Depot.java" "$here/unseen/logback.xml" .
	path=$(printf '%s:' /usr/share/java/{logback-classic,logback-core,slf4j-api,jackson-databind,jackson-core,jackson-annotations}.jar)
	javac -cp "$path" Depot.java >&2
	java -cp "$path:." Depot 2>&1
}

# tracing: 700 events in spans; a route table is empty.
tracing_spans() { # text
	events tracing 700
	mkdir -p src .cargo
	cp "$here/unseen/tracing.rs" src/main.rs
	printf '[package]\nname = "router"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\ntracing = "0.1"\ntracing-subscriber = "0.3"\nserde_json = "1"\n' >Cargo.toml
	printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n' >.cargo/config.toml
	cargo run -q --offline 2>&1
}
