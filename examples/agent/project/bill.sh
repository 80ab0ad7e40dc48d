# bill.sh prints what a customer pays. It reads lines as "3 tea 450": how many, of what, cents each.

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
	*) full_price ;;
	esac
done
echo "$sum"
