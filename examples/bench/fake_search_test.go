package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type searchArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path,omitempty"`
	Offset  int    `json:"offset,omitempty"`
}

// files returns the files below a path that git does not ignore.
func (f *fake) files(name string) (list []string, err error) {
	if info, err := os.Stat(f.path(name)); err != nil || !info.IsDir() {
		return []string{name}, err
	}
	ignored := map[string]bool{}
	if _, err := os.Stat(f.path(".git")); err == nil {
		args := []string{"-c", "core.quotePath=false", "ls-files", "-o", "-i", "--exclude-standard"}
		if f.fault == "exclude-file" {
			args = append(args[:len(args)-1], "--exclude-per-directory=.gitignore")
		}
		out, err := f.world.git(args...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			ignored[strings.TrimSpace(line)] = true
		}
	}
	err = filepath.WalkDir(f.path(name), func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(f.world.dir, p)
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".git") {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() && (!ignored[rel] || f.ignores(rel)) && !f.hides(rel) || d.Type() == os.ModeNamedPipe && f.fault == "fifo" {
			list = append(list, rel)
		}
		if d.Type()&os.ModeSymlink != 0 && f.fault == "follows" {
			list = append(list, rel+"/sub/up")
		}
		return nil
	})
	return list, err
}

// ignores reports whether a fault shows an ignored file; hides, whether it leaves out another one.
func (f *fake) ignores(rel string) bool {
	shown := map[string]string{"none": "src/debug.log", "nested": "sub/b.txt", "anchored": "out/a.txt", "parent": "vendor/keep.txt", "classes": "#note.txt", "stars": "x/y/cache/z/b.txt"}
	return shown[f.fault] == rel
}

func (f *fake) hides(rel string) bool {
	hidden := map[string]string{"negated": "sub/keep.log", "tracked": "a.gen"}
	return hidden[f.fault] == rel && f.fault != ""
}

func (f *fake) grep(_ context.Context, in searchArgs) (string, error) {
	re, err := regexp.Compile(in.Pattern)
	if err != nil {
		return "", err
	}
	files, err := f.files(in.Path)
	if err != nil {
		return "", err
	}
	var found []string
	for _, name := range files {
		file, err := f.open(name)
		if f.fault == "fifo" && filepath.Base(name) == "pipe" {
			file, err = os.Open(f.path(name))
		}
		if err != nil {
			continue
		}
		lines := bufio.NewReaderSize(file, 1<<16)
		for n := 1; err == nil; n++ {
			var line []byte
			if line, err = lines.ReadBytes('\n'); f.fault == "growing" && f.world.undo != nil {
				err = nil
			}
			if text, _ := decode(line); err == nil || len(line) > 0 {
				if at := re.FindIndex(text); at != nil {
					shown := text[max(at[0]-40, 0):min(at[1]+60, len(text))]
					if f.fault == "whole-lines" {
						shown = text
					}
					found = append(found, fmt.Sprintf("%s:%d:%s", name, n, strings.ToValidUTF8(strings.TrimSpace(string(shown)), "?")))
				}
			}
		}
		file.Close()
	}
	if f.fault == "binary" {
		found = slices.DeleteFunc(found, func(s string) bool { return strings.Contains(s, ".bin") })
	}
	if f.fault == "options" && strings.HasPrefix(in.Pattern, "-") {
		return "", errors.New("there is no such option")
	}
	return f.some(found, in.Offset, "grep"), nil
}

func (f *fake) find(_ context.Context, in searchArgs) (string, error) {
	files, err := f.files(in.Path)
	if err != nil {
		return "", err
	}
	var found []string
	for _, name := range files {
		if ok, err := path.Match(path.Base(in.Pattern), path.Base(name)); err != nil || !ok {
			continue
		}
		if f.fault == "shallow" && strings.Count(name, "/") > 40 {
			continue
		}
		if f.fault == "quotes" {
			name = strconv.QuoteToASCII(name)
		}
		found = append(found, name)
	}
	return f.some(found, in.Offset, "find"), nil
}

func (f *fake) list(_ context.Context, in searchArgs) (string, error) {
	entries, err := os.ReadDir(f.path(in.Path))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return f.some(names, in.Offset, "list"), err
}

// some shows items from an offset on.
func (f *fake) some(items []string, offset int, of string) string {
	var out strings.Builder
	for i := min(max(offset, 0), len(items)); i < len(items); i++ {
		if out.Len()+len(items[i]) > pageBytes {
			if f.fault == of+"-capped" {
				return out.String()
			}
			return out.String() + fmt.Sprintf("\n[%d in all. Use offset=%d]", len(items), i)
		}
		out.WriteString(items[i] + "\n")
	}
	return out.String()
}

// decode makes text of a file's bytes, and tells how it was encoded.
func decode(data []byte) (text []byte, encoding string) {
	rest, marked := bytes.CutPrefix(data, []byte("\xff\xfe"))
	if marked || len(data) > 1 && data[1] == 0 {
		var units []uint16
		for i := 0; i+1 < len(rest); i += 2 {
			units = append(units, binary.LittleEndian.Uint16(rest[i:]))
		}
		return []byte(string(utf16.Decode(units))), "utf16"
	}
	if !utf8.Valid(data) && len(data) < 1<<16 {
		var wide []byte
		for _, b := range data {
			wide = utf8.AppendRune(wide, rune(b))
		}
		return wide, "latin1"
	}
	return data, ""
}
