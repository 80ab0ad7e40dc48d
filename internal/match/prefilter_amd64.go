package match

import "golang.org/x/sys/cpu"

//go:generate go -C ../avo run . -out ../match/fingerprint_amd64.s -stubs ../match/fingerprint_amd64.go -pkg match

// vector allows indexFingerprint. GODEBUG=cpu.avx2=off turns it off.
var vector = cpu.X86.HasAVX2
