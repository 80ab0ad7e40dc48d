# Texts without a needle: sources, documents, listings and data.
# shellcheck shell=bash

# c_headers: the kernel's headers for programs, one after the other.
c_headers() { # text
	cat $(find /usr/include/linux -maxdepth 1 -name '[e-n]*.h' | sort) | sed -n 1,2300p
}

# html_doc: a manual in HTML.
html_doc() { # text
	cat /usr/share/doc/bzip2/manual.html
}

# man_pages: pages of the manual, as man prints them.
man_pages() { # text
	MANWIDTH=100 TMPDIR=/tmp man -P cat ld.bfd git-rebase 2>/dev/null | col -b | sed -n 1,2100p
}

# proc_listing: what /proc says of the processes of this recording, and ps.
proc_listing() { # text
	for _ in 1 2 3 4 5 6; do sleep 20 & done
	for _ in $(seq 30); do
		ps -eo pid,ppid,stat,nlwp,rss,vsz,comm
		for n in /proc/[0-9]*; do sed "s#^#${n#/proc/}: #" "$n/status" 2>/dev/null | sed -n 1,50p; done | sed -n 1,90p
	done
	kill $(jobs -p)
}

# json_pretty: what go list says of the packages of the standard library.
json_pretty() { # text
	cd /srv && go list -json net/http encoding/json os/exec crypto/tls testing go/types database/sql html/template net reflect | sed 's#/usr/local/go#/usr/lib/go#g'
}

# hex_dump: the first 26,000 bytes of a program.
hex_dump() { # text
	head -c 26000 /usr/bin/rsync | xxd
}

# csv_tickets: made by a program for it: tickets of a support desk, which say error and failed in every tenth line.
csv_tickets() { # text
	python3 "$here/second/tickets.py" 1300
}

# dpkg_list: the packages of a machine, as dpkg -l prints them.
dpkg_list() { # text
	dpkg -l | sed -E 's/ +$//'
}
