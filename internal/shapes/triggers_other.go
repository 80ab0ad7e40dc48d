//go:build !amd64

package shapes

var vector = false

func scanBlocks([]byte, *[2][triggerBytes][2][32]byte, []uint64) int { return 0 }
