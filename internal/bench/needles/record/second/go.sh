# Texts of the go command and of programs in Go.
# shellcheck shell=bash

# go_test_panic: seven packages of tests, without subtests; one of them panics in a goroutine, with its trace.
go_test_panic() { # text
	fresh fleet
	python3 "$here/second/gosuites.py" panic 260
	go test ./... -v -count=1 2>&1 || true
}

# go_test_race: the same with the race detector, which reports one race.
go_test_race() { # text
	fresh fleet
	python3 "$here/second/gosuites.py" race 300
	go test -race -v -count=1 ./... 2>&1 || true
}

# go_build_v: 900 packages, two of which have a type error.
go_build_v() { # text
	fresh monorepo
	python3 "$here/second/gomany.py" 900
	GOCACHE=/srv/tmp/gocache go build -v ./... 2>&1 || true
}

# ci_staticcheck: the log of a CI job: vet and a linter, which has four complaints, then the tests, which pass.
ci_staticcheck() { # text
	mkdir -p /srv/tools
	GOBIN=/srv/tools go install honnef.co/go/tools/cmd/staticcheck@latest >/dev/null 2>&1
	fresh gateway
	python3 "$here/second/gosuites.py" lint 240
	stamp() { awk '{ printf "2026-03-11T09:%02d:%02d.%07dZ %s\n", 4 + NR / 600, (NR / 10) % 60, (NR * 7919) % 10000000, $0; fflush() }'; }
	{
		echo "##[group]Run go list -deps ./..." && go list -deps ./... && echo "##[endgroup]"
		echo "##[group]Run go vet ./..." && go vet ./... && echo "##[endgroup]"
		echo "##[group]Run staticcheck ./..." && /srv/tools/staticcheck ./... || true
		echo "##[endgroup]" && echo "##[group]Run go test -v ./..." && go test -v -count=1 ./... || true
		echo "##[endgroup]" && echo "##[group]Run tar -cvzf sources.tar.gz ."
		find . -type f | sort | tar cvzf /srv/tmp/sources.tar.gz -T - && echo "##[endgroup]"
	} 2>&1 | stamp
}

# zap_json: the lines of a server that logs with zap; one is of level error, with the stack.
zap_json() { # text
	fresh checkout
	cp "$here/second/zap.go.txt" main.go
	printf 'module example.com/checkout\n\ngo 1.22\n' >go.mod
	go get go.uber.org/zap@v1.27.0 >/dev/null 2>&1 && go mod tidy >/dev/null 2>&1
	go run . 2>&1
}
