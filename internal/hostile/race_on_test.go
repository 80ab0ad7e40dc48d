//go:build linux && race

package hostile_test

const raceEnabled = true
