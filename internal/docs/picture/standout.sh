#!/bin/sh
# Prints the end of what bash shows of a failing test run, without and with the lines that stand out: docs/standout.svg.
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
for off in true false; do
	printf '\033[1m> bash go test -v .\033[0m  \033[2m# with Bash.NoStandout %s\033[0m\n\033[2m⋮\033[0m\n' "$off"
	"$dir/spillway" call -workspace "$dir/shop" -set Bash.NoStandout=$off bash command='go test -v .' |
		tail -n 9 | fold -s -w 99 |
		sed 's/Lines/\x1b[33m&/; s/\]$/\x1b[0m&/'
	echo
done
