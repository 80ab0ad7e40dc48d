# Texts of programs in JavaScript: mocha, vitest, pino, and sources that nothing is wrong with.
# shellcheck shell=bash

# mocha_workspaces: 30 packages' tests one after the other; in two packages one fails.
mocha_workspaces() { # text
	node_packages mocha@10
	fresh portal
	python3 "$here/second/mochatests.py" fails 30
	for package in packages/*; do
		echo "> $(basename "$package")@1.0.0 test" && echo "> mocha --recursive" && echo
		(cd "$package" && node /srv/npm/node_modules/mocha/bin/mocha.js --no-color --recursive test 2>&1) || true
	done
}

# mocha_pass: nothing fails, whatever the tests are called and print.
mocha_pass() { # text
	node_packages mocha@10
	fresh portal
	python3 "$here/second/mochatests.py" passes 14
	for package in packages/*; do
		echo "> $(basename "$package")@1.0.0 test" && echo "> mocha --recursive" && echo
		(cd "$package" && node /srv/npm/node_modules/mocha/bin/mocha.js --no-color --recursive test 2>&1)
	done
}

# pino_json: a server's log, by pino; one line has an err.
pino_json() { # text
	node_packages pino@9
	fresh orders
	NODE_PATH=/srv/npm/node_modules node "$here/second/pino.js" 2>&1 | sed "s#$here/second#/srv/orders#g"
}

# minified_js: two libraries as they are delivered, cut into lines of 200 characters.
minified_js() { # text
	node_packages react-dom@18 d3@7
	cd /srv/npm/node_modules
	cat react-dom/umd/react-dom.production.min.js d3/dist/d3.min.js | fold -w 200 | sed -n 1,450p
}
