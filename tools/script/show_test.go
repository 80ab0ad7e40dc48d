package script_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

// Plain values are JSON, and all others are what a console shows: none becomes {} or null (earendil-works/pi#11901).
func TestShow(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, nil)
	for value, want := range map[string]string{
		`{a: [1, "x", null, true, undefined]}`:           `{"a":[1,"x",null,true,null]}`,
		`{a: new Date(0)}`:                               `{"a":"1970-01-01T00:00:00.000Z"}`,
		`new (class P { constructor() { this.x = 1 } })`: `{"x":1}`,
		`{toJSON() { return [1] }}`:                      `[1]`,
		`{get x() { return 1 }}`:                         `{"x":1}`,
		`NaN`:                                            `NaN`, `-Infinity`: `-Infinity`, `10n`: `10`, `[10n]`: `[ 10n ]`, `[NaN, -0]`: `[ NaN, -0 ]`,
		`new Map([["a", {b: 1}], [2, new Map()]])`: `Map(2) { "a" => { b: 1 }, 2 => Map(0) {} }`,
		`new Set([1, "a"])`:                        `Set(2) { 1, "a" }`,
		`/a+/g`:                                    `/a+/g`,
		`[/a/]`:                                    `[ /a/ ]`,
		`new Date(0)`:                              `1970-01-01T00:00:00.000Z`,
		`[new Date(NaN)]`:                          `[ Invalid Date ]`,
		`(function* g() {})()`:                     `Object [Generator] {}`,
		`[Promise.resolve(5)]`:                     `[ Promise { 5 } ]`,
		`[new Promise(() => {})]`:                  `[ Promise { <pending> } ]`,
		`{e: new RangeError("no")}`:                `{ e: RangeError: no }`,
		`await Promise.allSettled([Promise.reject(new TypeError("no")), 1])`: `[ { status: "rejected", reason: TypeError: no }, ` +
			`{ status: "fulfilled", value: 1 } ]`,
		`await Promise.allSettled([tools.read({path: "none"})]).then((l) => [l[0].reason.code, String(l[0].reason).slice(0, 20)])`: `["not_found","ToolError: not_found"]`,
		`{f() {}, g: class A {}, s: Symbol("x")}`: `{ f: [Function: f], g: [class A], s: Symbol(x) }`,
		`() => 1`:                `[Function: (anonymous)]`,
		`new Uint8Array([1, 2])`: `Uint8Array(2) [ 1, 2 ]`,
		`[new Float64Array(1), new ArrayBuffer(5)]`: `[ Float64Array(1) [ 0 ], ArrayBuffer { 5 bytes } ]`,
		`new WeakMap()`: `Object [WeakMap] {}`,
		`(() => { const a = {b: []}; a.b.push(a); return a })()`:  `{ b: [ [Circular] ] }`,
		`new Proxy({a: 1}, {})`:                                   `{"a":1}`,
		`Object.assign(() => 1, {[Symbol.toStringTag]: "Map"})`:   `[Function: (anonymous)]`,
		`{__proto__: Map.prototype, [Symbol.toStringTag]: "Map"}`: `{}`,
	} {
		if strings.HasPrefix(value, "() =>") { // all of the code is then a function that is run
			value = "[" + value + "][0]"
		}
		require.Equal(t, want+"\n", run(t, s, `print(`+value+`)`).Text, value)
		if !strings.Contains(value, "Promise") {
			require.Equal(t, want, run(t, s, `return `+value).Text, value)
		}
	}
	require.Equal(t, "NaN Infinity [ 1n ] {\"a\":1}\n", run(t, s, `print(NaN, Infinity, [1n], {a: 1})`).Text)
	for value, json := range map[string]bool{`new Map()`: false, `{a: 1}`: true, `[1n]`: false, `5`: false} {
		details := run(t, s, `return `+value).Details.(tools.TruncatedDetails).Details
		require.Equal(t, script.Details{JSON: json}, details, value)
	}
}

