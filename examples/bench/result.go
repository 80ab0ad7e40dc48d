package main

// What came of a case.
const (
	passed  = "pass"
	failed  = "fail"
	skipped = "skip" // the suite has no tool, or no argument, for it
)

// result is what a suite did in a case.
type result struct {
	Suite  string
	Case   string
	Status string
	Why    string   `json:",omitempty"` // it is skipped
	Failed []string `json:",omitempty"` // the facts that do not hold
	Calls  int      `json:",omitempty"`
	Bytes  int      `json:",omitempty"` // of arguments and results
	Tokens int      `json:",omitempty"` // of results, as package truncation estimates them; of the first alone in needles
	Wasted int      `json:",omitempty"` // bytes of refusals, and of lines that had been shown
	// Needles are how many lines say what failed; Shown of them are in the first result, Reached in it or in what it
	// leads to, by Calls calls.
	Needles, Shown, Reached int `json:",omitempty"`
	// MS is the median of a timed call, PlainMS that of the plain program beside it, MiB the server's peak memory.
	MS, PlainMS, MiB float64    `json:",omitempty"`
	Log              []exchange `json:",omitempty"`
}

// exchange is a call with what it gave.
type exchange struct {
	Tool, Args string
	Text       string `json:",omitempty"`
	Error      bool   `json:",omitempty"`
	Bytes      int
}
