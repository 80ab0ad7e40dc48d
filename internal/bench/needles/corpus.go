package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
)

//go:embed testdata
var recordings embed.FS

// Text is a recorded output, and what a reader must see of it to know what failed.
type Text struct {
	Name    string // its file's, without the ending
	Program string // what printed it
	// Needles are substrings that each identify a line, or the few that repeat it. A text without needles has nothing
	// that should stand out.
	Needles []string
	// Also are substrings of lines that may stand out: summaries, warnings, the rest of a message.
	Also []string
	// Block is the number of lines from a needle's on that belong to it, such as a stack trace; 0 is the line alone.
	Block int
}

// half is a part of the corpus: the first was there before the code that it measures, the others were made after it, and
// that called unseen is only measured.
type half struct {
	name  string
	texts []Text
	dir   string // in testdata, if that is another one than of its name
}

// halves are in the order of the tables. A half's texts stand in a file of its own.
var halves = []half{
	{name: "first", texts: first}, {name: "second", texts: second}, {name: "third", texts: third},
	{name: "fourth", texts: fourth}, {name: "fifth", texts: fifth, dir: "unseen"}, {name: "unseen", texts: unseen},
}

// documentHalves are the parts that are JSON documents. The tables of lines do not count them.
var documentHalves = []half{{name: "json", texts: documents}, {name: "json-second", texts: secondDocuments}}

// recording is a text with what was recorded.
type recording struct {
	Text
	text   []byte
	lines  []string        // without the space around them
	blocks map[string]bool // those of them that belong to a needle
}

// newRecording divides a text into lines and blocks.
func newRecording(t Text, text []byte) recording {
	r := recording{Text: t, text: text, blocks: map[string]bool{}}
	left := 0 // lines of the block
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		r.lines = append(r.lines, line)
		if contains(line, t.Needles) {
			left = max(t.Block, 1)
		}
		if left > 0 {
			r.blocks[line] = true
			left--
		}
	}
	return r
}

// load reads the texts of the half with that name, or of all.
func load(name string) (all []recording, err error) {
	for _, h := range slices.Concat(halves, documentHalves) {
		if name != h.name && (name != "all" || strings.HasPrefix(h.name, "json")) {
			continue
		}
		for _, t := range h.texts {
			text, err := unpack("testdata/" + cmp.Or(h.dir, h.name) + "/" + t.Name + ".txt.gz")
			if err != nil {
				return nil, err
			}
			all = append(all, newRecording(t, text))
		}
	}
	if all == nil {
		return nil, fmt.Errorf("there is no half %q of the corpus", name)
	}
	return all, nil
}

func unpack(file string) ([]byte, error) {
	data, err := recordings.ReadFile(file)
	if err != nil {
		return nil, err
	}
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return io.ReadAll(in)
}

// contains reports whether the line has one of the substrings.
func contains(line string, substrings []string) bool {
	return slices.ContainsFunc(substrings, func(s string) bool { return strings.Contains(line, s) })
}
