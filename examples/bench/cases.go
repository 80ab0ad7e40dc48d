package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed cases
var embedded embed.FS

// families are the kinds of cases, in the order of the tables. Each is a directory below cases.
var families = []string{"needles", "paging", "edits", "ignores", "hostile", "processes", "tasks", "speed"}

// benchCase is a file below cases: in its comment a title, and a line for each step; then files.
type benchCase struct {
	Name   string // as FAMILY/NAME
	Title  string
	Source string // the file, "" if its texts are not to be shown
	steps  []step
	files  []txtar.File
}

// step is a line of a case: what is made, called or required.
type step struct{ verb, rest string }

func (c *benchCase) family() string { return path.Dir(c.Name) }

// parseCase reads a case. Lines that begin with # are comments.
func parseCase(name string, data []byte) (*benchCase, error) {
	archive := txtar.Parse(data)
	c := &benchCase{Name: name, Source: string(data), files: archive.Files}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case c.Title == "":
			c.Title = line
		default:
			verb, rest, _ := strings.Cut(line, " ")
			if verbs[verb] == nil {
				return nil, fmt.Errorf("%s: there is no step %q", name, verb)
			}
			c.steps = append(c.steps, step{verb, strings.TrimSpace(rest)})
		}
	}
	if c.Title == "" || c.steps == nil {
		return nil, fmt.Errorf("%s: a case has a title and steps", name)
	}
	return c, nil
}

// loadCases reads the cases below dir whose names match.
func loadCases(fsys fs.FS, only *regexp.Regexp) (list []*benchCase, err error) {
	for _, family := range families {
		files, err := fs.Glob(fsys, "cases/"+family+"/*.txtar")
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := fs.ReadFile(fsys, file)
			if err != nil {
				return nil, err
			}
			c, err := parseCase(family+"/"+strings.TrimSuffix(path.Base(file), ".txtar"), data)
			if err != nil {
				return nil, err
			}
			if only.MatchString(c.Name) {
				list = append(list, c)
			}
		}
	}
	return list, nil
}

// recording is a recorded output, and what says in it what failed. internal/bench/needles prints them.
type recording struct {
	Name, Program string
	Needles       []string
	Text          string
}

// recordedCases makes a case of each recording. Their texts are not to be shown: whoever works on a suite must not
// tune it on them.
func recordedCases(data []byte, only *regexp.Regexp) (list []*benchCase, err error) {
	var recordings []recording
	if err := json.Unmarshal(data, &recordings); err != nil {
		return nil, fmt.Errorf("the recordings: %w", err)
	}
	for _, r := range recordings {
		c := &benchCase{Name: "needles/" + r.Name, Title: r.Program, files: []txtar.File{{Name: "=output", Data: []byte(r.Text)}}}
		if len(r.Needles) == 0 || !only.MatchString(c.Name) {
			continue
		}
		c.steps = append(c.steps, step{"prints", "output"})
		for _, n := range r.Needles {
			c.steps = append(c.steps, step{"needle", n})
		}
		list = append(list, c)
	}
	return list, nil
}
