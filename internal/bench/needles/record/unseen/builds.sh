# Compilers, linkers, package managers, and what runs many of them side by side.
# shellcheck shell=bash
# ShellCheck does not see that record.sh calls these functions.
# shellcheck disable=SC2317

project() { # kind, count: the files of a project, in an empty directory of that name
	fresh "$1"
	PYTHONPATH=$here:$here/unseen python3 "$here/unseen/builds.py" "$1" "$2"
}

# ld: 60 objects, traced, with warnings; a function and a table are not defined, a function is defined twice.
ld_trace() { # text
	project objects 60
	(cd src && gcc -c ./*.c)
	{ gcc -Wl,--trace -Wl,--cref -o shop src/*.o && ./shop; } 2>&1 || true
}

# lld: 11 programs one after the other, with the sections that are left out; a function is not defined in one program
# and defined twice in another.
lld_sections() { # text
	project programs 11
	for program in *; do
		(cd "$program" && gcc -ffunction-sections -c ./*.c)
		echo "linking $program"
		(cd "$program" && gcc -fuse-ld=lld -Wl,--gc-sections -Wl,--print-gc-sections -o program ./*.o 2>&1) || true
	done
}

# gprbuild: 190 packages of Ada with warnings; two do not compile.
gprbuild_packages() { # text
	project ada 190
	mkdir obj
	gprbuild -k -p -j2 -v tariff.gpr 2>&1 || true
}

# clippy: 90 modules with warnings; a loop does not end, a mask is always zero.
cargo_clippy() { # text
	project clippy 90
	cargo clippy --offline --color never 2>&1 || true
}

# buildah: an image of 44 steps; a tool is missing in one of them, a directory in another, and the build goes on.
buildah_bud() { # text
	project image 44
	mkdir -p bin && cp /bin/busybox busybox && cp /bin/busybox bin/ls && cp /bin/busybox bin/cat
	buildah --root /srv/image/root --runroot /srv/image/run --storage-driver vfs bud --isolation chroot --layers=false . 2>&1 || true
}

# npm install: 10 services one after the other; a script of a package fails in one, a tarball is missing in another.
npm_bootstrap() { # text
	project services 10
	for service in services/*; do
		echo "--- bootstrapping $service"
		(cd "$service" && npm install --offline --no-audit --no-fund --foreground-scripts --loglevel verbose --logs-max=0 --cache /srv/tmp/npm 2>&1 |
			sed 's/ os Linux .*/ os Linux 6.1.0-32-amd64/') || true
	done
}

# turbo: 26 packages side by side; one does not build.
turbo_build() { # text
	project workspaces 26
	node_packages turbo@2.6.1
	git init -q . && git add -A && git -c user.name=a -c user.email=a@b.example commit -qm all
	NO_COLOR=1 TURBO_TELEMETRY_DISABLED=1 /srv/npm/node_modules/.bin/turbo run build --continue --concurrency=6 --ui=stream --no-daemon 2>&1 || true
}

# parallel: 150 jobs whose lines have the job in front; one fails.
parallel_tag() { # text
	project recipes 150
	HOME=/srv/tmp parallel --will-cite --no-run-if-empty --line-buffer --tag -j 6 sh ::: jobs/*.sh 2>&1 || true
}

# foreman: five processes; one cannot open its index, one gives up a message.
foreman_start() { # text
	project procfile 240
	timeout 20 foreman start 2>&1 || true
}

# meson: a suite that passes, with tests named after errors.
meson_pass() { # text
	project mesonproject 135
	meson setup build >/dev/null 2>&1
	meson test -C build -v --no-suite none 2>&1
}

# doctest: assertions that pass, printed, of texts that speak of failures.
doctest_pass() { # text
	PYTHONPATH=$here suites doctest 60
	g++ -O0 -std=c++17 suite.cpp -o suite >&2
	./suite --success --no-colors 2>&1
}

# strace: a program that starts, with the files that it looks for.
strace_python() { # text
	fresh strace
	env -i PATH=/usr/bin:/bin HOME=/srv/tmp strace -f python3 -c 'import json, email.mime.text, http.client, sqlite3' 2>&1 | sed -n 1,900p
}

# apt-cache: what is known of some packages.
apt_cache_show() { # text
	apt-cache show 'perl' 'libgtest-dev' 'catch2' 'nim' 'puppet-agent' 'elixir' '^liberror.*' 'lib.*-exception.*' 'fail2ban' 2>/dev/null | sed -n 1,900p
}
