package truncation_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

const ten = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"

func ExamplePolicy_Cut() {
	for _, s := range []truncation.Strategy{
		truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars,
		truncation.Middle, truncation.MiddleLines, truncation.HeadTailLines,
	} {
		p := truncation.Policy{Strategy: s, Limits: truncation.Limits{Chars: 40}, First: 1, Last: 2, Marker: "\n[{count} characters]\n"}
		fmt.Printf("%s: %q\n", s, p.Cut(ten))
	}
	// Output:
	// head: "one\ntwo\nthree\nfour\nfive\n[26 characters]"
	// tail: "[25 characters]\nsix\nseven\neight\nnine\nten"
	// head_chars: "one\ntwo\nthree\nfour\nfive\n\n[25 characters]"
	// tail_chars: "[25 characters]\nix\nseven\neight\nnine\nten\n"
	// middle: "one\ntwo\nthre\n[26 characters]\nt\nnine\nten\n"
	// middle_lines: "one\ntwo\n[33 characters]\nnine\nten\n"
	// head_tail_lines: "one\n[37 characters]\nnine\nten\n"
}

func ExamplePolicy_Truncate() {
	p := truncation.Policy{Strategy: truncation.MiddleLines, Limits: truncation.Limits{Lines: 5}}
	r := p.Truncate(ten)
	fmt.Println(r.Text)
	fmt.Println(r.TruncatedBy, r.LinesRemoved(), r.BytesRemoved(), r.CharsRemoved())
	flat, _ := json.Marshal(r.Metadata())
	fmt.Println(string(flat))
	// Output:
	// one
	// two
	// [... 6 of 10 lines left out ...]
	// nine
	// ten
	//
	// lines 6 33 33
	// {"truncated":true,"original_length":49,"max_length":0}
}

func ExamplePolicy_NewWriter() {
	w := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Bytes: 60}}.NewWriter()
	for i := range 1_000_000 {
		fmt.Fprintf(w, "line %d\n", i) // what w holds stays the same
	}
	fmt.Println(w.Result().Text)
	// Output:
	// line 0
	// lin
	// [... 11888870 characters left out ...]
	// ne 999999
}

// A text that does not fit is saved, and the marker says where.
func ExamplePolicy_save() {
	p := truncation.Policy{Strategy: truncation.HeadTailLines, First: 2, Last: 1, Threshold: 30, Prefix: "[sub-agent tests]: "}
	for _, text := range []string{"all green\n", ten} {
		p.Save = func() (path string, err error) {
			return "full.txt", os.WriteFile(os.DevNull, []byte(text), 0o600)
		}
		fmt.Println(p.Cut(text))
	}
	// Output:
	// [sub-agent tests]: all green
	//
	// [sub-agent tests]: one
	// two
	// [... 10 lines, over 30 characters: showing the first 2 and the last 1. Full output: full.txt ...]
	// ten
}

func ExampleLimits_tokens() {
	words := func(text string) int { return len(strings.Fields(text)) } // your model's tokenizer
	p := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Tokens: 5, CountTokens: words}, Marker: "[{lines} lines before]\n"}
	fmt.Println(p.Cut(ten))
	// Output:
	// [8 lines before]
	// nine
	// ten
}

// Who tells of the cut in other words leaves out the marker.
func ExamplePolicy_unmarked() {
	r := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 2}, Unmarked: true}.Truncate(ten)
	fmt.Printf("%s[the last %d of %d lines]\n", r.Text, r.OutputLines, r.TotalLines)
	// Output:
	// nine
	// ten
	// [the last 2 of 10 lines]
}

func ExamplePolicy_Check() {
	fmt.Println(truncation.Policy{Strategy: truncation.HeadTailLines, First: -1}.Check())
	// Output: truncation: First is -1, but must be 0 or more
}

