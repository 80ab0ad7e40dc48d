package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// megabytes are the sizes of a program that has a contender's tools, and of one that also asks a model by Anthropic's
// SDK, which agenttoolset belongs to.
type megabytes struct{ tools, asking float64 }

// weigh builds the small programs of the contenders written in Go as a release is built, and sets their sizes.
func weigh(list []*contender) error {
	dir, err := os.MkdirTemp("", "spillway-peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, c := range list {
		if builtin[c.id] == nil {
			continue
		}
		if c.program.tools, err = built(dir, c.id, ""); err != nil {
			return err
		}
		if c.program.asking, err = built(dir, c.id, "model"); err != nil {
			return err
		}
	}
	return nil
}

// built returns the size of the program with that name below programs.
func built(dir, name, tags string) (float64, error) {
	file := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-tags="+tags, "-o", file, "./programs/"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("programs/%s: %w: %s", name, err, out)
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()) / 1e6, nil
}

// words are the cells of a table; a suite that is not written in Go has none.
func (m megabytes) words() string {
	if m == (megabytes{}) {
		return "– | –"
	}
	return fmt.Sprintf("%.1f | %.1f", m.tools, m.asking)
}

// programSizes is the table that -sizes prints.
func programSizes(list []*contender) string {
	var b strings.Builder
	table(&b, "suite", "version", sizeTitle, askingTitle)
	for _, c := range list {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.name, c.version, c.program.words())
	}
	return b.String()
}

const sizeTitle, askingTitle = "program, MB", "with the SDK, MB"
