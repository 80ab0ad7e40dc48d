package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (f *fake) write(_ context.Context, in writeArgs) (string, error) {
	name := f.path(in.Path)
	data := []byte(in.Content)
	f.mu.Lock()
	known, read := f.known[name]
	f.mu.Unlock()
	now, err := os.ReadFile(name)
	if err == nil && read && !bytes.Equal(known, now) && f.fault != "overwrites" {
		return "", errors.New("the file has changed since it was read")
	}
	if f.fault == "adds-newline" && !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n')
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	if f.fault == "write-link" {
		if _, err := os.Readlink(name); err == nil {
			os.Remove(name)
		}
	}
	err = os.WriteFile(name, data, 0o644)
	if f.fault == "write-mode" {
		err = errors.Join(err, os.Chmod(name, 0o644))
	}
	return "written", err
}

type editArgs struct {
	Path string `json:"path"`
	Old  string `json:"old_string"`
	New  string `json:"new_string"`
	All  bool   `json:"replace_all,omitempty"`
}

func (f *fake) edit(_ context.Context, in editArgs) (string, error) {
	name := f.path(in.Path)
	was, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	if f.fault == "remembers" && f.known[name] != nil {
		was = f.known[name]
	}
	data := was
	encoding := ""
	if bytes.HasPrefix(data, []byte("\xff\xfe")) {
		data, encoding = decode(data)
	}
	if f.fault == "utf16" && encoding != "" || f.fault == "nul" && encoding == "" && bytes.Contains(data, []byte{0}) {
		return "", errors.New("it is no text")
	}
	is, with := []byte(in.Old), []byte(in.New)
	if !bytes.Contains(data, is) && bytes.Contains(data, []byte("\r\n")) {
		is, with = bytes.ReplaceAll(is, []byte("\n"), []byte("\r\n")), bytes.ReplaceAll(with, []byte("\n"), []byte("\r\n"))
	}
	n := bytes.Count(data, is)
	if f.fault == "pattern" && n == 1 {
		if at := regexp.MustCompile(in.Old).FindIndex(data); at != nil {
			is, n = data[at[0]:at[1]], 1
		}
	}
	switch {
	case n == 0 && f.fault == "appends":
		data, is = append(data, with...), nil
	case n == 0, n > 1 && !in.All && f.fault != "first":
		return "", fmt.Errorf("the old text stands %d times in the file", n)
	}
	if f.fault == "expands" {
		with = bytes.ReplaceAll(with, []byte("$1"), nil)
	}
	if f.fault == "keeps" && len(with) == 0 {
		with = is
	}
	times := 1
	if in.All && f.fault != "once" {
		times = -1
	}
	if is != nil {
		data = bytes.Replace(data, is, with, times)
	}
	if encoding != "" {
		if data, _, err = encode(data, []string{encoding}); err != nil {
			return "", err
		}
	}
	return "edited", f.store(name, f.spoil(was, data))
}

// spoil does to the bytes of an edited file what the fault does.
func (f *fake) spoil(was, data []byte) []byte {
	bom, crlf := []byte("\xef\xbb\xbf"), []byte("\r\n")
	lines, ends := bytes.Count(was, []byte("\n")), bytes.Count(was, crlf)
	switch {
	case f.fault == "lf" && ends == lines && !bytes.HasPrefix(was, bom), f.fault == "mixed" && ends > 0 && ends < lines:
		return bytes.ReplaceAll(data, crlf, []byte("\n"))
	case f.fault == "bom" && ends == 0, f.fault == "bom-crlf" && ends > 0:
		return bytes.TrimPrefix(data, bom)
	case f.fault == "final" && !bytes.HasSuffix(was, []byte("\n")) && was[0] != 0xff:
		return append(data, '\n')
	case f.fault == "open" && bytes.HasSuffix(data, []byte("2\n")):
		return bytes.TrimSuffix(data, []byte("\n"))
	case f.fault == "latin1" && !bytes.HasPrefix(was, []byte("\xff\xfe")):
		return bytes.ToValidUTF8(data, []byte("�"))
	case f.fault == "spaces":
		return regexp.MustCompile(`[ \t]+\n`).ReplaceAll(data, []byte("\n"))
	case f.fault == "composes":
		return bytes.ReplaceAll(data, []byte("e\u0301"), []byte("é"))
	case f.fault == "large" && len(data) > 1<<20:
		return data[:1<<20]
	}
	return data
}

// store writes an edited file in place.
func (f *fake) store(name string, data []byte) error {
	_, err := os.Readlink(name)
	info, err2 := os.Stat(name)
	if err2 != nil {
		return err2
	}
	if f.fault == "replaces-link" && err == nil || f.fault == "replaces" && strings.Contains(fmt.Sprintf("%+v", info.Sys()), "Nlink:2 ") {
		os.Remove(name)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil || f.fault != "mode" {
		return err
	}
	return os.Chmod(name, 0o644)
}

type patchArgs struct {
	Patch string `json:"patch"`
}

// patch knows updates of one hunk, and new files.
func (f *fake) patch(ctx context.Context, in patchArgs) (string, error) {
	for section := range strings.SplitSeq(strings.TrimSuffix(in.Patch, "\n*** End Patch"), "*** ") {
		head, body, _ := strings.Cut(section, "\n")
		var old, with strings.Builder
		for line := range strings.Lines(strings.TrimPrefix(body, "@@\n")) {
			rest := strings.TrimRight(line[1:], "\n") + "\n"
			if line[0] != '+' {
				old.WriteString(rest)
			}
			if line[0] != '-' {
				with.WriteString(rest)
			}
		}
		var err error
		if name, ok := strings.CutPrefix(head, "Update File: "); ok {
			_, err = f.edit(ctx, editArgs{Path: name, Old: old.String(), New: with.String()})
		} else if name, ok := strings.CutPrefix(head, "Add File: "); ok && f.fault != "half" {
			_, err = f.write(ctx, writeArgs{name, with.String()})
		}
		if err != nil {
			return "", err
		}
	}
	return "patched", nil
}
