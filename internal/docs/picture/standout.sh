#!/bin/sh
# Prints the end of a failing test run as it is, and what bash shows of it: docs/standout.svg.
# It runs in the repository's directory.
set -e
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/spillway" ./examples/spillway
mkdir "$dir/shop"
cat >"$dir/shop/go.mod" <<'END'
module example.com/shop
END
{
	printf 'package ledger\n\nimport "testing"\n'
	for n in $(seq 2000); do
		if [ "$n" = 603 ]; then
			printf '\nfunc TestRollback(t *testing.T) { t.Errorf("balance = %%d, want %%d", 1190, 1200) }\n'
		fi
		printf '\nfunc TestCase%d(*testing.T) {}\n' "$n"
	done
} >"$dir/shop/ledger_test.go"
heading() { printf '\033[1m> %s\033[0m  \033[2m%s\033[0m\n\033[2m⋮\033[0m\n' "$1" "$2"; }

cd "$dir/shop"
heading 'go test -v .' '# the end, as most tools cut it'
{ go test -v . || :; } | tail -n 4 | expand
printf '\n\033[31mWhich test failed?\033[0m\n\n'
heading 'bash "go test -v ."' '# the same with Spillway'
"$dir/spillway" call bash 'go test -v .' |
	tail -n 8 | expand | fold -s -w 63 |
	sed 's/Lines/\x1b[32m&/; s/\]$/\x1b[0m&/' |
	awk '/\033\[32m/ { on = 1 } on && !/\033\[32m/ { printf "\033[32m" } { print } /\]$/ { on = 0 }'
