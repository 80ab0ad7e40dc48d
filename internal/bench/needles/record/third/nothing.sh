# Texts without a needle: sources, documents, listings, and logs of what goes well.
# shellcheck shell=bash

# chat_transcript: made by a program: people talk about what failed.
chat_transcript() { # text
	python3 "$here/third/healthy.py" chat 640
}

# git_oneline: the log of a repository of 1,000 commits, which mend panics and errors.
git_oneline() { # text
	fresh vault
	git init -q -b main .
	python3 "$here/third/commits.py" 1000 log | git fast-import --quiet
	git log --oneline
}

# changelogs: Debian's, of some packages of this machine.
changelogs() { # text
	for package in bash coreutils tar gzip curl; do
		zcat "/usr/share/doc/$package/changelog.Debian.gz" | iconv -c -f UTF-8 -t ASCII//TRANSLIT | sed -n 1,360p
	done
}

# python_source: modules of Python's library, with what they raise and catch.
python_source() { # text
	cd "$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
	sed -n 1,900p asyncio/base_events.py
	sed -n 300,700p ssl.py
}

# sql_source: made by a program: functions in PL/pgSQL, with what they raise.
sql_source() { # text
	python3 "$here/third/healthy.py" sql 150
}

# manifests: made by a program: YAML for a cluster.
manifests() { # text
	python3 "$here/third/healthy.py" manifests 40
}

# notebook: made by a program: the JSON of a Jupyter notebook.
notebook() { # text
	python3 "$here/third/healthy.py" notebook 90
}

# word_list: every 13th word of a dictionary.
word_list() { # text
	LC_ALL=C grep -x '[a-z]*' /usr/share/dict/american-english | awk 'NR % 13 == 0'
}

# access_pass: 700 requests of Python's http.server that all get their page.
access_pass() { # text
	fresh pages
	python3 "$here/third/healthy.py" pages 120
	python3 -m http.server -b 127.0.0.1 18489 >/dev/null 2>log &
	server=$!
	sleep 1
	python3 "$here/third/healthy.py" fetch 700
	kill $server && wait $server || true
	cat log
}

# nightly_pass: made by a program: a night's jobs, which say errors: none, failed=0 and recovered.
nightly_pass() { # text
	python3 "$here/third/healthy.py" nightly 800
}
