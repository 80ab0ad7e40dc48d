// Command avo writes the vector code for amd64: indexFingerprint of package match, and triggers of package shapes.
//
//	go -C internal/avo run . -out ../match/fingerprint_amd64.s -stubs ../match/fingerprint_amd64.go -pkg match
//	go -C internal/avo run . -out ../shapes/triggers_amd64.s -stubs ../shapes/triggers_amd64.go -pkg shapes
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// step is how many positions are looked at at a time.
const step = 32

func main() {
	flag.Parse()
	if flag.Lookup("pkg").Value.String() == "shapes" {
		triggers()
	} else {
		fingerprint()
	}
	Generate()
}

// halves returns the low and the high half of each byte of a text.
func halves(text Mem, nibble VecVirtual) (low, high VecVirtual) {
	high, low = YMM(), YMM()
	VMOVDQU(text, high)
	VPAND(nibble, high, low)
	VPSRLW(U8(4), high, high)
	VPAND(nibble, high, high)
	return low, high
}

// lookUp takes the buckets out of found that the table does not have for halves of bytes; the first table of all sets
// found. A table has a byte for each value of a half, in which a bit stands for each bucket.
func lookUp(found *VecVirtual, table, halves, into VecVirtual) {
	VPSHUFB(halves, table, into)
	if *found == nil {
		*found = into
		return
	}
	VPAND(into, *found, *found)
}

// lowHalves returns the mask of the low half of each byte.
func lowHalves(scratch GPVirtual) VecVirtual {
	nibble := YMM()
	MOVL(U32(0x0f0f0f0f), scratch)
	VMOVD(scratch, nibble.AsX())
	VPBROADCASTD(nibble.AsX(), nibble)
	return nibble
}

// positions sets a bit for each position where found is not zero.
func positions(found VecVirtual, at GPVirtual) {
	zero := YMM()
	VPXOR(zero, zero, zero)
	VPCMPEQB(zero, found, zero)
	VPMOVMSKB(zero, at)
	NOTL(at)
}

func fingerprint() {
	const bytes = 3 // of a fingerprint
	TEXT("indexFingerprint", NOSPLIT, "func(b []byte, masks *[6][16]byte) int")
	Pragma("noescape")
	Doc("indexFingerprint returns the first position of a fingerprint in b, or one near the end of b before",
		"which there is none. It needs AVX2.")
	begin, last := Load(Param("b").Base(), GP64()), Load(Param("b").Len(), GP64())
	masks := Load(Param("masks"), GP64())
	i := GP64()
	XORQ(i, i)
	SUBQ(U8(step+bytes-1), last)
	JL(LabelRef("none"))

	Comment("A table of sixteen bytes for each half of each byte of a fingerprint.")
	var tables [2 * bytes]VecVirtual
	for k := range tables {
		tables[k] = YMM()
		VBROADCASTI128(Mem{Base: masks, Disp: 16 * k}, tables[k])
	}
	low := GP32()
	nibble := lowHalves(low)

	Label("step")
	var found VecVirtual
	for k := range bytes {
		low, high := halves(Mem{Base: begin, Index: i, Scale: 1, Disp: k}, nibble)
		lookUp(&found, tables[2*k], low, low)
		lookUp(&found, tables[2*k+1], high, high)
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
	at := GP32()
	positions(found, at)
	BSFL(at, at)
	ADDQ(at.As64(), i)

	Label("end")
	VZEROUPPER()
	Label("none")
	Store(i, ReturnIndex(0))
	RET()
}

func triggers() {
	const bytes, groups, parts = 4, 2, 2
	TEXT("scanBlocks", NOSPLIT, "func(b []byte, masks *[2][4][2][32]byte, bits []uint64) (blocks int)")
	Pragma("noescape")
	Doc("scanBlocks looks at blocks of 64 positions of b, as many as bits has room for and as have three bytes",
		"behind them, and returns their number. It sets a bit for each position where a trigger may begin. It needs AVX2.")
	begin, last := Load(Param("b").Base(), GP64()), Load(Param("b").Len(), GP64())
	masks := Load(Param("masks"), GP64())
	bits, room := Load(Param("bits").Base(), GP64()), Load(Param("bits").Len(), GP64())
	n := GP64()
	XORQ(n, n)
	at := GP32()
	nibble := lowHalves(at)

	Label("step")
	SUBQ(U8(step*parts), last)
	CMPQ(last, U8(bytes-1))
	JL(LabelRef("end"))
	CMPQ(n, room)
	JGE(LabelRef("end"))
	Comment("Each table is loaded once for both parts of a block.")
	var found [groups][parts]VecVirtual
	for k := range bytes {
		var half [2][parts]VecVirtual
		for i := range parts {
			half[0][i], half[1][i] = halves(Mem{Base: begin, Disp: step*i + k}, nibble)
		}
		for g := range groups {
			for h := range half {
				table := YMM()
				VMOVDQU(Mem{Base: masks, Disp: 32 * (h + 2*(k+bytes*g))}, table)
				for i, part := range half[h] {
					into := part
					if g < groups-1 || found[g][i] == nil {
						into = YMM() // the halves are needed again
					}
					lookUp(&found[g][i], table, part, into)
				}
			}
		}
	}
	for i := range parts {
		VPOR(found[0][i], found[1][i], found[0][i])
		positions(found[0][i], at)
		MOVL(at, Mem{Base: bits, Index: n, Scale: 8, Disp: 4 * i})
	}
	INCQ(n)
	ADDQ(U8(step*parts), begin)
	JMP(LabelRef("step"))

	Label("end")
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}
