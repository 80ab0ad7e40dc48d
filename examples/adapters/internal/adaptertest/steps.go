package adaptertest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/tools"
)

// Step is a call of the scripted model, and what it must lead to.
type Step struct {
	Tool, Args string

	first, last string // the first line of the text and its last
	lines       int    // of the text
	isError     bool
	image       bool
}

// Steps are a search that is cut, the same search from there on, a file that is
// not there, and a picture.
func Steps() []Step {
	return []Step{
		{
			Tool: "grep", Args: `{"pattern": "error", "path": "server.log"}`, lines: 102,
			first: "server.log:2: error request 1", last: "[100 matches limit reached. Use limit=200 for more, or refine pattern. Use offset=100 to continue without repeating these. There are 150 matches in all]",
		},
		{
			Tool: "grep", Args: `{"pattern": "error", "path": "server.log", "offset": "100"}`, lines: 50,
			first: "server.log:202: error request 101", last: "server.log:300: error request 150",
		},
		{Tool: "read", Args: `{"path": "serve.log"}`, first: "not_found: ", last: "server.log", lines: 1, isError: true},
		{Tool: "read", Args: `{"path": "logo.png"}`, first: "Read image: PNG, 4x3", lines: 1, image: true},
	}
}

// Answer is what a model was sent for a step.
type Answer struct {
	Text    string
	IsError bool
	Images  []tools.Image
}

// Check compares an answer with what the step must lead to. hasFlag says whether
// the SDK carries Answer.IsError.
func (s Step) Check(t *testing.T, got Answer, hasFlag bool) {
	t.Helper()
	lines := strings.Split(got.Text, "\n")
	if first := lines[0]; !strings.HasPrefix(first, s.first) {
		t.Errorf("%s %s: the text begins with %q, not with %q", s.Tool, s.Args, first, s.first)
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, s.last) {
		t.Errorf("%s %s: the text ends in %q, not in %q", s.Tool, s.Args, last, s.last)
	}
	if len(lines) != s.lines {
		t.Errorf("%s %s: %d lines, not %d", s.Tool, s.Args, len(lines), s.lines)
	}
	if hasFlag && got.IsError != s.isError {
		t.Errorf("%s %s: is an error: %v, not %v", s.Tool, s.Args, got.IsError, s.isError)
	}
	var want []tools.Image
	if s.image {
		want = []tools.Image{{MIMEType: "image/png", Data: PNG()}}
	}
	if !slices.EqualFunc(got.Images, want, sameImage) {
		t.Errorf("%s %s: images %v, not %v", s.Tool, s.Args, got.Images, want)
	}
}

func sameImage(a, b tools.Image) bool {
	return a.MIMEType == b.MIMEType && bytes.Equal(a.Data, b.Data)
}
