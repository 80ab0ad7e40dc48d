package redact

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const benchBytes = 8 << 20

// benchTexts returns texts without secrets.
func benchTexts(tb testing.TB) map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	texts := map[string][]byte{}
	var b bytes.Buffer
	for i := 0; b.Len() < benchBytes; i++ {
		fmt.Fprintf(&b, "2026-11-23T10:%02d:%02d.%03dZ INFO  request id=%016x GET https://api.internal/v1/items/%d?page=%d 200 %dms\n",
			i/60%60, i%60, r.IntN(1000), r.Uint64(), r.IntN(1e6), r.IntN(50), r.IntN(900))
	}
	texts["log"] = bytes.Clone(b.Bytes())
	b.Reset()
	for _, dir := range []string{"../../tools", "../proc", "../match"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(tb, err)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(tb, err)
			b.Write(text)
		}
	}
	texts["source"] = bytes.Repeat(b.Bytes(), 1+benchBytes/b.Len())[:benchBytes]
	b.Reset()
	for b.Len() < benchBytes {
		fmt.Fprintf(&b, "function %c(e,t){var n=this.%c||{};return e.%c&&t?(n.key=e,n.value=t.length>%d?t[0]:null,r(n,e=>!e.token)):void 0}",
			'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26), r.IntN(100))
	}
	texts["minified"] = bytes.Clone(b.Bytes())
	raw := make([]byte, benchBytes*3/4)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	texts["base64"] = []byte(base64.StdEncoding.EncodeToString(raw))
	return texts
}

func BenchmarkMask(b *testing.B) {
	known := New(Options{Values: func() []string { return values }})
	only := New(Options{Kinds: true})
	for name, text := range benchTexts(b) {
		for _, mode := range []struct {
			name string
			r    *Redactor
		}{{"known", known}, {"kinds", only}, {"both", both()}} {
			b.Run(name+"/"+mode.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					w := mode.r.NewWriter(io.Discard)
					w.Write(text)
					w.Flush()
				}
			})
		}
	}
}
