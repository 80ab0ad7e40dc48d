# Texts of many programs, recorded when this part was called unseen.
# shellcheck shell=bash
# ShellCheck does not see that record.sh calls these functions.
# shellcheck disable=SC2317

# The names of the projects come from it, and the marks of the corpus have them.
# shellcheck disable=SC2034
seed=unseen

project() { # kind, count: the files of a project, in an empty directory of that name
	fresh "$1"
	python3 "$here/fourth/projects.py" "$1" "$2"
}

# start_mariadb runs an empty server below /srv/mariadb, with the socket s there.
start_mariadb() {
	fresh mariadb
	chown mysql .
	mariadb-install-db --no-defaults --user=mysql --datadir=/srv/mariadb/data --tmpdir=/srv/mariadb >/dev/null 2>&1
	TMPDIR=/srv/mariadb mariadbd --no-defaults --user=mysql --datadir=/srv/mariadb/data --socket=/srv/mariadb/s --skip-networking >/dev/null 2>&1 &
	server=$!
	until mariadb-admin --socket=/srv/mariadb/s ping >/dev/null 2>&1; do sleep 0.2; done
}

stop_mariadb() {
	mariadb-admin --socket=/srv/mariadb/s shutdown >/dev/null 2>&1
	wait $server || true
}

# phpunit: 220 classes of tests with --testdox; one assertion fails, one test ends in an error.
phpunit_testdox() { # text
	project phpunit 220
	phpunit --testdox --colors=never tests 2>&1 || true
}

# rspec: 70 files with the documentation format; one example fails.
rspec_documentation() { # text
	project rspec 70
	rspec --format documentation --no-color --order defined 2>&1 || true
}

# pdflatex: a book with overfull boxes; one macro does not exist, one table has a column too many.
pdflatex_book() { # text
	project latex 220
	pdflatex -interaction=nonstopmode book.tex 2>&1 || true
}

# bats: 80 files; one test fails.
bats_tap() { # text
	project bats 80
	bats --formatter tap test 2>&1 || true
}

# pylint: 60 modules with conventions and warnings; a name and an attribute do not exist.
pylint_package() { # text
	project pylint 60
	pylint shop 2>&1 || true
}

# cppcheck: 260 files with notes of style; memory is used after it was freed, an array is read behind its end.
cppcheck_all() { # text
	project cppcheck 260
	cppcheck --enable=all --suppress=missingIncludeSystem src 2>&1 || true
}

# ant: 130 classes of JUnit 4 with the plain formatter; one assertion fails, one test ends in an exception.
ant_junit() { # text
	project ant 130
	ant 2>&1 || true
}

# runtest: 130 files of DejaGnu with all results; one fails, one is unresolved.
runtest_all() { # text
	project dejagnu 130
	runtest --tool ld --srcdir testsuite --all 2>&1 || true
}

# fpc: 260 units one after the other, with notes and hints; one does not compile.
fpc_units() { # text
	project pascal 260
	while read -r unit; do fpc -vnh "$unit.pas" 2>&1 || true; done <names
}

