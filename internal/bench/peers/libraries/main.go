// Command libraries compares parts of Spillway that could be a library with that library: the difference of two texts
// with go-udiff, and the guess at an encoding with chardet.
package main

import (
	"fmt"
	"log"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding/htmlindex"
)

func main() {
	for _, every := range []int{200, 50, 20} {
		ours, theirs := removed(every)
		fmt.Printf("10,000 lines, every %dth changed: %d lines removed; by go-udiff %d\n", every, ours, theirs)
	}
	lines, ours, theirs, err := guessed()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d single lines in the encodings of their language: %d decoded right; by chardet %d\n", lines, ours, theirs)
}

// removed returns how many lines the difference removes between 10,000 lines and the same with one in every few changed.
func removed(every int) (ours, theirs int) {
	var before, after strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&before, "line %d\n", i)
		if i%every == 0 {
			fmt.Fprint(&after, "changed ")
		}
		fmt.Fprintf(&after, "line %d\n", i)
	}
	for _, e := range udiff.Lines(before.String(), after.String()) {
		theirs += strings.Count(before.String()[e.Start:e.End], "\n")
	}
	return diff.New([]byte(before.String()), []byte(after.String())).Removed, theirs
}

// guessed counts the lines of texts in many languages, and those that the guess at their encoding decodes.
func guessed() (lines, ours, theirs int, err error) {
	for _, t := range testkit.Texts {
		for _, name := range strings.Fields(t.Encodings) {
			e, err := htmlindex.Get(name)
			if err != nil {
				return 0, 0, 0, err
			}
			for line := range strings.Lines(t.Text) {
				data, err := e.NewEncoder().String(line)
				if err != nil || data == line {
					continue // it holds what the encoding lacks, or nothing but ASCII
				}
				lines++
				data = "plain text\n" + data
				if decodes(textfile.Guess([]byte(data)), data, "plain text\n"+line) {
					ours++
				}
				if decodes(chardet.Detect([]byte(data)).Encoding, data, "plain text\n"+line) {
					theirs++
				}
			}
		}
	}
	return lines, ours, theirs, nil
}

// decodes reports whether the encoding of that name makes text of data.
func decodes(name, data, text string) bool {
	e, err := htmlindex.Get(name)
	if err != nil {
		return false
	}
	got, err := e.NewDecoder().String(data)
	return err == nil && got == text
}
