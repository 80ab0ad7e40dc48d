//go:build linux

package hostile_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/spillway-go/spillway/truncation"
)

// added are tools that say too much of themselves, or return too much.
var added = []hostile{
	{name: "added: what tools say of themselves", opts: config.Config{Tools: []string{config.NoTools}}, calls: []call{
		{add: foreign{name: strings.Repeat("n", 1<<20)}, text: "has 1048576 bytes, over the limit of 128"},
		{add: foreign{name: "f", description: much("d", 16<<20)}, text: "over the limit of 32768"},
		{add: foreign{name: "f", schema: much(`{"a":`, 1<<21)}, text: "over the limit of 131072"},
		{add: foreign{name: "f", schema: much(`[`, 128<<10)}, text: "must be a JSON object"},
	}},
	{name: "added: what tools return", opts: config.Config{Tools: []string{config.NoTools}}, calls: []call{
		{add: foreign{name: "images", images: 1 << 20}},
		{add: foreign{name: "text", text: much("a\n", 1<<24)}},
		{tool: "images", args: args{}, text: "1048512 images left out (1023.9MB): a result holds at most 64 images, together 5MB"},
		{tool: "text", args: args{}, text: "a\na\n"},
	}},
	{name: "added: JSON documents", opts: config.Config{Tools: []string{config.NoTools}}, calls: []call{
		{add: document("deep", much("[", 1<<20))},
		{add: document("values", func() string { return "[" + strings.Repeat("0,", 249_000) + "1]" })},
		{add: document("members", func() string { return "[" + strings.Repeat(`{"a":{"b":[{},[]]}},`, 49_000) + "null]" })},
		{add: document("keys", func() string {
			var b strings.Builder
			for i := range 249_000 {
				fmt.Fprintf(&b, `,"k%d":%d`, i, i)
			}
			return "{" + b.String()[1:] + "}"
		})},
		{add: document("string", func() string { return `["` + strings.Repeat(`\ud83d\ude00`, 1<<20) + `"]` })},
		{tool: "string", args: args{}, text: "bytes left out]"},
		{tool: "deep", args: args{}, text: "Full output: "},
		{tool: "values", args: args{}, text: `"[248,998 left out: $[2..248999]]"`},
		{tool: "members", args: args{}, text: `"[48,998 left out: $[2..48999]]"`},
		{tool: "keys", args: args{}, text: "keys left out]"},
	}},
	{name: "added: many tools", opts: config.Config{Tools: []string{config.NoTools}}, more: func() (calls []call) {
		for i := range 1001 {
			calls = append(calls, call{add: foreign{name: fmt.Sprintf("f%d", i), description: much("d", 32<<10)}})
		}
		return calls
	}},
}

// much makes a text when it is asked for: a case must not hold those of others.
func much(text string, n int) func() string { return func() string { return strings.Repeat(text, n) } }

// document is a tool that returns a text, which is cut as JSON if it is a document.
func document(name string, text func() string) tools.Tool {
	return tools.Truncate(foreign{name: name, text: text}, truncation.Policy{Strategy: truncation.JSON})
}

// foreign is a tool of somebody else's.
type foreign struct {
	name                      string
	description, schema, text func() string // nil is none
	images                    int
}

func (f foreign) Name() string            { return f.name }
func (f foreign) Description() string     { return made(f.description, "") }
func (f foreign) Schema() json.RawMessage { return json.RawMessage(made(f.schema, "{}")) }

func made(text func() string, def string) string {
	if text == nil {
		return def
	}
	return text()
}

func (f foreign) Call(context.Context, json.RawMessage) (tools.Result, error) {
	res := tools.Result{Text: made(f.text, ""), Images: make([]tools.Image, f.images)}
	data := make([]byte, 1024)
	for i := range res.Images {
		res.Images[i] = tools.Image{MIMEType: "image/png", Data: data}
	}
	return res, nil
}

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

// updating is a patch for f, of which each hunk has a number in it.
func updating(n int, hunk func(i int) string) args {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n*** Update File: f\n")
	for i := range n {
		b.WriteString(hunk(i))
	}
	b.WriteString("*** End Patch")
	return args{"patch": b.String()}
}