// What is shown is bounded, whatever a script makes of its values.
func TestShowIsBounded(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Minute}, nil)
	require.Equal(t, "[ [ [ [ [ [ [ [Array] ] ] ] ] ] ] ]\n", run(t, s, `let a = [1n]; for (let i = 0; i < 50; i++) a = [a]; print(a)`).Text)
	require.Contains(t, run(t, s, `print(new Set(Array(5000).keys()))`).Text, "999, ... 4000 more }")
	s = newSuite(t, config.Config{}, script.Options{MaxCPU: time.Second}, nil)
	brief := newSuite(t, config.Config{}, script.Options{MaxCPU: 50 * time.Millisecond}, nil) // for what takes all of it
	for code, want := range map[string]tools.Code{
		`const m = new Map(); m.get = m.set(m, m); print(m)`:                                           "",
		`print([1n, new Proxy({}, {ownKeys() { for (;;); }})])`:                                        tools.CodeTimeout,
		`print([1n, new Proxy({}, {ownKeys() { throw 1 }})])`:                                          tools.CodeInvalidInput,
		`const a = {}; a.x = a.y = a.z = [a, a, 1n]; print(a)`:                                         "",
		`const l = [1n]; for (let i = 0; i < 40; i++) l.push(l.slice()); print(l)`:                     tools.CodeTimeout,
		`throw {a: new Map([["k", [1n]]])}`:                                                            tools.CodeInvalidInput,
		`throw new Proxy({}, {get() { for (;;); }})`:                                                   tools.CodeTimeout,
		`Promise.reject(new Proxy({}, {get() { for (;;); }})); return 1`:                               "",
		`Promise.reject({get message() { throw 1 }}); return 1`:                                        "",
		fmt.Sprintf(`for (let i = 0; i < %d; i++) Promise.reject(i); return 1`, testkit.Some(100_000)): "",
		`Map.prototype.entries = Set.prototype.values = null; print([new Map([[1, 2]])])`:              "",
		fmt.Sprintf(`for (let i = 0; i < %d; i++) await null; return 1`, testkit.Some(600_000)):        "",
	} {
		in := s
		if want == tools.CodeTimeout || strings.Contains(code, "for (;;)") {
			in = brief
		}
		res := run(t, in, code)
		if res.Code != tools.CodeTimeout { // a busy machine has no time for more
			require.Equal(t, want, res.Code, "%s: %.300s", code, res.Text)
		}
	}
}

// What was thrown is shown, and each end is told by what happened.
func TestThrown(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Hour, MaxMemory: 8 << 20}, nil)
	for code, want := range map[string]string{
		`throw {a: 1}`:                     `invalid_input: the script threw {"a":1}`,
		`throw null`:                       `invalid_input: the script threw null`,
		`throw undefined`:                  `invalid_input: the script threw undefined`,
		`throw "text"`:                     `invalid_input: the script threw text`,
		`throw [new Map()]`:                `invalid_input: the script threw [ Map(0) {} ]`,
		`throw new Error("out of memory")`: `invalid_input: line 1, column 11 (throw new Error("out of memory")): Error: out of memory`,
		`await new Promise(() => {})`:      `invalid_input: the script waits for a promise that nothing settles. Await calls of tools alone`,
		`const l = []; for (;;) l.push("x".repeat(1000) + l.length)`:       `needs more than 8MB of memory. Read less at a time, or let bash do it`,
		`const l = []; for (;;) await l.push("x".repeat(1000) + l.length)`: `needs more than 8MB of memory`,
		`const f = () => f() + 1; f()`:                                     `the calls of functions are nested too deeply. Use a loop`,
	} {
		text := run(t, s, code).Text
		require.Contains(t, text, want, code)
	}
}