// Of what is long, the first and the last 10 lines, and 30,000 characters at most.
func ExamplePolicy() {
	p := truncation.Policy{Strategy: truncation.HeadTailLines, Limits: truncation.Limits{Chars: 30_000}, Threshold: 3000}
	short := strings.Repeat("x\n", 500) // 1,000 characters
	fmt.Println(p.Truncate(short).Truncated)
	r := p.Truncate(strings.Repeat(ten, 100))
	fmt.Println(r.OutputLines, "of", r.TotalLines, "lines")
	// Output:
	// false
	// 20 of 1000 lines
}

// A computed limit that is used up is a limit of nothing, where 0 would be none.
func ExampleAtMost() {
	left := 5 - len("hello")
	p := truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Bytes: truncation.AtMost(left)}}
	fmt.Printf("%q\n", p.Cut("world"))
	// Output: ""
}

func ExampleResult() {
	r := truncation.Policy{Strategy: truncation.Head, Limits: truncation.Limits{Bytes: 20}, Unmarked: true}.Truncate(ten)
	fmt.Println(r.OutputLines, "of", r.TotalLines, "lines are shown")
	fmt.Println(r.LinesRemoved(), r.BytesRemoved(), r.CharsRemoved())
	fmt.Printf("%+v\n", r.Metadata())
	// Output:
	// 4 of 10 lines are shown
	// 6 31 31
	// {Truncated:true OriginalLength:49 MaxLength:20}
}

// Two texts share one limit: what the first does not need is left to the second.
func ExampleWriter_Result() {
	limits := truncation.Limits{Lines: 5}
	first := truncation.Policy{Strategy: truncation.Tail, Limits: limits}.NewWriter()
	second := truncation.Policy{Strategy: truncation.MiddleLines, Limits: limits}.NewWriter()
	first.WriteString("a warning\nan error\n")
	second.WriteString(ten)
	text := first.Result()
	fmt.Print(text.Text)
	fmt.Println(second.Result(truncation.Limits{Lines: truncation.AtMost(5 - text.OutputLines)}).Text)
	// Output:
	// a warning
	// an error
	// one
	// [... 8 of 10 lines left out ...]
	// ten
}

// Where the full text is, may be known only when the writer has seen all of it.
func ExampleWriter() {
	p := truncation.Policy{Strategy: truncation.HeadTailLines, First: 1, Last: 1}
	p.Save = func() (path string, err error) { return "full.txt", nil }
	w := p.NewWriter()
	w.WriteString(ten)
	fmt.Println(w.Result().Text)
	// Output:
	// one
	// [... 10 lines, over 2 lines: showing the first 1 and the last 1. Full output: full.txt ...]
	// ten
}

// log is a test run of 2,001 lines, with a failure in line 825.
var log = func() string {
	var b strings.Builder
	for i := range 1000 {
		if i == 412 {
			b.WriteString("--- FAIL: TestTransfer (0.02s)\n    ledger_test.go:88: balance = 1190, want 1200\n")
			continue
		}
		fmt.Fprintf(&b, "=== RUN   TestCase%d\n--- PASS: TestCase%d (0.00s)\n", i, i)
	}
	return b.String() + "FAIL\n"
}()

// A digest shows what stands out, with both ends.
func ExamplePolicy_digest() {
	p := truncation.Policy{Strategy: truncation.Digest, Limits: truncation.Limits{Lines: 8}}
	fmt.Println(p.Cut(log))
	// Output:
	// [Digest of 2,001 lines: 1 line reports a failure (shown), no warnings found, nothing else stands out]
	// === RUN   TestCase0
	// --- PASS: TestCase0 (0.00s)
	// [lines 3-824: 822 lines like "=== RUN   TestCase0" and "--- PASS: TestCase0 (0.00s)"]
	// --- FAIL: TestTransfer (0.02s)
	//     ledger_test.go:88: balance = 1190, want 1200
	// [lines 827-2000: 1,174 ordinary lines]
	// FAIL
}

