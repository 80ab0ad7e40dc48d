//go:build linux

package hostile_test

import (
	"github.com/spillway-go/spillway/tools/script"
)

// scripts are those that never end, or need more than there is.
var scripts = []hostile{
	{name: "script: that never ends", script: true, calls: scriptCalls(
		`while (true) {}`, `for (;;) await null`, `/^(a+)+$/.test("a".repeat(40) + "!")`, `return {toJSON() { while (true) {} }}`,
		`try { while (true) {} } finally { while (true) {} }`, `await tools.bash({command: "sleep 60"})`,
		`for (;;) await tools.ls({})`, `await Promise.together(Array.from({length: 900}, () => tools.bash({command: "yes"})))`,
	)},
	{name: "script: that needs all memory", script: true, calls: scriptCalls(
		`let a = "x"; for (;;) a += a`, `const list = []; for (;;) list.push({})`, `new Array(1e9).fill(0)`, `function f() { return f() + 1 } f()`,
		`for (;;) print("x".repeat(1e6))`, `const p = "x".repeat(1e7); for (;;) tools.ls({path: p})`, `return "x".repeat(5e7)`,
		`return Array.from({length: 3e6}, (_, i) => i)`, `let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a`, `JSON.parse("[".repeat(1e7))`,
	)},
	{name: "script: that reads all there is", script: true, build: fill("f", piece{letters + "\n", 600_000}), calls: scriptCalls(
		`const all = []; for (let offset = 1; offset;) { const page = await tools.read({path: "f", offset}); all.push(page); offset = page.nextOffset }`,
		`await Promise.together(Array.from({length: 900}, (_, i) => tools.grep({pattern: "a", offset: i * 1000})))`,
	)},
	{name: "script: that reads pictures again and again", script: true, calls: scriptCalls(
		`for (;;) await tools.read({path: "p.png"}).catch(() => {})`,
		`await Promise.together(Array.from({length: 300}, () => tools.read({path: "p.png"}).catch(() => {})))`,
	), build: picture("p.png", func() []byte { return append(interlaced(16), make([]byte, 4<<20)...) })},
	{name: "script: whose calls fail with all that they were given", script: true, calls: scriptCalls(
		`const old_string = "x".repeat(4e6); for (;;) await tools.edit({path: "none", old_string, new_string: "y"}).catch(() => {})`,
	)},
}

// scriptCalls are calls of scripts.
func scriptCalls(codes ...string) (calls []call) {
	for _, code := range codes {
		calls = append(calls, call{tool: script.Name, args: args{"code": code}})
	}
	return calls
}
