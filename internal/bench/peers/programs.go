package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// megabytes are the sizes of a program that has a contender's tools, and of one that also asks a model by Anthropic's
// SDK, which agenttoolset belongs to.
type megabytes struct{ tools, asking float64 }

// goContenders builds those written in Go, the naive one last. Each is a program of its own, so that none holds memory
// for another's packages.
func goContenders(dir string) ([]*contender, error) {
	list := []*contender{
		{id: "spillway", name: "Spillway", version: "this one", limits: "2000 lines or 30 KB; grep 100 matches, find 1000 results, ls 500 entries"},
		{id: "anthropic", name: "agenttoolset", limits: "read 256 KB, bash and grep 100 KB, glob 200 results"},
		{id: "naive", name: "naive", version: "–", limits: "none"},
	}
	for _, c := range list {
		file, err := built(dir, c.id, "")
		if err != nil {
			return nil, err
		}
		c.command = program(file)
		if c.program.tools, err = fileSize(file); err != nil {
			return nil, err
		}
		if c.version == "" {
			if c.version, err = moduleVersion(file, "github.com/anthropics/anthropic-sdk-go/v2"); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// weigh builds the contenders written in Go once more, with the SDK.
func weigh(dir string, list []*contender) error {
	for _, c := range list {
		if c.runtime != "" {
			continue
		}
		file, err := built(dir, c.id, "model")
		if err != nil {
			return err
		}
		if c.program.asking, err = fileSize(file); err != nil {
			return err
		}
	}
	return nil
}

// built builds the program with that name below programs as a release is built.
func built(dir, name, tags string) (string, error) {
	file := filepath.Join(dir, name+tags)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-tags="+tags, "-o", file, "./programs/"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("programs/%s: %w: %s", name, err, out)
	}
	return file, nil
}

// fileSize is the size of a file in MB.
func fileSize(file string) (float64, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()) / 1e6, nil
}

// program starts a program as the process of a contender.
func program(file string, env ...string) func(dir string) *exec.Cmd {
	return func(dir string) *exec.Cmd {
		cmd := exec.Command(file)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "TMPDIR="+dir), env...)
		return cmd
	}
}

// moduleVersion is the version of a module that a program is built with.
func moduleVersion(file, path string) (string, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return "", err
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version, nil
		}
	}
	return "", fmt.Errorf("%s has no module %s", file, path)
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
