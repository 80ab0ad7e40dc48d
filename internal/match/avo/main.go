// Command avo writes the vector code of package match for amd64: see indexFingerprint there.
//
//	go -C internal/match/avo run . -out ../fingerprint_amd64.s -stubs ../fingerprint_amd64.go -pkg match
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	fingerprintBytes = 3  // bytes of a fingerprint
	step             = 32 // positions of a step
	block            = step + fingerprintBytes - 1
)

func main() {
	TEXT("indexFingerprint", NOSPLIT, "func(b []byte, masks *[6][16]byte) int")
	Pragma("noescape")
	Doc("indexFingerprint returns the first position of a fingerprint in b, or one near the end of b before",
		"which there is none. It needs AVX2.")
	begin, last := Load(Param("b").Base(), GP64()), Load(Param("b").Len(), GP64())
	table := Load(Param("masks"), GP64())
	i := GP64()
	XORQ(i, i)
	SUBQ(U8(block), last)
	JL(LabelRef("none"))

	Comment("A table of sixteen bytes for each nibble of each byte of a fingerprint.")
	var tables [2 * fingerprintBytes]VecVirtual
	for k := range tables {
		tables[k] = YMM()
		VBROADCASTI128(Mem{Base: table, Disp: 16 * k}, tables[k])
	}
	nibble := YMM()
	low := GP32()
	MOVL(U32(0x0f0f0f0f), low)
	VMOVD(low, nibble.AsX())
	VPBROADCASTD(nibble.AsX(), nibble)

	Label("step")
	found := YMM()
	for k := range fingerprintBytes {
		text, lows := YMM(), YMM()
		VMOVDQU(Mem{Base: begin, Index: i, Scale: 1, Disp: k}, text)
		VPAND(nibble, text, lows)
		VPSRLW(U8(4), text, text)
		VPAND(nibble, text, text)
		VPSHUFB(lows, tables[2*k], lows)
		VPSHUFB(text, tables[2*k+1], text)
		if k == 0 {
			VPAND(lows, text, found)
			continue
		}
		VPAND(lows, found, found)
		VPAND(text, found, found)
	}
	VPTEST(found, found)
	JNZ(LabelRef("hit"))
	ADDQ(U8(step), i)
	CMPQ(i, last)
	JLE(LabelRef("step"))

	Comment("The last block again covers positions of the one before.")
	LEAQ(Mem{Base: i, Disp: -step}, low.As64())
	MOVQ(last, i)
	CMPQ(low.As64(), last)
	JL(LabelRef("step"))
	ADDQ(U8(step), i)
	JMP(LabelRef("end"))

	Label("hit")
	zero, at := YMM(), GP32()
	VPXOR(zero, zero, zero)
	VPCMPEQB(zero, found, zero)
	VPMOVMSKB(zero, at)
	NOTL(at)
	BSFL(at, at)
	ADDQ(at.As64(), i)

	Label("end")
	VZEROUPPER()
	Label("none")
	Store(i, ReturnIndex(0))
	RET()
	Generate()
}
