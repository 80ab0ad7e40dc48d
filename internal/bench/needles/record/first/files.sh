# Texts of programs that copy, unpack, install and download.
# shellcheck shell=bash

nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

# tar_xvf: 5,000 files; one directory cannot be written to.
tar_xvf() { # text
	fresh release
	python3 "$here/first/tree.py" site-4.2 5000
	locked=$(find site-4.2 -type d | sort | sed -n 120p)/private
	mkdir "$locked" && echo key >"$locked/license.key"
	find site-4.2 -type f | sort | tar cf site.tar -T -
	rm -r site-4.2
	chmod 777 .
	nobody mkdir -p "$locked" && chown 0:0 "$locked"
	nobody tar xvf site.tar 2>&1 || true
}

# cp_rv: 3,000 files, one of which cannot be read.
cp_rv() { # text
	fresh backup
	python3 "$here/first/tree.py" media 3000
	chmod 777 . && chmod 600 "$(find media -name '*.json' | sort | sed -n 200p)"
	nobody cp -rv media copy 2>&1 || true
}

# apt_install: 280 packages; what the last step of one runs exits with 1.
apt_install() { # text
	fresh packages
	python3 "$here/first/packages.py" 280
	mkdir -p root/var/lib/dpkg/{info,updates,triggers} root/var/log state/lists/partial cache/archives/partial
	touch root/var/lib/dpkg/status
	for package in build/*; do dpkg-deb --root-owner-group -b "$package" pool >/dev/null; done
	apt-get -y -q -o Dir::State=/srv/packages/state -o Dir::State::status=/srv/packages/root/var/lib/dpkg/status \
		-o Dir::Cache=/srv/packages/cache -o Dir::Etc=/srv/packages/etc -o Dir::Log=/srv/packages/root/var/log \
		-o APT::Architecture=amd64 -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o DPkg::Options::=--root=/srv/packages/root \
		-o DPkg::Options::=--force-script-chrootless install ./pool/*.deb 2>&1 || true
}

# downloads: the meters of curl and wget, each state on a line; a server closes one connection too early.
downloads() { # text
	fresh mirror
	python3 "$here/first/mirror.py" &
	server=$!
	while [ ! -e ready ]; do sleep 0.1; done
	for n in $(seq 1 28); do
		wget -nv --progress=dot --show-progress -O "$n.tar.xz" --header 'Host: mirror.example.org' "http://127.0.0.1:18473/$n.tar.xz" 2>&1 || true
		curl -# --noproxy '*' -o "$n.sig" --limit-rate 1M --resolve mirror.example.org:18473:127.0.0.1 "http://mirror.example.org:18473/$n.sig" 2>&1 || true
	done | tr '\r' '\n' | grep -v '^ *$'
	kill $server
}
