#!/bin/bash
# Records the corpus: runs real programs on projects that it generates, and keeps what they print.
#
#	sudo internal/bench/needles/record/record.sh first              # the texts of a half
#	sudo internal/bench/needles/record/record.sh first go-test-v    # one text
#
# A text is a function of the same name in one of the half's files; _ stands for -. It needs Debian with root, Go, gcc,
# make, node, npm, java, cargo, python3, curl and git, and apt for pytest. Everything happens below /srv, which is a
# directory of its own while this runs, and under another host name, so that no recording names the machine.
#
# The second half also needs cmake, ninja-build, valgrind, ruby, perl, rsync, zip, unzip, openssh-sftp-server, nginx-light,
# siege, ansible-core, postgresql, terraform and man-db, and takes staticcheck, zap, mocha, pino, d3 and react-dom from
# their registries.
#
# The third also needs borgbackup, gfortran, haproxy, shellcheck, sqlite3, terraform, wamerican, wget, and flask and
# cryptography for python3, and takes jest, eslint and klog from their registries.
#
# The fourth also needs ant-optional, apache2, automake, bats, cppcheck, debsums, dejagnu, fpc, junit4, libxml2-utils,
# lua-busted, mariadb-server, ocaml-nox, php-cli, phpunit, pylint, redis-server, ruby-rspec, tcl and texlive-latex-base,
# and takes vitest from its registry.
#
# The part unseen also needs alembic, bind9-utils, buildah, busybox-static, catch2, dune, elixir, erlang-dev, erlang-eunit,
# ghc, gotestsum, gprbuild, iverilog, junit5, libalcotest-ocaml-dev, libghc-tasty-hunit-dev, libgtest-dev, doctest-dev,
# libjackson2-databind-java, liblogback-java, librust-serde-json-dev, librust-tracing-dev, librust-tracing-subscriber-dev,
# lld, meson, nim, parallel, postgresql, puppet-agent, python3-behave, python3-structlog, r-cran-testthat, rclone,
# ruby-foreman, shunit2, strace and systemd, and takes act, ginkgo, goose, hclog, nats-server, zerolog, ava, bunyan,
# playwright, prettier, stylelint, tape and turbo from their registries.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [ "${NEEDLES_INSIDE-}" = "" ]; then
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	NEEDLES_INSIDE=1 NEEDLES_SCRATCH=$scratch unshare -m -u -p -f --mount-proc "$0" "$@"
	exit
fi
mount --bind "$NEEDLES_SCRATCH" /srv
hostname build-7
chmod 755 /srv

half=$1
shift
kept=$here/../testdata/$half
repository=$(cd "$here/../../../.." && pwd)
export PYTHONPATH=$here LC_ALL=C.UTF-8 TZ=UTC GOFLAGS=-trimpath GOTOOLCHAIN=local TERM=dumb COLUMNS=120
export GOTMPDIR=/srv/tmp TMPDIR=/srv/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=1 PYTHONUNBUFFERED=1
mkdir -p "$kept" /srv/tmp

# keep stores what it reads as the text of that name: of what a carriage return overwrites, the last state, as a terminal
# shows it. Nothing but the interpreters' own directories names the machine.
keep() {
	sed -E -e 's/\r+$//' -e 's/.*\r//' -e "s#$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")#/usr#g" \
		-e 's#/root/(\.pyenv/versions/[^/]*|\.cargo|\.rustup/toolchains/[^/]*)#/usr#g' \
		-e "s#$repository#/srv/spillway#g" >/srv/tmp/kept
	if [ "$(command -v zopfli)" ]; then # a tenth smaller
		zopfli --i5 -c /srv/tmp/kept >"$kept/$1.txt.gz"
	else
		gzip -9n </srv/tmp/kept >"$kept/$1.txt.gz"
	fi
	printf '%-20s %8d lines %9d bytes %8d stored\n' "$1" "$(zcat "$kept/$1.txt.gz" | wc -l)" \
		"$(zcat "$kept/$1.txt.gz" | wc -c)" "$(wc -c <"$kept/$1.txt.gz")"
}

# fresh makes an empty directory below /srv and enters it.
fresh() {
	rm -rf "/srv/$1"
	mkdir -p "/srv/$1"
	cd "/srv/$1"
}

# node_packages installs packages from the registry, before anything is recorded.
node_packages() {
	mkdir -p /srv/npm && (cd /srv/npm && npm init -y && npm install --no-audit --no-fund "$@") >/dev/null 2>&1
}

for file in "$here/$half"/*.sh; do
	# shellcheck disable=SC1090
	. "$file"
done
if [ $# = 0 ]; then
	# shellcheck disable=SC2046
	set -- $(sed -n 's/^\([a-z0-9_]*\)() { # text$/\1/p' "$here/$half"/*.sh | tr _ -)
fi
for name in "$@"; do
	export NEEDLES_SEED="${seed-$half}/$name"
	(text=$name && "$(echo "$name" | tr - _)" | keep "$text")
done
