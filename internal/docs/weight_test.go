package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
)

// weight is what a program pays for. The numbers are bounds that may only fall.
type weight struct {
	megabytes float64 // of the program for linux/amd64 without symbols
	packages  int
	lines     int // of the module's code, without comments and blank lines
}

// weights are those of the example programs.
var weights = map[string]weight{
	"five":       {9.6, 231, 44_700},
	"everything": {15.3, 328, 61_800},
}

// heavy are packages that the tools alone do not need.
var heavy = []string{"net", "net/http", "crypto/tls", "mvdan.cc/sh/v3/syntax", "golang.org/x/net/idna"}

// A program pays for the parts that it imports. `go test ./internal/docs -run TestWeight -v` prints what each example
// program pays.
func TestWeight(t *testing.T) {
	need.Compiled(t)
	for name, most := range weights {
		t.Run(name, func(t *testing.T) {
			program := "./examples/programs/" + name
			is := weigh(t, program)
			if !testing.Short() {
				is.megabytes = megabytes(t, program)
			}
			t.Logf("%s: %.1f MB, %d packages, %d lines", name, is.megabytes, is.packages, is.lines)
			require.LessOrEqual(t, is.megabytes, most.megabytes)
			require.LessOrEqual(t, is.packages, most.packages)
			require.LessOrEqual(t, is.lines, most.lines)
		})
	}
}

// weigh counts the packages of a program, and the lines of those of this module.
func weigh(t *testing.T, program string) (w weight) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles", program)
	list.Dir, list.Env = root, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var pkg struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return w
		} else {
			require.NoError(t, err)
		}
		w.packages++
		if strings.HasSuffix(program, "five") {
			require.NotContains(t, heavy, pkg.ImportPath)
		}
		if !strings.HasPrefix(pkg.ImportPath, modulePath+"/") {
			continue
		}
		for _, file := range pkg.GoFiles {
			code, err := os.ReadFile(filepath.Join(pkg.Dir, file))
			require.NoError(t, err)
			w.lines += codeLines(code)
		}
	}
}

// codeLines counts the lines of a file that have code.
func codeLines(code []byte) (n int) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(code))
	s.Init(file, code, nil, 0)
	last := 0 // the last line that is counted
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return n
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		begin := file.Line(pos)
		end := begin + strings.Count(text, "\n")
		n += end - max(begin-1, last)
		last = end
	}
}

// megabytes returns the size of a program.
func megabytes(t *testing.T, program string) float64 {
	path := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, program)
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	info, err := os.Stat(path)
	require.NoError(t, err)
	return float64(info.Size()) / 1e6
}

func TestCodeLines(t *testing.T) {
	for code, want := range map[string]int{
		"": 0, "package a\n": 1, "package a // b\n\n/* c\nd */\nvar x = `1\n2`\n": 3, "package a; var (\nx = 1; y = 2\n)": 3,
	} {
		require.Equal(t, want, codeLines([]byte(code)), fmt.Sprintf("%q", code))
	}
}
