# Texts of the go command.
# shellcheck shell=bash

# go_test_v: 20,075 subtests in eight packages; two fail, in the third and the fifth.
go_test_v() { # text
	fresh shop
	python3 "$here/first/gotests.py" fails 365 55
	go test -v -count=1 ./... 2>&1 || true
}

go_test_json() { # text
	fresh shop
	python3 "$here/first/gotests.py" fails 56 12
	go test -json -count=1 ./... 2>&1 || true
}

# go_test_pass: nothing fails, whatever the names of the tests say.
go_test_pass() { # text
	fresh shop
	python3 "$here/first/gotests.py" passes 110 25
	go test -v -count=1 ./... 2>&1
}

# go_test_x: every command of a build of 48 packages; one package has a complaint of vet, one does not compile.
go_test_x() { # text
	fresh platform
	python3 "$here/first/gopackages.py" 48
	export GOCACHE=/srv/tmp/gocache GOFLAGS=
	mkdir warm && printf 'package warm\n\nimport (\n\t_ "fmt"\n\t"testing"\n)\n\nfunc TestNothing(*testing.T) {}\n' >warm/warm_test.go
	go test ./warm >/srv/tmp/warm 2>&1 && rm -r warm # the standard library is built before
	go test -x -p 2 ./... 2>&1 || true
}
