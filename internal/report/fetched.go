package report

import "slices"

// Fetched reports whether the call's output was cut, and a later call asked for the rest.
func (c *Call) Fetched() bool {
	return slices.ContainsFunc(c.Marks, func(m *Mark) bool { return m.Kind == kindFetched })
}

// Grouped is a number with commas.
func Grouped(n int64) string { return grouped(n) }
