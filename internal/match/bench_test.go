package match

import (
	"bytes"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const corpusSize = 32 << 20

// sourceCorpus is Go's own source, or as much of it as there is.
var sourceCorpus = sync.OnceValue(func() []byte {
	var b []byte
	filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		data, _ := os.ReadFile(path)
		if b = append(b, data...); len(b) >= corpusSize {
			return fs.SkipAll
		}
		return nil
	})
	return b
})

// logCorpus is a log with many digits.
var logCorpus = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; b.Len() < corpusSize; i++ {
		fmt.Fprintf(&b, "2024-01-%02dT%02d:%02d:%02d.%06dZ 10.%d.%d.%d GET /v1/items/%d 200 %d %dus\n", 1+i/86400%28, i/3600%24, i/60%60, i%60,
			r.IntN(1e6), r.IntN(4), r.IntN(256), r.IntN(256), r.IntN(1e6), r.IntN(1e5), r.IntN(1e5))
	}
	return b.Bytes()
})

var kinds = []struct {
	name, pattern string
	options       Options
	log           bool
}{
	{"LiteralNone", "spqrzzt", Options{}, false},
	{"LiteralRare", "SectionReader", Options{}, false},
	{"LiteralCommonLetters", "internal", Options{}, false},
	{"LiteralMany", "return", Options{}, false},
	{"LiteralEveryLine", "e", Options{}, false},
	{"InnerLiteral", `\w+Reader\b`, Options{}, false},
	{"TwoLiterals", `func.*error`, Options{}, false},
	{"LineStart", `^func `, Options{}, false},
	{"Alternation", "foo|bar|baz", Options{}, false},
	{"AlternationWords", "Sherlock|Watson|Moriarty|Mycroft|Irene", Options{}, false},
	{"IgnoreCase", "reader", Options{IgnoreCase: true}, false},
	{"IgnoreCaseKelvin", "tasks", Options{IgnoreCase: true}, false},
	{"IgnoreCaseAlternation", "foo|bar|baz", Options{IgnoreCase: true}, false},
	{"NoLiteral", "[A-Z][a-z]+[0-9]+", Options{}, false},
	{"NoLiteralNone", "[A-Z]{5}[0-9]{5}", Options{}, false},
	{"Word", `\b\w{17}\b`, Options{}, false},
	{"Unicode", `\p{Greek}+`, Options{}, false},
	{"LogLiteral", "10.3.117.201", Options{Literal: true}, true},
	{"LogDigits", "137842", Options{}, true},
	{"LogNoLiteral", `\s[0-9]{5}us$`, Options{}, true},
}

func countLines(s *Searcher, buf []byte) (n int) {
	for from := 0; ; n++ {
		_, end, ok := s.Next(buf, from)
		if !ok {
			return n
		}
		next := bytes.IndexByte(buf[end:], '\n')
		if next < 0 {
			return n + 1
		}
		from = end + next + 1
	}
}

// BenchmarkNext counts the matching lines of a corpus. The metric regexp-MB/s is
// what package regexp does with the same pattern on a part of it, line by line.
func BenchmarkNext(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			corpus := sourceCorpus()
			if k.log {
				corpus = logCorpus()
			}
			if len(corpus) < corpusSize/2 {
				b.Skip("Go's source is not here")
			}
			m := compiled(b, k.pattern, k.options)
			s := m.NewSearcher()
			lines := 0
			b.SetBytes(int64(len(corpus)))
			for b.Loop() {
				lines = countLines(s, corpus)
			}
			b.ReportMetric(float64(lines), "lines")
			re, _ := plain(k.pattern, k.options)
			part := corpus[:2<<20]
			plainLines(re, part)
			begin := time.Now()
			plainLines(re, part)
			slow := float64(len(part)) / time.Since(begin).Seconds()
			fast := float64(len(corpus)) * float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(slow/1e6, "regexp-MB/s")
			b.ReportMetric(fast/slow, "ratio")
		})
	}
}

// BenchmarkSmall is what a file of 4 KB costs.
func BenchmarkSmall(b *testing.B) {
	for _, pattern := range []string{"SectionReader", `\w+Reader\b`, "[A-Z][a-z]+[0-9]{7}"} {
		b.Run(pattern, func(b *testing.B) {
			m, _ := Compile(pattern, Options{})
			s := m.NewSearcher()
			corpus := sourceCorpus()
			if len(corpus) < 4096 {
				b.Skip("Go's source is not here")
			}
			b.SetBytes(4096)
			for b.Loop() {
				countLines(s, corpus[:4096])
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, pattern := range []string{"SectionReader", `(?i)\w+Reader\b`, `\pL{100}`, "(a|b)*c{900}", strings.Repeat("word|", 300) + "word"} {
		b.Run(pattern[:min(16, len(pattern))], func(b *testing.B) {
			for b.Loop() {
				if _, err := Compile(pattern, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(pattern[:min(16, len(pattern))]+"/regexp", func(b *testing.B) {
			for b.Loop() {
				regexp.MustCompile(pattern)
			}
		})
	}
}

func BenchmarkSpans(b *testing.B) {
	for _, pattern := range []string{`func \w+\([^)]*\n`, `\{\n\n`, `[A-Z]+\n[0-9]+`} {
		b.Run(pattern, func(b *testing.B) {
			corpus := sourceCorpus()
			if len(corpus) < corpusSize/2 {
				b.Skip("Go's source is not here")
			}
			m, _ := Compile(pattern, Options{Multiline: true})
			s := m.NewSearcher()
			b.SetBytes(int64(len(corpus)))
			n := 0
			for b.Loop() {
				n = 0
				for range s.Spans(corpus) {
					n++
				}
			}
			b.ReportMetric(float64(n), "spans")
		})
	}
}

// BenchmarkFind finds where a match is in lines of several lengths, as in bundled programs.
func BenchmarkFind(b *testing.B) {
	for _, pattern := range []string{`retryBudget`, `\w+Budget`, `.retryBudget`, `.{60}retryBudget:\d+.{60}`, `.*retryBudget`} {
		for _, size := range []int{6 << 10, 60 << 10, 4500 << 10} {
			b.Run(fmt.Sprintf("%s/%dKB", pattern, size>>10), func(b *testing.B) {
				line := bundle(size, `,retryBudget:42,`)
				m := compiled(b, pattern, Options{})
				s := m.NewSearcher()
				b.SetBytes(int64(len(line)))
				for b.Loop() {
					s.Find(line)
				}
			})
		}
	}
}

// bundle is a line of about size bytes, as minifiers write them, with text at three quarters of it.
func bundle(size int, text string) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	var b bytes.Buffer
	filler := func(to int) {
		for b.Len() < to {
			fmt.Fprintf(&b, "function %c%d(e,t){return t.n%d||{é:%q}};", 'a'+r.IntN(26), r.IntN(1000), r.IntN(100), "日本 x")
		}
	}
	filler(size * 3 / 4)
	b.WriteString(text)
	filler(size)
	return b.Bytes()
}
