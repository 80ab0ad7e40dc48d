package match

import "golang.org/x/sys/cpu"

//go:generate go -C avo run . -out ../prints_amd64.s -stubs ../stub_amd64.go -pkg match

// vector says that skipPrints may be used. GODEBUG=cpu.avx2=off does without.
var vector = cpu.X86.HasAVX2
