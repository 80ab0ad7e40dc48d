package jsoncut

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// Documents of the smallest values, and one that is like those of programs. None has more than maxValues.
func BenchmarkScanner(b *testing.B) {
	for _, kind := range []struct{ name, element string }{
		{"numbers", "0,"}, {"members", `{"a":{"b":[{},[]]}},`},
		{"objects", `{"name": "pod-%d", "phase": "Running", "labels": {"app": "shop", "hash": "x%d"}, "restarts": 0},`},
	} {
		var text strings.Builder
		text.WriteString("[")
		for i := 0; text.Len() < 256<<10; i++ {
			if strings.Contains(kind.element, "%d") {
				fmt.Fprintf(&text, kind.element, i, i)
			} else {
				text.WriteString(kind.element)
			}
		}
		text.WriteString("1]")
		data := []byte(text.String())
		b.Run(kind.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				var s Scanner
				if s.Write(data); s.Failed() {
					b.Fatal("it is a document")
				}
			}
		})
		b.Run(kind.name+"/indent", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := Indent(io.Discard, strings.NewReader(text.String())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
