package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Help fits the screen, its examples have flags that exist, and the page of the manual that it names is there.
func TestHelpPages(t *testing.T) {
	for _, width := range []string{"", "80", "120"} {
		t.Setenv("COLUMNS", width)
		room := 80
		if width == "120" {
			room = 120
		}
		var all strings.Builder
		printCommands(&all)
		for _, c := range commands() {
			flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
			c.start(flags)
			c.printHelp(&all, flags)
		}
		for line := range strings.Lines(all.String()) {
			if len([]rune(line)) > room+1 {
				t.Errorf("in %d columns: %s", room, line)
			}
		}
	}
	for _, c := range commands() {
		more := more[c.name]
		if more.examples == "" {
			t.Errorf("%s has no example", c.name)
		}
		for line := range strings.Lines(more.examples) {
			checkExample(t, line)
		}
		checkLink(t, more.page)
	}
}

// checkExample parses an example that begins with the program.
func checkExample(t *testing.T, line string) {
	line, ours := strings.CutPrefix(strings.TrimSpace(line), "spillway ")
	if !ours {
		return
	}
	line = regexp.MustCompile(` +[#|<>] .*`).ReplaceAllString(line, "")
	words, err := split(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	c, err := commandNamed(words[0])
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.start(flags)
	if _, err := parse(flags, words[1:]); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// checkLink looks for a page of the manual and a heading in it.
func checkLink(t *testing.T, link string) {
	name, anchor, _ := strings.Cut(link, "#")
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Errorf("%s: %v", link, err)
		return
	}
	heading := regexp.MustCompile(`(?im)^##+ ` + strings.ReplaceAll(anchor, "-", " ") + `$`)
	if anchor != "" && !heading.Match(text) {
		t.Errorf("%s has no heading for %s", name, anchor)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       string
	}{
		{"-a", "one two three four", "  -a      one two three\n          four\n"},
		{"-long", "one", "  -long   one\n"},
		{"-longer", "one", "  -longer\n          one\n"},
		{"-a", "seventeen-letters", "  -a      seventeen-letters\n"},
		{"-a", "é é é é é é é é", "  -a      é é é é é é é\n          é\n"},
		{"-a", "", "  -a      \n"},
	}
	for _, test := range tests {
		var b strings.Builder
		column(&b, test.name, test.text, 2, 10, 23)
		if b.String() != test.want {
			t.Errorf("%s %s: %q, want %q", test.name, test.text, b.String(), test.want)
		}
	}
}

// What COLUMNS says that is no width counts as nothing.
func TestWidthOf(t *testing.T) {
	for columns, want := range map[string]int{"": 80, "x": 80, "0": 80, "-5": 80, "10": 40, "100": 100, "1000": 120} {
		t.Setenv("COLUMNS", columns)
		if got := widthOf(&strings.Builder{}); got != want {
			t.Errorf("COLUMNS=%s: %d, want %d", columns, got, want)
		}
	}
}
