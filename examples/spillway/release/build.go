package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// program is the package that is released.
const program = "./examples/spillway"

// build is the program for a platform.
type build struct {
	version           string
	system, processor string
	data              []byte
	parts             []part    // what it was linked from
	written           time.Time // the commit's, which all files have
}

// name is what the names of files for the platform begin with.
func (b build) name() string {
	return "spillway_" + b.version + "_" + b.system + "_" + b.processor
}

// program is the name of the program's file.
func (b build) program() string {
	if b.system == "windows" {
		return "spillway.exe"
	}
	return "spillway"
}

// environment is what the program is built with.
func environment(system, processor string) []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=",
		"GOOS="+system, "GOARCH="+processor, "GOAMD64=v1", "GOARM64=v8.0")
}

// buildAll builds the program for each platform, and hands it on.
func buildAll(version string, platforms []string, doubts io.Writer, use func(build) error) error {
	if !semantic.MatchString(version) {
		return fmt.Errorf("%q is no version. Give one, as v0.1.0", version)
	}
	work, err := os.MkdirTemp("", "spillway-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		b := build{version: version, system: system, processor: processor}
		doubt, err := b.make(filepath.Join(work, system+"_"+processor))
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		if doubt != "" {
			fmt.Fprintf(doubts, "release: %s: %s\n", platform, doubt)
		}
		if err := use(b); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return nil
}

// make builds the program, and says in doubt what it lacks of a release.
func (b *build) make(binary string) (doubt string, err error) {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=auto",
		"-ldflags", "-s -w -X main.release="+b.version, "-o", binary, program)
	cmd.Env = environment(b.system, b.processor)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	if b.data, err = os.ReadFile(binary); err != nil {
		return "", err
	}
	if b.parts, err = linked(b.system, b.processor); err != nil {
		return "", err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", err
	}
	doubt = "the program does not name its commit, as it was not built in a clone (a linked work tree is none to Go)"
	b.written = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) // the first of zip; not from a repository
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.time":
			doubt = ""
			b.written, err = time.Parse(time.RFC3339, s.Value)
			b.written = b.written.UTC()
		case s.Key == "vcs.modified" && s.Value == "true":
			doubt = "there are changes that are not committed"
		}
	}
	return doubt, err
}

// files are those of an archive.
func (b build) files() (list []file, err error) {
	list = []file{{name: b.program(), mode: 0o755, data: b.data}}
	for _, f := range []struct{ from, name string }{{"LICENSE", "LICENSE"}, {"examples/spillway/README.md", "README.md"}} {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return nil, err
		}
		list = append(list, file{name: f.name, mode: 0o644, data: data})
	}
	inventory, err := sbom(b)
	if err != nil {
		return nil, err
	}
	return append(list, file{name: "LICENSES.txt", mode: 0o644, data: licenceTexts(b.parts)},
		file{name: "sbom.cdx.json", mode: 0o644, data: inventory}), nil
}

// sum is the checksum of the program.
func (b build) sum() string { return fmt.Sprintf("%x", sha256.Sum256(b.data)) }
