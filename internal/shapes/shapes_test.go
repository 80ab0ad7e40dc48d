package shapes

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// report is the report of a text that is written in pieces of that size.
func report(text string, piece int) Report {
	var f Finder
	for len(text) > 0 {
		n := min(piece, len(text))
		f.Write([]byte(text[:n]))
		text = text[n:]
	}
	return f.Report()
}

// numbers are those of the lines that tell something.
func numbers(r Report) (list []int) {
	for _, line := range r.Lines {
		if line.Tells() {
			list = append(list, line.Number)
		}
	}
	return list
}

func repeated(line string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

func TestStandsOut(t *testing.T) {
	run := repeated("=== RUN   TestCase%d", 300)
	for name, test := range map[string]struct {
		text string
		want []int
	}{
		"a rare shape":                  {run + "the disk is nearly full\n" + run, []int{301}},
		"not where nothing repeats":     {prose(3000) + "the disk is nearly full, as it seems\n" + prose(100), nil},
		"not in a short text":           {repeated("=== RUN   TestCase%d", 20) + "panic: no\n", nil},
		"a failure":                     {run + "--- FAIL: TestCase7 (0.01s)\n" + run, []int{301}},
		"with the lines in front of it": {run + "    case_test.go:12: got 3, want 4\n--- FAIL: TestCase7 (0.01s)\n" + run, []int{301, 302}},
		"with the lines behind it":      {run + "main.c:3:9: error: no member\n    3 | x.y\n      |   ^\n" + run, []int{301, 302}},
		"a trace":                       {run + "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1d\n" + run, []int{301, 303, 304, 305}},
		"one that is common":            {repeated("ERROR: %d is late", 300), nil},
		"not a word that varies":        {repeated("Unpacking libsome%d ...", 300) + "Unpacking gcc ...\nUnpacking make ...\n" + run, nil},
		"not where a name is elsewhere": {repeated("Unpacking libsome%d ...", 300) + "Unpacking gcc ...\n" + run, nil},
		"what runs":                     {repeated("=== RUN   TestCase/%d", 300) + "=== RUN   TestOther/some:_words_more\n" + repeated("=== RUN   TestCase/%d", 99), nil},
		"the words of passing tests":    {repeated("  ✔ does %d things as it should (1ms)", 40) + repeated("  ✔ fails %d times with an error (2ms)", 40) + "  ✖ ends well (3ms)\n    want 3, got 4\n" + run, []int{81, 82}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, numbers(report(test.text, len(test.text))))
		})
	}
}