# xmllint: 2,400 documents against a DTD; one has an element too many, one is not well-formed.
xmllint_valid() { # text
	project xmllint 2400
	for file in orders/*.xml; do
		xmllint --noout --dtdvalid order.dtd "$file" 2>&1 && echo "$file: ok" || true
	done
}

# make check: automake's harness with 2,600 scripts; one fails.
automake_check() { # text
	project automake 2600
	{ autoreconf -i && ./configure && make check; } 2>&1 || true
}

# tcltest: 100 files with passed tests named; one fails.
tcltest_all() { # text
	project tcltest 100
	tclsh tests/all.tcl 2>&1 || true
}

# busted: 90 files as TAP; one assertion fails, one test ends in an error.
busted_tap() { # text
	project busted 90
	busted --output=TAP 2>&1 || true
}

# vitest: 90 files, verbose; one comparison fails.
vitest_verbose() { # text
	project vitest 90
	node_packages vitest@3.2.4
	ln -s /srv/npm/node_modules node_modules
	NO_COLOR=1 npx vitest run --reporter=verbose 2>&1 || true
}

# compileall: 1,500 modules; one does not parse.
python_compileall() { # text
	project compileall 1500
	python3 -m compileall pkg 2>&1 || true
}

# ocamlopt: 140 modules with warnings; one does not type.
ocamlopt_warnings() { # text
	project ocaml 140
	while read -r module; do
		echo "ocamlopt -w +a-70 -c $module.ml"
		ocamlopt -w +a-70 -c "$module.ml" 2>&1 || true
	done <names
}

# mariadb: a dump of 160 tables, statements and results named, that goes on after errors; a key is there twice, a column
# does not exist.
mariadb_import() { # text
	start_mariadb
	python3 "$here/fourth/projects.py" sql 160 >dump.sql
	mariadb --socket=/srv/mariadb/s -e 'CREATE DATABASE shop' >/dev/null
	mariadb --socket=/srv/mariadb/s --force -vv shop <dump.sql 2>&1 || true
	stop_mariadb
}

# redis: a server's log at level verbose; a snapshot cannot be written.
redis_verbose() { # text
	fresh redis
	chmod 777 .
	setpriv --reuid=65534 --regid=65534 --clear-groups redis-server --port 16379 --loglevel verbose --save "" >log 2>&1 &
	server=$!
	until redis-cli -p 16379 ping >/dev/null 2>&1; do sleep 0.2; done
	for i in $(seq 260); do redis-cli -p 16379 set "key$i" "$i" >/dev/null; done
	chmod 755 .
	redis-cli -p 16379 save >/dev/null 2>&1 || true
	for i in $(seq 500); do redis-cli -p 16379 get "key$i" >/dev/null; done
	kill $server
	wait $server || true
	cat log
}

# apache: the error log at level debug of 400 requests; a script dies, and a file may not be read.
apache_error_log() { # text
	fresh apache
	mkdir -p www/cgi logs
	echo hello >www/index.html
	echo secret >www/private.html
	chmod 600 www/private.html
	printf '#!/bin/sh\necho "rates.db is locked by pid 4711" >&2\nexit 3\n' >www/cgi/rates
	chmod 755 www/cgi/rates
	modules=/usr/lib/apache2/modules
	{
		for m in mpm_prefork authz_core mime alias cgi dir; do echo "LoadModule ${m}_module $modules/mod_$m.so"; done
		printf '%s\n' 'ServerName shop.example' 'Listen 127.0.0.1:18490' 'PidFile /srv/apache/pid' 'DocumentRoot /srv/apache/www' 'User www-data' \
			'Group www-data' 'ErrorLog /srv/apache/logs/error.log' 'LogLevel debug' 'TypesConfig /etc/mime.types' 'ScriptAlias /cgi/ /srv/apache/www/cgi/'
	} >conf
	apache2 -f /srv/apache/conf -k start
	sleep 1
	for i in $(seq 400); do
		path=index.html
		[ "$i" = 140 ] && path=cgi/rates
		[ "$i" = 220 ] && path=private.html
		curl -s -o /dev/null "http://127.0.0.1:18490/$path?n=$i" || true
	done
	apache2 -f /srv/apache/conf -k stop
	sleep 1
	cat logs/error.log
}

# debsums: the files of some packages; one has changed.
debsums_all() { # text
	cp /usr/share/perl/5.36/Benchmark.pm /srv/tmp/kept-original
	mount --bind /usr/share/perl /usr/share/perl
	mkdir -p /srv/debsums
	cp -r /usr/share/perl /srv/debsums
	echo '# changed' >>/srv/debsums/perl/5.36.0/Benchmark.pm
	mount --bind /srv/debsums/perl /usr/share/perl
	debsums perl-modules-5.36 perl-base bash coreutils 2>&1 || true
	umount /usr/share/perl
	umount /usr/share/perl
}

# vitest_pass: nothing fails.
vitest_pass() { # text
	project vitestpass 30
	node_packages vitest@3.2.4
	ln -s /srv/npm/node_modules node_modules
	NO_COLOR=1 npx vitest run --reporter=verbose 2>&1
}

# javap: classes of Java's library, disassembled, with what they throw.
javap_classes() { # text
	javap -c java.util.ArrayList java.util.Scanner | sed -n 1,2400p
}

# objdump: a program, disassembled.
objdump_program() { # text
	objdump -d /bin/true | sed -n 1,2200p
}

# readelf: the symbols of a library.
readelf_symbols() { # text
	readelf -Ws /lib/x86_64-linux-gnu/libc.so.6 | sed -n 1,1400p
}

# licence: the texts of some licences.
licences() { # text
	cat /usr/share/common-licenses/GPL-3 /usr/share/common-licenses/Apache-2.0
}

# maria_tables: what a database holds, as tables.
maria_tables() { # text
	start_mariadb
	mariadb --socket=/srv/mariadb/s -t -e 'SHOW VARIABLES; SELECT help_topic_id, name FROM mysql.help_topic LIMIT 700' 2>&1
	stop_mariadb
}
