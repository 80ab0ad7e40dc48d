package truncation

import (
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// BenchmarkPolicy bounds 100 MB to 30,000 characters. "counted" asks for the number
// of characters removed, "full" for all that a Result says; the peer does it on a
// []rune.
func BenchmarkPolicy(b *testing.B) {
	for _, kind := range []string{"ASCII", "CJK"} {
		text := benchmarkText(kind, 100<<20)
		for _, s := range strategies {
			p := Policy{Strategy: s, Limits: Limits{Chars: 30_000}, Marker: "\n...\n"}
			b.Run(kind+"/"+string(s)+"/cut", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.Cut(text)
				}
			})
		}
		counted := Policy{Strategy: Middle, Limits: Limits{Chars: 30_000}, Marker: "[{count}]"}
		bench := func(name string, f func()) {
			b.Run(kind+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		bench("counted", func() { counted.Cut(text) })
		bench("full", func() { counted.Truncate(text) })
		bench("written", func() {
			w := counted.NewWriter()
			for i := 0; i < len(text); i += 32 << 10 {
				w.WriteString(text[i:min(i+32<<10, len(text))])
			}
			w.Result()
		})
		bench("runes", func() {
			r := []rune(text)
			_ = string(r[:15_000]) + "[...]" + string(r[len(r)-15_000:])
		})
	}
}

// nothing that grows with the text is allocated but the result.
func TestAllocations(t *testing.T) {
	for _, kind := range []string{"ASCII", "CJK"} {
		text := benchmarkText(kind, testkit.Some(4<<20))
		for _, s := range strategies {
			if s == Digest || s == JSON {
				continue // looks at every line: see TestDigestMemory
			}
			p := Policy{Strategy: s, Limits: Limits{Chars: 3000}, Marker: "\n... (output truncated)\n"}
			var got string
			allocs := testing.AllocsPerRun(10, func() { got = p.Cut(text) })
			require.LessOrEqual(t, allocs, 8.0, "%s of %s", s, kind)
			require.NotEmpty(t, got)
			whole := Policy{Strategy: s, Limits: Limits{Chars: 5 << 20}, Threshold: 5 << 20}
			require.LessOrEqual(t, testing.AllocsPerRun(10, func() { got = whole.Cut(text) }), 8.0, "%s of %s", s, kind)
		}
	}
}

// What a policy's writer holds does not grow with what is written.
func TestWriterMemory(t *testing.T) {
	chunk := []byte(strings.Repeat("an ordinary line\n", 1<<12) + strings.Repeat("世", 1<<14))
	chunks := testkit.Some(100)
	for _, s := range strategies {
		for _, limits := range []Limits{{Bytes: 4096}, {Chars: 1024}, {Tokens: 256}, {Lines: 50, Bytes: 4096}} {
			for _, piece := range []int{len(chunk), 100} {
				w := Policy{Strategy: s, Limits: limits}.NewWriter()
				for range chunks {
					for part := range slices.Chunk(chunk, piece) {
						w.Write(part)
					}
				}
				require.LessOrEqual(t, cap(w.first)+cap(w.last.held), 5*4096, "%s %+v", s, limits)
				r := w.Result()
				require.Equal(t, chunks*len(chunk), r.TotalBytes)
				require.True(t, r.Truncated)
			}
		}
	}
}

// Where only lines are limited, it is twice the lines that are kept, and what is written at once.
func TestWriterMemoryOfLines(t *testing.T) {
	piece := []byte(strings.Repeat("an ordinary line\n", 60))
	for _, s := range []Strategy{Tail, MiddleLines, HeadTailLines} {
		w := Policy{Strategy: s, Limits: Limits{Lines: 500}, First: 250, Last: 250}.NewWriter()
		for range testkit.Some(10_000) {
			w.Write(piece)
		}
		require.LessOrEqual(t, cap(w.first)+cap(w.last.held), 4*500*17, "%s", s)
	}
}
