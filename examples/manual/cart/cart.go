package cart

// TODO: round to cents.
func Total(prices []float64) (t float64) {
	for _, p := range prices {
		t += p
	}
	return t
}
