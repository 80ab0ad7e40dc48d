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
	for _, s := range truncation.Strategies() {
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
	// {"truncated":true,"original_length":49,"max_length":0,"charsRemoved":33,"strategy":"middle_lines"}
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

func ExamplePolicy_Apply() {
	save := func(text string) (string, error) {
		return "full.txt", os.WriteFile(os.DevNull, []byte(text), 0o600)
	}
	p := truncation.SubAgentPolicy("tests")
	p.First, p.Last, p.Threshold = 2, 1, 30
	fmt.Println(p.Apply("all green\n", save).Text)
	fmt.Println(p.Apply(ten, save).Text)
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

func ExampleTruncate() {
	r := truncation.Truncate(ten, truncation.Tail, truncation.Limits{Lines: 2})
	fmt.Println(truncation.Append(r.Text, truncation.TailLines(r, truncation.Saved{Path: "full.txt"})))
	// Output:
	// nine
	// ten
	//
	// [Showing lines 9-10 of 10. Full output: full.txt]
}
