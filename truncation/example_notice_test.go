package truncation_test

import (
	"errors"
	"fmt"

	"github.com/spillway-go/spillway/truncation"
)

func ExampleAppend() {
	own := truncation.Notice("The server was restarted")
	fmt.Println(truncation.Append("one\ntwo", own, truncation.Continue(3), ""))
	// Output:
	// one
	// two
	//
	// [The server was restarted. Use offset=3 to continue]
}

func ExampleParagraph() {
	fmt.Println(truncation.Paragraph("FAIL", "Command exited with code 1"))
	// Output:
	// FAIL
	//
	// Command exited with code 1
}

func ExampleNotice() {
	tail := truncation.Truncate(ten, truncation.Tail, truncation.Limits{Lines: 3})
	head := truncation.Truncate(ten, truncation.Head, truncation.Limits{Bytes: 20})
	for _, n := range []truncation.Notice{
		truncation.TailLines(tail, truncation.Saved{Path: ".clarvis/bash-X.log"}),
		truncation.ListLimit(head),
		truncation.Continue(101),
		truncation.MatchLimit(100),
		truncation.FileLimit(100),
		truncation.ResultLimit(1000),
		truncation.EntryLimit(500),
		truncation.LongLines(500),
		truncation.LongMatch(80, 120, 91),
		truncation.ContextDropped,
		truncation.CutLines(2, 500, 17, 501, ""),
		truncation.NotShown([]string{"a.go", "b.go"}),
		truncation.Background([]int{4711, 4712}),
	} {
		fmt.Println(n)
	}
	// Output:
	// Showing lines 8-10 of 10. Full output: .clarvis/bash-X.log
	// 20B limit reached
	// Use offset=101 to continue
	// 100 matches limit reached. Use limit=200 for more, or refine pattern
	// 100 files limit reached. Use limit=200 for more, or refine pattern
	// 1000 results limit reached. Use limit=2000 for more, or refine pattern
	// 500 entries limit reached. Use limit=1000 for more
	// Some lines truncated to 500 chars. Use read tool to see full lines
	// Showing 80 of the 120 lines of the match. Use read tool with offset=91 to see the rest
	// Some context lines left out for want of room. Use a smaller context to see those next to a match
	// 2 lines truncated to 500 chars. Use offset=17 column=501 to read on in line 17
	// 2 files not shown for want of room. Read them in calls of their own: a.go, b.go
	// Still running in the background: pid 4711, 4712
}

func ExamplePage() {
	page := truncation.Page{First: 1, Last: 2000, Total: 5000, By: truncation.ByLines}
	fmt.Println(page.Lines())
	fmt.Println(page.More()) // if the call asked for 2000 lines
	fmt.Println(page.Next())
	// Output:
	// Showing lines 1-2000 of 5000. Use offset=2001 to continue
	// 3000 more lines in file. Use offset=2001 to continue
	// 2001
}

func ExampleLongLine() {
	line := truncation.LongLine{Line: 1, Bytes: 50 << 10, MaxBytes: 30 << 10, Path: "my bundle.js"}
	fmt.Println(line.UseBash())
	fmt.Println(line.UseColumn())
	fmt.Println(line.Piece(1, 30_000))
	// Output:
	// Line 1 is 50KB, exceeds 30KB limit. Use bash to read: head -c 30000 'my bundle.js'
	// Line 1 is 50KB, exceeds 30KB limit. Use column=1 to read it in pieces
	// Showing characters 1-30000 of line 1 (line is 50KB). Use offset=1 column=30001 to continue
}

func ExampleMatches() {
	list := truncation.Truncate(ten, truncation.Head, truncation.Limits{Bytes: 20})
	m := truncation.Matches{Shown: list.OutputLines, Found: 10, More: true, What: "matches"}
	fmt.Println(m.ListLimit(list))
	fmt.Println(m.Limit(8)) // there are two more on the line of the eighth
	// Output:
	// 20B limit reached (4 of 10+ matches shown)
	// 8 matches limit reached. Use limit=20 for more, or refine pattern
}

func ExampleSkipped() {
	fmt.Println(truncation.Skipped{Binary: 3, Large: 1, MaxBytes: 20_000_000}.Notice())
	// Output: Skipped 3 binary files, 1 file over 19.1MB
}

func ExampleSaved() {
	saved := truncation.Saved{Err: errors.New("no space left on device")}
	text := truncation.Policy{Strategy: truncation.Head, Limits: truncation.Limits{Lines: 2}, Marker: "\n..."}.Cut(ten)
	if !saved.In(text) { // the marker says nothing of it
		text = truncation.Append(text, saved.Notice())
	}
	fmt.Println(text)
	// Output:
	// one
	// ...
	//
	// [Full output not saved: no space left on device]
}

func ExamplePieceBytes() {
	fmt.Println(truncation.PieceBytes(30 << 10))
	// Output: 30000
}

func ExampleDumpCommand() {
	fmt.Println(truncation.DumpCommand("-logo final.bin"))
	// Output: xxd './-logo final.bin' | head
}
