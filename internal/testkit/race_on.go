//go:build race

package testkit

// Race is whether the race detector is on.
const Race = true
