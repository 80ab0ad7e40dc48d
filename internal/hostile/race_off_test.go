//go:build linux && !race

package hostile_test

const raceEnabled = false
