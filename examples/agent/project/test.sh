# test.sh compares what bill.sh prints with what it should.

# each calls a command for every case, with the name of what is tested, the right sum and a bill.
each() {
	n=0
	while [ $((n += 1)) -le 5000 ]; do
		"$1" full_price $((n * 450)) "$n cake 450"
		[ $n -ne 1200 ] || "$1" three_for_two 900 '3 tea 450'
	done
}

bill() {
	printf '%s\n\n' "$3"
}

check() {
	read -r got
	if [ "$got" = "$2" ]; then
		echo "ok $1: $3"
	else
		echo "FAIL $1: $3: want $2, got $got"
		failed=1
	fi
}

failed=0
each bill | sh bill.sh | {
	each check
	exit $failed
}
