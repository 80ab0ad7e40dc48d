package quickjs_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a start costs, and what computes.
func BenchmarkVM(b *testing.B) {
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			newVM(b, nil)
		}
	})
	for name, code := range map[string]string{
		"fib(24)": `(function () { const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); return fib(24) })()`,
		"object":  `(function () { const o = {}; for (let i = 0; i < 1e5; i++) { const k = "k" + i % 97; o[k] = (o[k] || 0) + i } return o })()`,
		"sort":    `(function () { const a = []; for (let i = 0; i < 1e5; i++) a.push((i * 7919) % 100003); return a.sort((x, y) => x - y) })()`,
		"json":    `JSON.parse(JSON.stringify(Array.from({length: 2e4}, (_, i) => ({a: i, b: "x" + i})))).length`,
	} {
		vm := newVM(b, nil)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v, err := vm.Eval(code, "code")
				require.NoError(b, err)
				vm.Free(v)
			}
		})
	}
}