var patches = []hostile{
	{
		name: "hunks for a file of many lines", build: fill("f", piece{"\t\ta\n", 4_900_000}), opts: config.Config{Tools: config.ToolNames()},
		more: func() []call {
			return []call{
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@ -%d,1 +%d,1 @@\n-\t\ta\n+%d\n", 4000*i+1, i, i) })},
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@ -%d,2 +%d,1 @@\n-a\n-a\n+%d\n", 4000*i+1, i, i) })},
				{tool: "apply_patch", args: updating(1000, func(i int) string { return strings.Repeat("@@ a\n", 10) + fmt.Sprintf("-\t\ta\n+%d\n", i) })},
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@\n%s-b%d\n", strings.Repeat(" a\n", 200), i) })},
			}
		},
	},
	{
		name: "hunks for one long line", build: fill("f", piece{"ab", 9_900_000}), opts: config.Config{Tools: config.ToolNames()},
		more: func() []call {
			return []call{
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@ b\n-%s\n+%d\n", strings.Repeat("ab", 1000), i) })},
				{tool: "apply_patch", args: updating(1, func(i int) string { return "@@\n-" + strings.Repeat("ab", patch.MaxBytes/4) + "\n+x\n" })},
			}
		},
	},
	{
		name: "two files as large as they may be", opts: config.Config{Tools: config.ToolNames()},
		build: together(fill("f", piece{"first\n", 1}, piece{"a line of text\n", 1_300_000}, piece{"last\n", 1}),
			fill("g", piece{"first\n", 1}, piece{"a line of text\n", 1_300_000}, piece{"last\n", 1})),
		calls: []call{{tool: "apply_patch", args: args{"patch": "*** Begin Patch\n*** Update File: f\n@@\n-first\n+1\n@@\n-last\n+2\n*** Update File: g\n@@\n-first\n+1\n@@\n-last\n+2\n*** End Patch"}}},
	},
	{
		name: "patches of megabytes", opts: config.Config{Tools: config.ToolNames()},
		more: func() (calls []call) {
			for _, text := range []string{
				strings.Repeat("\n", patch.MaxBytes), strings.Repeat("```\n", patch.MaxBytes/4), strings.Repeat("<<EOF\n", patch.MaxBytes/6),
				"*** Begin Patch\n*** Update File: f\n" + strings.Repeat("@@ a\n", 240_000), "*** Begin Patch\n" + strings.Repeat("*** Delete File: f\n", 200_000),
				strings.Repeat("--- a\n+++ b\n", 120_000), "*** Begin Patch\n*** Add File: x\n+" + strings.Repeat("x", patch.MaxBytes-100) + "\n*** End Patch",
			} {
				calls = append(calls, call{tool: "apply_patch", args: args{"patch": text}})
			}
			return calls
		},
	},
}

// side is the width and height of the pictures, in pixels.
const side = 8192

var pictures = []hostile{
	{name: "picture: a progressive JPEG", build: picture("p.jpg", func() []byte { return progressive(side, 1) }), calls: look},
	{name: "picture: a progressive JPEG of many scans", build: picture("p.jpg", func() []byte { return progressive(2048, 200) }), calls: look},
	{name: "picture: a PNG, interlaced, with 16 bits", build: picture("p.png", func() []byte { return interlaced(side) }), calls: look},
	{name: "picture: a GIF of several frames", build: picture("p.gif", frames), calls: look},
	{name: "picture: a PNG that promises more than it holds", build: picture("p.png", func() []byte { return interlaced(side)[:1000] }), calls: look},
}

// look reads a picture, by itself and several times in one call.
var look = []call{
	{tool: "read", args: args{"path": "p.jpg"}},
	{tool: "read", args: args{"path": "p.png"}},
	{tool: "read", args: args{"path": "p.gif"}},
	{tool: "read", args: args{"paths": []string{"p.jpg", "p.png", "p.gif", "p.jpg", "p.png", "p.gif"}}},
}

func picture(name string, data func() []byte) builder {
	return func(dir string) error { return fill(name, piece{string(data()), 1})(dir) }
}

// progressive is a grey JPEG (ITU-T T.81) in three components of full size, with one
// scan of DC coefficients and so many for AC. Every block is one bit of it in each.
func progressive(side, scans int) []byte {
	var b bytes.Buffer
	segment := func(marker byte, data ...byte) {
		b.Write([]byte{0xff, marker})
		binary.Write(&b, binary.BigEndian, uint16(len(data)+2))
		b.Write(data)
	}
	b.Write([]byte{0xff, 0xd8})
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	hi, lo := byte(side>>8), byte(side)
	segment(0xc2, 8, hi, lo, hi, lo, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
	for _, class := range []byte{0x00, 0x10} { // one code, of one bit, for the value 0
		segment(0xc4, append(append([]byte{class, 1}, make([]byte, 15)...), 0)...)
	}
	blocks := side / 8 * side / 8
	segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)
	b.Write(make([]byte, 3*blocks/8))
	for range scans {
		for component := byte(1); component <= 3; component++ {
			segment(0xda, 1, component, 0, 1, 63, 0)
			b.Write(make([]byte, blocks/8))
		}
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

// interlaced is a black PNG with 16 bits in each of four channels, in seven passes.
func interlaced(side int) []byte {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		binary.Write(&b, binary.BigEndian, uint32(len(data)))
		both := append([]byte(kind), data...)
		b.Write(both)
		binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(both))
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(side))
	header = binary.BigEndian.AppendUint32(header, uint32(side))
	chunk("IHDR", append(header, 16, 6, 0, 0, 1))
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	for _, pass := range [][2]int{{8, 8}, {8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}} { // distances between columns and rows
		row := make([]byte, 1+8*(side/pass[0]))
		for range side / pass[1] {
			z.Write(row)
		}
	}
	z.Close()
	chunk("IDAT", data.Bytes())
	chunk("IEND", nil)
	return b.Bytes()
}

// frames is a GIF of three frames.
func frames() []byte {
	p := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{p, p, p}, Delay: []int{1, 1, 1}}); err != nil {
		panic(err)
	}
	return b.Bytes()
}
