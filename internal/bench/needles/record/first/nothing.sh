# Texts in which nothing stands out.
# shellcheck shell=bash

# go_source: packages of the standard library.
go_source() { # text
	cd "$(go env GOROOT)/src"
	cat encoding/json/decode.go net/http/client.go 
}

# prose: licenses, as Debian has them.
prose() { # text
	cat /usr/share/common-licenses/{GPL-3,Apache-2.0,MPL-1.1,Artistic}
}

# git_log: the last commits of this repository as patches, without what names machines.
git_log() { # text
	git -C "$repository" -c safe.directory='*' log -p --no-color --format='commit %H%nDate:   %cd%n%n    %s%n' -U2 36506c9~60..36506c9 -- '*.go' | sed -n 1,2800p | grep -vE '/(root|home|work|tmp)/'
}

# listing: the directories of the Go distribution's sources.
listing() { # text
	cd "$(go env GOROOT)/src"
	ls -R cmd crypto go internal net runtime | sed -n 1,4500p
}

# environment: a long list of variables.
environment() { # text
	env -i "$(command -v python3)" "$here/first/data.py" environment
}

# base64_random: nothing that repeats.
base64_random() { # text
	python3 "$here/first/data.py" random | base64 -w 76
}

# table: 20,000 rows of CSV, whose values include error and failed as words like the others.
table() { # text
	python3 "$here/first/data.py" table
}
