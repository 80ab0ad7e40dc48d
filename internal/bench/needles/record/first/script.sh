# Texts of node, npm and python.
# shellcheck shell=bash

# node_spec: 2,600 tests, reported as node prints them on a terminal; one fails with a difference.
node_spec() { # text
	fresh web
	python3 "$here/first/nodetests.py" 36 72
	node --test --test-reporter=spec --test-concurrency=1 test/ 2>&1 || true
}

# node_tap: the same in TAP.
node_tap() { # text
	fresh web
	python3 "$here/first/nodetests.py" 20 42
	node --test --test-reporter=tap --test-concurrency=1 test/ 2>&1 || true
}

# npm_build: 260 workspaces, each with a build of several steps; one throws.
npm_build() { # text
	fresh site
	python3 "$here/first/workspaces.py" 260
	npm run build --workspaces --no-update-notifier 2>&1 | grep -v '^npm warn Unknown user config' || true
}

# python_unittest: 1,950 tests; an ERROR and a FAIL, and a second suite that passes.
python_unittest() { # text
	fresh depot
	python3 "$here/first/pythontests.py" unittest 130 15
	python3 -m unittest discover -v -s first -t . 2>&1 || true
	python3 -m unittest discover -v -s second -t . 2>&1
}

# pytest_v: 2,235 tests in its two forms; two fail, with warnings at the end. pytest is Debian's, unpacked beside.
pytest_v() { # text
	fresh pytest
	apt-get -q download python3-pytest python3-pluggy python3-iniconfig python3-packaging python3-attr >/dev/null 2>&1
	for package in *.deb; do dpkg -x "$package" /srv/pytest; done
	fresh depot
	python3 "$here/first/pythontests.py" pytest 112 15
	PYTHONPATH=$here:/srv/pytest/usr/lib/python3/dist-packages /usr/bin/python3 -m pytest -v -p no:cacheprovider first second 2>&1 || true
}
