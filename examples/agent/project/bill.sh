# bill.sh prints what customers pay. It reads lines as "3 tea 450": how many, of what, cents each. A bill ends with an
# empty line.

full_price() {
	sum=$((sum + count * cents))
}

# Of three, one is free.
three_for_two() {
	sum=$((sum + count * cents))
}

sum=0
while read -r count thing cents; do
	case $thing in
	tea) three_for_two ;;
	'') echo "$sum" && sum=0 ;;
	*) full_price ;;
	esac
done
