package shapes

import "golang.org/x/sys/cpu"

//go:generate go -C ../avo run . -out ../shapes/triggers_amd64.s -stubs ../shapes/triggers_amd64.go -pkg shapes

// vector allows scanBlocks. GODEBUG=cpu.avx2=off turns it off.
var vector = cpu.X86.HasAVX2
