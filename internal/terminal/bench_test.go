package terminal

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const benchmarkChunk = 32 << 10 // what io.Copy reads from a pipe

func benchmarkInputs() map[string]string {
	r := rand.New(rand.NewPCG(1, 1))
	var ascii, cjk, french, ls, log, bar, wide strings.Builder
	for ascii.Len() < 1<<20 {
		ascii.WriteString(strings.Repeat("word ", 1+r.IntN(20)) + "\n")
	}
	for cjk.Len() < 1<<20 {
		cjk.WriteString(strings.Repeat("終端出力", 1+r.IntN(12)) + "。\n")
	}
	for french.Len() < 1<<20 {
		french.WriteString("L'été dernier, les élèves ont déjà visité le château.\n")
	}
	for i := 0; ls.Len() < 1<<20; i++ {
		fmt.Fprintf(&ls, "-rw-r--r-- 1 user user %7d Jan  1 10:00 \x1b[0m\x1b[01;34mdirectory%d\x1b[0m\n", i*31, i)
	}
	for i := 0; log.Len() < 1<<20; i++ {
		fmt.Fprintf(&log, "line %d of a log written on Windows\r\n", i)
	}
	for i := 0; bar.Len() < 1<<20; i++ {
		fmt.Fprintf(&bar, "\rDownloading [%-40s] %3d%%", strings.Repeat("#", i%40), i%100)
		fmt.Fprintf(&wide, "\r\x1b[2KDownloading %s %3d%%", strings.Repeat("━", i%40), i%100)
	}
	random := make([]byte, 1<<20)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	return map[string]string{
		"ASCII": ascii.String(), "CJK": cjk.String(), "French": french.String(), "ls": ls.String(), "CRLF": log.String(),
		"progress": bar.String(), "progress-unicode": wide.String(), "random": string(random),
		"escapes":    strings.Repeat("\x1b[31mX\x1b[0m", 1<<20/10),
		"one-line":   strings.Repeat("x", 1<<20),
		"backspaces": strings.Repeat("_\bN_\bA_\bM_\bE\n", 1<<20/13),
		"eraseLeft":  strings.Repeat("x", maxLine-1) + "\x1b[9D" + strings.Repeat("\x1b[1K", 1<<20/4),
		"extend":     strings.Repeat("x", maxLine-1) + "\b" + strings.Repeat("\x1b[1Kx\b", 1<<20/6), // the cursor stays where the line was long
		"eraseChars": strings.Repeat("x", maxLine-1) + "\r" + strings.Repeat("\x1b[9999X", 1<<20/7),
		"jump":       strings.Repeat("\x1b[512Cx\r\x1b[K", 1<<20/11),
	}
}

func BenchmarkFilter(b *testing.B) {
	inputs := benchmarkInputs()
	for _, name := range []string{"ASCII", "CJK", "French", "ls", "CRLF", "progress", "progress-unicode", "random", "escapes", "one-line", "backspaces", "eraseLeft", "extend", "eraseChars", "jump"} {
		in := []byte(inputs[name])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			f := NewFilter(io.Discard, "")
			for b.Loop() {
				for p := in; len(p) > 0; {
					n := min(benchmarkChunk, len(p))
					f.Write(p[:n])
					p = p[n:]
				}
				f.Close()
			}
		})
	}
}

// BenchmarkScreen compares with a Filter, in the same run, what does not move the cursor between lines, and measures
// what does.
func BenchmarkScreen(b *testing.B) {
	inputs := benchmarkInputs()
	frames := bars(100)
	inputs["bars"] = strings.Repeat(frames, 1<<20/len(frames))
	inputs["place"] = strings.Repeat("\x1b[5;9Hword\x1b[20;3Hword", 1<<20/21)
	inputs["lines"] = strings.Repeat("\x1b[9L\x1b[9M\x1b[J", 1<<20/11)
	inputs["far"] = strings.Repeat("\x1b[A\x1b[9999;9999Hx\x1b[H\x1b[J", 1<<20/24)
	for _, name := range []string{"ASCII", "CJK", "ls", "CRLF", "progress", "bars", "place", "lines", "far"} {
		in := []byte(inputs[name])
		var took [2]time.Duration
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for i, w := range []io.WriteCloser{NewFilter(io.Discard, ""), NewScreen(io.Discard, "")} {
				if i == 0 {
					b.StopTimer()
				} else {
					b.StartTimer()
				}
				began := time.Now()
				for range b.N {
					for p := in; len(p) > 0; p = p[min(benchmarkChunk, len(p)):] {
						w.Write(p[:min(benchmarkChunk, len(p))])
					}
					w.Close()
				}
				took[i] = time.Since(began)
			}
			b.ReportMetric(float64(took[1])/float64(took[0]), "x-Filter")
		})
	}
}

// BenchmarkScan compares cleanLength with utf8.Valid, which does less.
func BenchmarkScan(b *testing.B) {
	inputs := benchmarkInputs()
	for _, name := range []string{"ASCII", "CJK", "French"} {
		in := []byte(inputs[name])[:benchmarkChunk]
		b.Run(name+"/cleanLength", func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				cleanLength(in)
			}
		})
		b.Run(name+"/utf8.Valid", func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				utf8.Valid(in)
			}
		})
	}
}