// What nothing awaits or handles is named, with its line.
func TestLeft(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	const head = "\n\nLeft behind by the script:\n- "
	for code, want := range map[string]string{
		`["a.txt", "b.txt"].forEach(async (path) => {
  await tools.edit({path, old_string: "nosuch", new_string: "x"});
});
return "all edited"`: "all edited" + head + "line 2: nothing handles ToolError: not_found: old_string is not in ",
		"tools.read({path: 'none'}).then((r) => print(r.text));\nreturn 1": "1" + head + "line 1: nothing handles ToolError: not_found: none",
		"const r = tools.grep({pattern: 'one'});\nreturn r.lines?.length ?? 0": "0" + head +
			"line 1: nothing awaits tools.grep. Write await before it",
		"for (const p of ['a.txt', 'b.txt']) tools.read({path: p});\nreturn 1": "1" + head +
			"line 1: nothing awaits 2 calls of tools.read. Write await before it",
		"Promise.reject(new TypeError('no'));\nPromise.reject(5); return 1": "1" + head +
			"line 1: nothing handles TypeError: no\n- nothing handles 5",
		"(async () => {\nnull.x })(); await tools.ls({}); return 1": "1" + head + "line 2: nothing handles TypeError: cannot read property",
	} {
		res := run(t, s, code)
		require.False(t, res.IsError, code)
		require.Contains(t, res.Text, want, code)
	}
	for _, code := range []string{
		`const p = Promise.reject(1); await tools.ls({}); await p.catch(() => {}); return 1`,
		`const all = [tools.ls({}), tools.read({path: "none"})]; await Promise.allSettled(all); return 1`,
		`const p = tools.read({path: "none"}); await tools.ls({}); try { await p } catch { } return 1`,
		`return (await Promise.race([tools.ls({}), tools.ls({})])) && 1`,
		`await Promise.any([Promise.reject(1), 2]); return 1`,
	} {
		require.Equal(t, "1", run(t, s, code).Text, code)
	}
	text := run(t, s, `for (let i = 0; i < 2500; i++) Promise.reject(new Error("no " + i)); return 1`).Text
	require.Equal(t, 10, strings.Count(text, "nothing handles"))
	require.Contains(t, text, "\n- 2490 more, which are not shown")
}

// Code that is a function as a whole is run, and so is code in a fence of Markdown.
func TestWholeCode(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, map[string]string{"a.txt": "one\n"})
	const read = `return (await tools.read({path: "a.txt"})).totalLines`
	for _, code := range []string{
		`async () => { ` + read + ` }`, `async () => { ` + read + ` };`, `async function main() { ` + read + ` }`,
		"// It reads.\n/* one\nfile */ async function () {\n" + read + "\n}\n", `(async () => { ` + read + ` })()`,
		`(async () => { ` + read + ` })();` + "\n", "```js\n" + read + "\n```", "```\n" + read + "\n```\n", "\n```javascript\nasync () => {\n" + read + "\n}\n```",
		`async x => { ` + read + ` }`, `async function main() { ` + read + " }\nreturn main()", read,
		"(async () => 5)();\n" + read,
	} {
		require.Equal(t, "1", run(t, s, code).Text, code)
	}
	require.Contains(t, run(t, s, "async () => {\n  return 1;\n  } }").Text, "SyntaxError")
	require.Contains(t, run(t, s, "async () => {\n  throw new Error('no');\n}").Text, "line 2, column ")
	require.Equal(t, "```", run(t, s, "return '```'").Text)
}

// A tool that there is not is an error that names those that there are.
func TestMissingTools(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, nil)
	const all = "There are read, bash, grep, find, ls, write, edit, job"
	require.Contains(t, run(t, s, `await tools.reed({})`).Text, "line 1, column 7 (await tools.reed({})): Error: there is no tool reed. Did you mean tools.read? "+all)
	require.Contains(t, run(t, s, `await tools.Read({})`).Text, "there is no tool Read. Did you mean tools.read? "+all)
	require.Contains(t, run(t, s, `await tools["\n".repeat(500)]({})`).Text, `there is no tool "\n`)
	require.Equal(t, "false true", run(t, s, `return ("web" in tools) + " " + ("read" in tools)`).Text)
	require.Contains(t, run(t, s, `print(tools)`).Text, "{ read: [Function: ")
}
