package redact

import (
	"bytes"
	"fmt"
	"syscall"
	"testing"
	"time"
)

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano())
}

func TestMicro(t *testing.T) {
	texts := benchTexts(t)
	x := newIndex(needles(values))
	for _, name := range []string{"log", "source", "minified", "base64"} {
		text := texts[name]
		rate := func(what string, f func()) {
			best := 0.0
			for range 3 {
				c := cpu()
				for range 4 {
					f()
				}
				d := cpu() - c
				r := float64(4*len(text)) / d.Seconds() / 1e6
				if r > best {
					best = r
				}
			}
			fmt.Printf("%-10s %-14s %6.0f MB/s\n", name, what, best)
		}
		hits := 0
		rate("copy", func() {
			dst := make([]byte, 32<<10)
			for i := 0; i < len(text); i += 32 << 10 {
				copy(dst, text[i:])
			}
		})
		rate("count", func() { bytes.Count(text, []byte("\n")) })
		rate("known sample", func() {
			hits = 0
			for i := 0; i+4 <= len(text); {
				i = x.sample(text, i) + 5
				hits++
			}
		})
		fmt.Println("   hits per KB", float64(hits)/float64(len(text))*1024)
		rate("kinds sample", func() {
			hits = 0
			for i := 0; i+4 <= len(text); {
				i = kinds.sample(text, i) + 2
				hits++
			}
		})
		fmt.Println("   hits per KB", float64(hits)/float64(len(text))*1024)
		v := &view{text: text, end: true}
		rate("known find", func() { x.find(v, 0) })
		rate("kinds find", func() {
			for i := 0; i < len(text); {
				m, ok, _, _ := kinds.find(v, i)
				if !ok {
					break
				}
				i = m.end
			}
		})
	}
}
