# Texts of cargo and tsc.
# shellcheck shell=bash

# cargo_build: a workspace of 150 crates, with warnings; one does not compile.
cargo_build() { # text
	fresh crates
	python3 "$here/first/crates.py" 150
	cargo build -v --offline --keep-going -j 4 2>&1 || true
}

# tsc_build: 16 projects with references, and an error in one of them.
tsc_build() { # text
	fresh typescript
	npm install --silent --no-audit --no-fund typescript@5 >/dev/null 2>&1
	compiler=/srv/typescript/node_modules/typescript/lib/tsc.js
	fresh client
	python3 "$here/first/tsprojects.py" 16
	node "$compiler" --build --verbose --traceResolution --pretty false 2>&1 || true
}