// prose is text in which no line is like another one.
func prose(lines int) string {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("of the and to in that was his it with is for had you not be her on at by which have or from this him but all she they were my are me one their so an said them we who would been will no when there if more out up into do any your what has man could other than our some very time upon about may its only now like little then can made should did us such great before must two these see know over much down after first good men own never most old shall day where those came come himself way work life without go make well through being long say might how am too even def again many back here think every people went same last thought away under take found hand eyes still place while just also young yet though against things get ever give god years off face nothing right once another left part saw house world head three took new love always mrs put night each king between tell mind heart few because thing whom far seemed looked called whole de set both got find done heard look name days told let lord country asked going seen better having home knew side something moment father among course hands woman enough words mother soon full end gave room almost small thou cannot water want however light quite brought nor word whose given door best turned taken does use felt until since power used rather began present voice others white works less money next poor death stood form within together till thy large matter kind often certain herself year friend half order round true anything keep sent wife means believe passed feet near public state hundred thus hope alone above case dear thee says person high read city already received fact gone girl known hear times least perhaps sure indeed english open body itself along land return leave air nature answered either law help lay point child letter four wish fire cried women speak number therefore hour friends held free war during several business whether manner second reason replied united call general why behind became john become dead earth boy lost forth thousand looking family feel coming england question care truth ground really rest mean different making possible fell towards human kept short town following need cause met evening returned five strong able french live lady subject sn answer sea fear understand hard terms doubt around arms turn sort spirit wanted")
	var b strings.Builder
	for range lines {
		for i := range 6 + r.IntN(8) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(words[r.IntN(len(words))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestJudge(t *testing.T) {
	for line, want := range map[string]kind{
		"main.c:12:5: error: ‘x’ undeclared":                                      fails,
		"./main.go:12:5: undefined: x":                                            fails,
		"vet: ./main.go:12:5: undefined: x":                                       fails,
		"src/a.ts(12,5): error TS2304: Cannot find name 'x'.":                     fails,
		"error[E0308]: mismatched types":                                          fails,
		"error TS6053: File not found.":                                           fails,
		"main.c:12:5: warning: unused variable ‘x’":                               warns,
		"main.c:12:5: note: in expansion of macro":                                nothing,
		"/usr/bin/ld: main.o: undefined reference to `f'":                         fails,
		"make: *** [Makefile:12: all] Error 2":                                    sumsUp,
		"--- FAIL: TestX (0.00s)":                                                 fails,
		"    --- FAIL: TestX/y (0.00s)":                                           fails,
		"FAIL\texample.com/x\t0.01s":                                              sumsUp,
		"FAIL: test_x (mod.Case)":                                                 fails,
		"test_x (mod.Case) ... FAIL":                                              fails,
		"test x::y ... FAILED":                                                    fails,
		"a/test_a.py::test_b FAILED                         [ 12%]":               fails,
		"E       assert 1 == 2":                                                   fails,
		"not ok 12 - adds":                                                        fails,
		"✖ adds (3ms)":                                                            fails,
		"Traceback (most recent call last):":                                      fails,
		"ValueError: no":                                                          fails,
		"java.lang.IllegalStateException: no":                                     fails,
		"Exception in thread \"main\" java.lang.Error":                            fails,
		"Caused by: java.io.IOException":                                          fails,
		"panic: runtime error: index out of range":                                fails,
		"thread 'main' panicked at src/main.rs:3:5:":                              fails,
		"Segmentation fault (core dumped)":                                        fails,
		"bash: line 1: foo: command not found":                                    fails,
		"sh: 1: foo: not found":                                                   fails,
		"cp: cannot open 'x' for reading: Permission denied":                      fails,
		"tar: x: Cannot open: No such file or directory":                          fails,
		"rsync error: some files could not be transferred (code 23)":              fails,
		"curl: (7) Failed to connect to x port 80: Connection refused":            fails,
		"E: Unable to locate package x":                                           fails,
		"W: Failed to fetch x":                                                    fails,
		"dpkg: error processing package x (--configure):":                         fails,
		"npm ERR! code 1":                                                         fails,
		"npm error code 1":                                                        fails,
		"npm warn deprecated x":                                                   warns,
		"2026-01-02T03:04:05Z ERROR worker: gave up":                              fails,
		"2026-01-02 03:04:05,678 - app - ERROR - gave up":                         fails,
		"2026-01-02 03:04:05 error request=1":                                     fails,
		"[error] 1234#0: upstream timed out":                                      fails,
		`{"time":"2026-01-02","level":"error","msg":"gave up"}`:                   fails,
		`{"time":"2026-01-02","level":"warn","msg":"slow"}`:                       warns,
		`time=2026-01-02 level=error msg="gave up"`:                               fails,
		"Jan  2 03:04:05 host kernel: [1.2] BUG: unable to handle":                fails,
		"[    1.234567] I/O error, dev sda, sector 1":                             fails,
		"│ Error: creating bucket":                                                fails,
		"3 failed, 12 passed in 0.3s":                                             sumsUp,
		"exit status 1":                                                           sumsUp,
		"web_1  | Error: listen EADDRINUSE":                                       fails,
		"[ 5062.3] EXT4-fs error (device sdc1): no":                               fails,
		"[ 5062.3] ata3.00: failed command: READ FPDMA QUEUED":                    fails,
		"chown: invalid user: 'x'":                                                fails,
		"##[error]Process completed with exit code 1":                             sumsUp,
		"UNIQUE constraint failed: receipt.id":                                    fails,
		"CMake Error at CMakeLists.txt:138 (message):":                            fails,
		"*func(io.Reader) error":                                                  nothing,
		"saveError":                                                               nothing,
		"ERROR":                                                                   fails,
		"EXCEPTION":                                                               nothing,
		"    message: \"ERROR: x failed for 5 minutes\"":                          nothing,
		"fatal: not a git repository":                                             fails,
		"Unhandled exception. System.Exception: no":                               fails,
		"Aborted (core dumped)":                                                   fails,
		"0 errors, 0 warnings":                                                    nothing,
		"errors: 0":                                                               nothing,
		"error: 0":                                                                nothing,
		"failed: 0":                                                               nothing,
		"Tests: 0 failed, 30 passed":                                              nothing,
		"no errors found":                                                         nothing,
		"exit status 0":                                                           nothing,
		"gcc -Werror -c error.c -o error.o":                                       nothing,
		"go test --fail-fast ./...":                                               nothing,
		"--- PASS: TestErrorIsNil (0.00s)":                                        nothing,
		"=== RUN   TestPanic/fatal:_error:_x":                                     nothing,
		"ok 12 - reports error: no":                                               nothing,
		"✔ says error: no (3ms)":                                                  nothing,
		"test_error (mod.Case) ... ok":                                            nothing,
		"a/test_a.py::test_b[error: x] PASSED [ 12%]":                             nothing,
		"    x_test.go:12: got expected error: not found":                         nothing,
		"+ echo error: failed":                                                    nothing,
		"compiling src/error.go":                                                  nothing,
		"drwxr-xr-x 2 root root 4096 Jan  2 03:04 error":                          nothing,
		"return errors.New(\"failed\")":                                           nothing,
		`time=2026-01-02 level=info msg="request served" error_rate=0 errors=0`:   nothing,
		"The function reports an error if the file cannot be read.":               nothing,
		"downloading failed-tests-0.1.0.tgz":                                      nothing,
		"level=info":                                                              nothing,
		"warning: 'x' is deprecated":                                              warns,
		"an error occurred":                                                       nothing,
		`{"name":"error","id":3}`:                                                 nothing,
		"handler.go:12: error rate 0.1%":                                          nothing,
		`127.0.0.1 - - [02/Jan/2026:03:04:05 +0000] "GET /errors HTTP/1.1" 200 1`: nothing,
	} {
		assert.Equal(t, want, judge([]byte(line)).kind, "%s", line)
	}
}

// A phrase is told by its place in the table from what is no phrase.
func TestFamilies(t *testing.T) { require.Less(t, len(phrases), int(aMessage)) }

// texts have what the finder tells apart, in any order.
func texts(r *rand.Rand, lines int) string {
	kinds := []string{
		"=== RUN   TestCase%d", "--- PASS: TestCase%d (0.0%[1]ds)", "--- FAIL: TestCase%d (0.01s)", "    case_test.go:%d: got 3, want 4", "",
		"panic: %d", "goroutine %d [running]:", "\t/src/main.go:%d +0x1d", "  %d |  x", "     ^", "%d errors", "0 failed, %d passed", "error: no %d",
		"2026-01-02 10:11:%02d INFO served /x/%[1]d in %[1]dms", `{"level":"info","n":%d}`, `{"level":"error","n":%d}`, "Unpacking lib%d ...", "%x",
		strings.Repeat("long ", 100) + "%d", strings.Repeat("long ", 100) + `"n":%d,"level":"error"`, "[  FAILED  ] T.c%d (1 ms)", "[       OK ] T.c%d (1 ms)", "PASS: a %x", "FAIL: a %x",
		"! [rejected] a%d -> b", "2026-01-02T10:11:12.5Z x%d ... ok", "\x1b[31mFAILED\x1b[0m a%d", "Process completed with exit code %d", "é ü 漢字 %d", "\xff\xfe%d", "id=%x-%[1]x ok", `{"id":"%x","k%[1]d":1,"a b":"%[1]o c"}`, "  %x) x", "%x./%[1]x. a", "it's %x 'a %[1]d b' \"%[1]x", `"%x y": '%[1]d' \n%[1]x`, "..%x %%%%%[1]d", "ok %x - %[1]d", "warning: %d", "%d",
	}
	some := kinds[r.IntN(len(kinds)):]
	var b strings.Builder
	for i := 0; i < lines; {
		kind := kinds[r.IntN(len(kinds))]
		if r.IntN(3) > 0 {
			kind = some[r.IntN(len(some))]
		}
		for range 1 + r.IntN(20)*r.IntN(2) {
			if strings.Contains(kind, "%") {
				fmt.Fprintf(&b, kind, r.IntN(1<<r.IntN(24)))
			} else {
				b.WriteString(kind)
			}
			b.WriteByte('\n')
			i++
		}
		if r.IntN(200) == 0 {
			b.WriteString(prose(r.IntN(100)))
		}
	}
	return b.String()
}

// How a text is divided does not matter, nor do the ways around looking at each line.
func TestChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range testkit.Some(60) {
		text := texts(r, 1+r.IntN(2000))
		var at Finder
		at.Write([]byte(text))
		whole := at.Report()
		for _, piece := range []int{1, 7, 80, 1 << 10, 32 << 10} {
			parts := report(text, piece)
			require.Equal(t, whole.Lines, parts.Lines, "in pieces of %d", piece)
			require.Equal(t, whole.Totals, parts.Totals, "in pieces of %d", piece)
		}
		var slow Finder
		for _, line := range strings.SplitAfter(text, "\n") {
			slow.Write([]byte(line))
			slow.layouts.forget() // so that no line is recognized
		}
		slowly := slow.Report()
		require.Equal(t, whole.Lines, slowly.Lines)
		require.Equal(t, whole.More, slowly.More)
		require.Equal(t, whole.Totals, slowly.Totals)
		failing, warning := told(text)
		require.Equal(t, []int{failing, warning}, []int{whole.Failing, whole.Warning})
		require.True(t, slices.EqualFunc(at.table.shapes, slow.table.shapes, func(a, b shape) bool {
			a.odd, b.odd = false, false
			return a == b
		}), "other shapes")
	}
}

func FuzzChunks(f *testing.F) {
	f.Add("=== RUN   TestCase1\n--- PASS: TestCase1 (0.00s)\n", "--- FAIL: TestCase1\n    x_test.go:1: no\n", 3)
	f.Add("a\n", "panic: no\n\ngoroutine 1 [running]:\n", 1)
	f.Fuzz(func(t *testing.T, often, once string, piece int) {
		text := strings.Repeat(often, 1+8000/(len(often)+1)) + once
		text += strings.Repeat(once+often, 3) + strings.Repeat(often, 1+4000/(len(often)+1))
		if len(text) > 1<<20 {
			return
		}
		fewWhole(t, 1+piece>>12&0xffff, 1+piece>>28&0xff)
		whole, parts := report(text, len(text)), report(text, max(piece&0xfff, 1))
		require.Equal(t, whole.Lines, parts.Lines)
		require.Equal(t, whole.More, parts.More)
		lines := strings.Split(text, "\n")
		for _, line := range whole.Lines {
			require.Equal(t, len(lines[line.Number-1]), line.Bytes)
			require.True(t, strings.HasPrefix(lines[line.Number-1], string(line.Text)))
			require.LessOrEqual(t, line.At, len(line.Text))
		}
	})
}

// alike goes as far as a comparison byte by byte.
func FuzzAlike(f *testing.F) {
	f.Add("a1b2c3d4e5f6g7h8", "a9b8c7d6e5f4g3h2")
	f.Add(":;<=>?@/0123456789\x80\xb0", "0123456789:;<=>?@/\xb0\x80")
	f.Fuzz(func(t *testing.T, a, b string) {
		n := 0
		for n < min(len(a), len(b)) && (a[n] == b[n] || isDigit(a[n]) && isDigit(b[n])) {
			n++
		}
		require.Equal(t, n, alike([]byte(a), []byte(b)))
		if n == len(a) && n == len(b) {
			require.Equal(t, tokenize([]byte(a), new([maxTokens]token)), tokenize([]byte(b), new([maxTokens]token)))
		}
	})
}

// What a finder holds does not grow with what is written.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := func() string {
		p := make([]byte, 1+r.IntN(600))
		for i := range p {
			p[i] = byte(' ' + r.IntN(90))
		}
		return string(p)
	}
	for name, line := range map[string]func() string{
		"all different": func() string { return random() + "\n" },
		"all failing":   func() string { return "error: " + random() + "\n" },
		"long blocks":   func() string { return "panic: " + random() + strings.Repeat("\n\t"+random(), 30) + "\n" },
		"no line":       random,
		"twice":         func() string { s := random() + "\n"; return s + s },
	} {
		var f Finder
		rounds := 20_000
		if name == "long blocks" { // of 9 KB
			rounds = testkit.Some(rounds)
		}
		for range rounds {
			f.Write([]byte(line()))
		}
		f.Report()
		held := int(unsafe.Sizeof(Finder{})) + cap(f.held) + cap(f.past.held) +
			cap(f.layouts.list)*int(unsafe.Sizeof(layout{})) + cap(f.layouts.texts) + cap(f.layouts.fields)*int(unsafe.Sizeof(field{})) +
			cap(f.table.shapes)*int(unsafe.Sizeof(shape{})) + cap(f.table.texts) + 2*cap(f.table.index)
		for _, b := range f.marks.blocks {
			held += int(unsafe.Sizeof(b)) + cap(b.lines)*int(unsafe.Sizeof(Line{}))
			for _, line := range b.lines {
				held += cap(line.Text)
			}
		}
		require.LessOrEqual(t, held, 1<<20, name)
	}
}

// Where nothing repeats, most lines are passed over; what comes later is looked at again.
func TestPassedOver(t *testing.T) {
	long := prose(200_000)
	text := long + repeated("=== RUN   TestCase%d", 400_000) + "--- FAIL: TestCase7 (0.01s)\n" + repeated("=== RUN   TestCase%d", 300)
	var f Finder
	f.Write([]byte(text))
	require.Equal(t, bytes.Count([]byte(text), newline), f.line)
	require.InDelta(t, f.line, f.table.seen+f.watch.passed, 1000, "each line that is compared stands for those before it")
	require.Equal(t, []int{600_001}, numbers(f.Report()))
	require.Equal(t, 1, f.Report().Failing)
	require.Empty(t, report(long+"the disk is nearly full\n", 1<<20).Lines)
	require.Equal(t, []int{200_001}, numbers(report(long+"--- FAIL: TestCase7 (0.01s)\n", 1<<20)))
}

// The lines that stand for the others are some of them.
func TestLike(t *testing.T) {
	text := repeated("=== RUN   TestCase%d", 300) + "--- FAIL: TestCase7 (0.01s)\n" + repeated("ok %d", 100)
	r := report(text, len(text))
	like := func(from, to int) (list []string) {
		for _, line := range r.Like(from, to) {
			list = append(list, string(line.Text))
		}
		return list
	}
	require.Equal(t, []string{"=== RUN   TestCase0", "ok 0"}, like(1, 401))
	require.Equal(t, []string{"ok 0"}, like(302, 401))
	require.Empty(t, like(301, 301))
}

func BenchmarkFinder(b *testing.B) {
	for name, text := range map[string]string{
		"numbers": repeated("%d", 1<<17), "same": strings.Repeat("y\n", 1<<19), "prose": prose(1 << 14), "random": texts(rand.New(rand.NewPCG(7, 8)), 1<<14),
		"log": repeated("2026-01-02T10:11:12Z level=info msg=\"request served\" path=/api/v1/items/%d status=200 took=%[1]dus", 1<<14),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				report(text, 32<<10)
			}
		})
	}
}
