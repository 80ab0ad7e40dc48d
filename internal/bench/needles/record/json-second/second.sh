# JSON documents that were made after the code that cuts them.
# shellcheck shell=bash

# stack_events: 140 events of a stack; a resource could not be made.
stack_events() { # text
	python3 "$here/json-second/documents.py" stack_events
}

# search_bulk: the answer to a bulk request of 600 documents, on one line; two were refused.
search_bulk() { # text
	python3 "$here/json-second/documents.py" bulk
}

# prometheus_targets: 150 targets on one line; one is down.
prometheus_targets() { # text
	python3 "$here/json-second/documents.py" targets
}

# playwright_json: suites in suites; one test fails, one is flaky.
playwright_json() { # text
	python3 "$here/json-second/documents.py" playwright
}

# sarif_scan: 300 results on one line; one is an error.
sarif_scan() { # text
	python3 "$here/json-second/documents.py" sarif
}

# graphql_orders: 200 orders on one line; two have no customer, and the errors say why.
graphql_orders() { # text
	python3 "$here/json-second/documents.py" graphql
}

# kubectl_nodes: 36 nodes; one is under disk pressure, one is silent.
kubectl_nodes() { # text
	python3 "$here/json-second/documents.py" nodes
}

# airflow_tasks: the 90 tasks of a run; one failed, one did not run.
airflow_tasks() { # text
	python3 "$here/json-second/documents.py" dag
}

# npm_lock: a package-lock.json, a map of packages; one is from another server, one has no hash, one is deprecated.
npm_lock() { # text
	node_packages jest@29 eslint@9
	fresh locked
	cp /srv/npm/package.json /srv/npm/package-lock.json .
	node -e '
		const lock = JSON.parse(require("fs").readFileSync("package-lock.json"))
		const p = lock.packages["node_modules/micromatch"]
		p.resolved = "http://mirror.example.com/micromatch/-/micromatch-4.0.8.tgz"
		delete lock.packages["node_modules/yargs"].integrity
		lock.packages["node_modules/debug"].deprecated = "this version was published by somebody else"
		process.stdout.write(JSON.stringify(lock, null, 2) + "\n")'
}

# trivy_image: 160 findings of low severity, one that is critical, and a secret.
trivy_image() { # text
	python3 "$here/json-second/documents.py" trivy
}
