package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// Every tool has a description and a result in the tables, which are those of the manual.
func TestTables(t *testing.T) {
	need.Shell(t)
	root := filepath.Join("..", "..", "..")
	text, err := tables(t.Context(), root)
	testkit.NoError(t, err)
	for _, name := range config.ToolNames() {
		if !strings.Contains(text, "| `"+name+"`") || !strings.Contains(text, "| `"+name+"`: ") {
			t.Errorf("nothing about %s in\n%s", name, text)
		}
	}
	there, err := section.Read(filepath.Join(root, "docs", "models.md"), "tokens")
	if err != nil || there != text {
		t.Errorf("%v: go -C internal/bench/tokens run . writes\n%s\nthere is\n%s", err, text, there)
	}
}

// The estimate is of the size of what the tokenizer counts.
func TestEstimate(t *testing.T) {
	c, err := newCounter()
	testkit.NoError(t, err)
	for text, want := range map[string]int{"": 0, "hello": 1, "hello world": 2} {
		got, err := c.cost("", text)
		if err != nil || got.estimate != want || got.tokens != want {
			t.Errorf("%q: %+v, %v; want %d", text, got, err, want)
		}
	}
	costs, err := c.descriptions()
	testkit.NoError(t, err)
	for _, one := range costs {
		if ratio := float64(one.estimate) / float64(one.tokens); ratio < 0.75 || ratio > 1.33 {
			t.Errorf("%s: the estimate of %d tokens is %d", one.what, one.tokens, one.estimate)
		}
	}
}
