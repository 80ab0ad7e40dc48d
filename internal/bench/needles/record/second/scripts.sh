# Texts of Python, Perl, Ruby and Java.
# shellcheck shell=bash

# python_threads: a program that logs 3,600 lines; an exception ends one of its threads, and it goes on.
python_threads() { # text
	fresh importer
	cp "$here/second/threads.py" "$here/words.py" .
	python3 threads.py 3600 2>&1
}

# pip_install: nine packages from their sources, verbosely; one cannot be built. wheel is Debian's.
pip_install() { # text
	fresh wheels
	python3 "$here/second/sdists.py" 9
	python3 -m venv venv && apt-get -q download python3-wheel >/dev/null 2>&1 && dpkg -x python3-wheel*.deb wheel
	cp -r wheel/usr/lib/python3/dist-packages/* venv/lib/python3*/site-packages/
	export PIP_CONFIG_FILE=/dev/null && unset PIP_FIND_LINKS
	for sdist in sdists/*.tar.gz; do
		venv/bin/python -m pip install -v --no-index --no-build-isolation --no-cache-dir --disable-pip-version-check \
			--find-links sdists "$sdist" 2>&1 || true
	done | sed -E 's#/srv/tmp/pip-[a-z-]*-[a-z0-9_]*#/srv/tmp/pip-req#g'
}

# unittest_subtests: a suite without -v that prints; two subtests fail, then another suite passes.
unittest_subtests() { # text
	fresh rates
	python3 "$here/second/subtests.py" 70
	(python3 -m unittest discover -s first -t . || true; python3 -m unittest discover -v -s second -t .) 2>&1
}

# prove_v: 40 files of tests in Perl; one test fails, one file dies.
prove_v() { # text
	fresh perl
	python3 "$here/second/perltests.py" 40
	prove -v t 2>&1 || true
}

# ruby_minitest: 3,000 tests of Ruby, one by one, in two suites; the first has a failure and an error.
ruby_minitest() { # text
	fresh ruby
	python3 "$here/second/rubytests.py" 1000
	for file in first second; do ruby -Ilib "$file.rb" --verbose --seed 7 2>&1 || true; done
}

# javac_modules: 12 modules compiled verbosely, one after the other; one has two errors.
javac_modules() { # text
	fresh java
	python3 "$here/second/javafiles.py" 12
	for module in modules/*; do
		echo "> Task :$(basename "$module"):compileJava"
		javac -verbose -Xlint:all -d "out/$(basename "$module")" $(find "$module" -name '*.java' | sort) 2>&1 || true
	done | sed -E 's#/usr/lib/jvm/[^/]*#/usr/lib/jvm/java#g; s/, ?[0-9]+ ms//'
}
