package script_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

// What a script costs besides its calls, and what a call in it costs more than one from Go.
func BenchmarkScript(b *testing.B) {
	s := newSuite(b, config.Config{}, script.Options{}, map[string]string{"a.txt": strings.Repeat("0123456789\n", 2000)})
	script := func(code string) func(*testing.B) {
		raw, err := json.Marshal(map[string]string{"code": code})
		require.NoError(b, err)
		return func(b *testing.B) {
			for b.Loop() {
				if res, err := s.Call(b.Context(), "script", raw); err != nil || res.IsError {
					b.Fatal(res.Text, err)
				}
			}
		}
	}
	b.Run("nothing", script(`return 1`))
	b.Run("one read", script(`return (await tools.read({path: "a.txt"})).totalLines`))
	b.Run("eleven reads", script(`for (let i = 0; i < 11; i++) await tools.read({path: "a.txt"})`))
	b.Run("a read from Go", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Read(b.Context(), tools.ReadParams{Path: "a.txt"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
