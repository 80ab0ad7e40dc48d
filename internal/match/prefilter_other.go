//go:build !amd64

package match

// vector is false without indexFingerprint: only a single literal is then faster than the automaton.
var vector = false

func indexFingerprint([]byte, *[2 * fingerprintBytes][16]byte) int { return 0 }