// Any strategy can name the lines that stand out among those that it leaves out.
func ExamplePolicy_standout() {
	p := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 2}, Standout: true}
	r := p.Truncate(log)
	fmt.Println(r.Text)
	for _, line := range r.Standout {
		fmt.Printf("%d: %s\n", line.Number, line.Text)
	}
	// Output:
	// [... 2000 of 2001 lines left out ...]
	// FAIL
	//
	// 825: --- FAIL: TestTransfer (0.02s)
	// 826:     ledger_test.go:88: balance = 1190, want 1200
}

// What is written is a part of a longer text, 50,000 lines of which were shown before.
func ExampleWriter_StartAt() {
	p := truncation.Policy{Strategy: truncation.Digest, Limits: truncation.Limits{Lines: 7}}
	p.Number = func(line int) string { return fmt.Sprintf("%d: ", line) }
	w := p.NewWriter()
	w.StartAt(50_001)
	w.WriteString(log)
	fmt.Println(w.Result().Text)
	// Output:
	// [Digest of lines 50001-52001: 1 line reports a failure (shown), no warnings found, nothing else stands out]
	// 50001: === RUN   TestCase0
	// [lines 50002-50824: 823 lines like "=== RUN   TestCase0" and "--- PASS: TestCase0 (0.00s)"]
	// 50825: --- FAIL: TestTransfer (0.02s)
	// 50826:     ledger_test.go:88: balance = 1190, want 1200
	// [lines 50827-52000: 1,174 ordinary lines]
	// 52001: FAIL
}

// Whether a command failed is known when it has ended. Its digest clears nothing then.
func ExampleWriter_Fail() {
	w := truncation.Policy{Strategy: truncation.Digest, Limits: truncation.Limits{Lines: 4}}.NewWriter()
	for i := range 5000 {
		fmt.Fprintf(w, "step %d done\n", i)
	}
	w.Fail()
	text := w.Result()
	fmt.Println(text.Text)
	fmt.Println(text.Failing)
	// Output:
	// [Digest of 5,000 lines: the command failed, and no output line was recognized as the reason, nothing else stands out]
	// step 0 done
	// [lines 2-4999: 4,998 ordinary lines like "step 0 done"]
	// step 4999 done
	// 0
}

// What a text will take of a model's context, without its tokenizer.
func ExampleEstimateTokens() {
	fmt.Println(truncation.EstimateTokens("The quick brown fox jumps over the lazy dog."))
	// Output: 10
}

// A result prints as what is shown of the text.
func ExampleResult_String() {
	policy := truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Chars: 5}, Unmarked: true}
	fmt.Println(policy.Truncate("hello, world"))
	// Output: hello
}

// A result of an API is cut as a document: what is unlike the rest is shown, and the result is JSON as well.
func ExamplePolicy_json() {
	var orders []string
	for i := range 500 {
		state := "paid"
		if i == 321 {
			state = "refused"
		}
		orders = append(orders, fmt.Sprintf(`{"id":%d,"state":%q}`, 1000+i, state))
	}
	text := `{"orders":[` + strings.Join(orders, ",") + `],"next":null}`
	fmt.Println(truncation.Policy{Strategy: truncation.JSON}.Cut(text))
	// Output:
	// {
	//  "orders": [
	//   {"id": 1000, "state": "paid"},
	//   {"id": 1001, "state": "paid"},
	//   "[319 left out: $.orders[2..320]]",
	//   {"id": 1321, "state": "refused"},
	//   "[177 left out: $.orders[322..498]]",
	//   {"id": 1499, "state": "paid"}
	//  ],
	//  "next": null
	// }
}

// A digest has lines of the text, and lines that stand for others.
func ExampleResult_Runs() {
	text := strings.Repeat("ok\n", 200) + "error: no space left on device\n" + strings.Repeat("ok\n", 200)
	r := truncation.Policy{Strategy: truncation.Digest}.Truncate(text)
	lines := strings.Split(r.Text, "\n")
	for _, run := range r.Runs() {
		fmt.Println(lines[run[0]:run[1]])
	}
	// Output:
	// []
	// [ok ok ok]
	// [error: no space left on device]
	// [ok ok ok ok ok]
}
