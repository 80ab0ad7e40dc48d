# test.sh compares what bill.sh prints with what it should: check WHAT CENTS LINE...
check() {
	what=$1 want=$2
	shift 2
	got=$(printf '%s\n' "$@" | sh bill.sh)
	if [ "$got" = "$want" ]; then
		echo "ok $what"
	else
		echo "FAIL $what: want $want, got $got"
		failed=1
	fi
}

failed=0
check full_price 900 '2 cake 450'
check three_for_two 900 '3 tea 450'
check three_for_two 1800 '1 cake 450' '4 tea 450'
exit $failed
