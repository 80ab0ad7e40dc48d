package quickjs_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/quickjs"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func newVM(t testing.TB, host map[string]quickjs.Func) *quickjs.VM {
	t.Helper()
	vm, err := quickjs.New(16<<20, host)
	require.NoError(t, err)
	return vm
}

// Values pass between Go and JavaScript, and what JavaScript throws is an error.
func TestVM(t *testing.T) {
	t.Parallel()
	var vm *quickjs.VM
	vm = newVM(t, map[string]quickjs.Func{
		"join":    func(args []quickjs.Value) any { return vm.String(args[0]) + "\x00" + vm.String(args[1]) },
		"twice":   func(args []quickjs.Value) any { return 2 * vm.Number(args[0]) },
		"nothing": func([]quickjs.Value) any { return nil },
	})
	for code, want := range map[string]string{
		`join("ä\u0000", "\ud800")`:      "ä\x00\x00\uFFFD",
		`String(twice(2.5))`:             "5",
		`typeof nothing()`:               "undefined",
		`typeof std + typeof os`:         "undefinedundefined",
		`new Date(0).toISOString()`:      "1970-01-01T00:00:00.000Z",
		`[3, 1, 2].sort().join()`:        "1,2,3",
		`(0.1 + 0.2).toString()`:         "0.30000000000000004",
		`(2n ** 70n).toString()`:         "1180591620717411303424",
		`"a-b".replace(/(\w)-/u, "$1+")`: "a+b",
	} {
		v, err := vm.Eval(code, "code")
		require.NoError(t, err, code)
		require.Equal(t, want, vm.String(v), code)
		vm.Free(v)
	}
	_, err := vm.Eval("\nnull.x", "code")
	var thrown *quickjs.Thrown
	require.ErrorAs(t, err, &thrown)
	require.Equal(t, "TypeError", thrown.Name)
	require.Contains(t, thrown.Stack, "code:2:")
	f, err := vm.Eval(`(a, b) => a + b`, "code")
	require.NoError(t, err)
	v, err := vm.Call(f, "x", 3)
	require.NoError(t, err)
	require.Equal(t, "x3", vm.String(v))
	require.Regexp(t, `^\d+\.\d+\.\d+$`, vm.Version())
}

// A promise that is rejected is told while nothing handles it, and when something does.
func TestRejections(t *testing.T) {
	t.Parallel()
	vm := newVM(t, nil)
	var told []string
	vm.Rejections(func(promise, reason quickjs.Value, handled bool) {
		if told = append(told, vm.String(reason)); handled {
			told = append(told, "handled")
		}
		vm.Free(promise)
		vm.Free(reason)
	})
	_, err := vm.Eval(`const p = Promise.reject("a"); Promise.reject("b"); Promise.resolve().then(() => p.catch(() => {}))`, "code")
	require.NoError(t, err)
	for more := true; more; {
		more, err = vm.Job()
		require.NoError(t, err)
	}
	require.Equal(t, []string{"a", "b", "a", "handled"}, told)
}

// An engine that is stopped from elsewhere runs nothing more.
func TestStop(t *testing.T) {
	t.Parallel()
	vm := newVM(t, nil)
	go vm.Stop()
	for _, code := range []string{`for (;;);`, `1`} {
		_, err := vm.Eval(code, "code")
		require.ErrorIs(t, err, quickjs.ErrStopped, code)
	}
}

// An engine that has no memory or nests too deeply says so, and the program goes on.
func TestEnds(t *testing.T) {
	testkit.NotUnderRace(t) // nothing here is shared, and it takes a minute there
	t.Parallel()
	for _, code := range []string{
		`new Uint8Array(1e9)`,
		`const l = []; for (;;) l.push("x".repeat(1000) + l.length)`,
		`new RegExp("(?:".repeat(1e6))`,
		`new RegExp("(?=".repeat(1e6))`,
		`new RegExp("[".repeat(1e6), "v")`,
		`JSON.parse("[".repeat(1e6))`,
		`eval("[".repeat(1e6))`,
		`eval("{".repeat(1e6))`,
		`eval("-".repeat(1e6) + "1")`,
		`eval("a=>".repeat(1e5) + "1")`,
		`eval("1" + "**1".repeat(1e6))`,
		`let s = "a"; for (let i = 0; i < 1e6; i++) s = "b" + s; throw s.length`,
		`let s = "a"; for (let i = 0; i < 1e6; i++) s += i + "c"; throw s[5]`,
		`let a = []; for (let i = 0; i < 1e5; i++) a = [a]; throw String(a)`,
		`let a = []; for (let i = 0; i < 1e5; i++) a = [a]; throw a.flat(Infinity)`,
		`let a = []; for (let i = 0; i < 1e5; i++) a = new Proxy(a, {}); throw a.x`,
		`let a = () => 1; for (let i = 0; i < 1e5; i++) a = a.bind(); throw a()`,
		`let a = {}; for (let i = 0; i < 2e3; i++) a = {__proto__: a}; throw a.x`,
		`let a = {}; for (let i = 0; i < 3e5; i++) a = {a}; a = null; throw 1`,
		`const f = () => f(); f()`,
		`new (class A { constructor() { new A() } })`,
		`const o = {get x() { return this.x }}; o.x`,
		`const o = {toString() { return "" + this }}; "" + o`,
		`[1, 2].sort(function f() { [1, 2].sort(f) })`,
		`"ab".replace(/a/, function f() { return "ab".replace(/a/, f) })`,
		`JSON.parse("[1]", function f() { JSON.parse("[1]", f) })`,
	} {
		_, err := newVM(t, nil).Eval(code, "code")
		require.Error(t, err, code)
		require.False(t, strings.HasPrefix(err.Error(), "quickjs: "), "%s: %v", code, err)
	}
}

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
