package checkpoint

// SetMaxEntries sets how many entries of a workspace are known, and returns what sets it back.
func SetMaxEntries(n int) (back func()) {
	before := maxEntries
	maxEntries = n
	return func() { maxEntries = before }
}
