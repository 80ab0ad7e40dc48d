package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// part is a module that the program is linked from, or Go's standard library.
type part struct {
	path, version string
	own           bool     // it is the program's
	uses          []string // the paths of the parts that its packages import
	spdx          []string // the licences of which its files have the texts
	texts         []text
}

// text is a file with a licence, a notice or a grant.
type text struct {
	name string // with the path of the module
	data []byte
}

// standard is the path of the part that is Go's standard library.
const standard = "std"

// pkg is a package as go list has it.
type pkg struct {
	ImportPath, Dir string
	Imports         []string
	Standard        bool
	Module          *struct{ Path, Version, Dir string }
}

// linked returns the parts of the program for a platform, by their paths.
func linked(system, processor string) (list []part, err error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Imports,Standard,Module", program)
	cmd.Env, cmd.Stderr = environment(system, processor), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var packages []pkg
	of := map[string]string{} // the paths of parts, by package
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
		of[p.ImportPath] = standard
		if p.Module != nil {
			of[p.ImportPath] = p.Module.Path
		}
	}
	all := map[string]*part{}
	for _, p := range packages {
		path := of[p.ImportPath]
		if all[path] == nil {
			all[path] = &part{path: path}
		}
		if err := all[path].add(p, of); err != nil {
			return nil, err
		}
	}
	for _, one := range all {
		if err := one.finish(); err != nil {
			return nil, err
		}
		list = append(list, *one)
	}
	slices.SortFunc(list, func(a, b part) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// add adds what a package of the part imports, and the licences in its directory and in those above it.
func (p *part) add(one pkg, of map[string]string) error {
	for _, path := range one.Imports {
		if used := of[path]; used != "" && used != p.path && !slices.Contains(p.uses, used) {
			p.uses = append(p.uses, used)
		}
	}
	top := ""
	switch {
	case one.Module != nil:
		p.version, top = one.Module.Version, one.Module.Dir
		p.own = one.Module.Version == ""
	default:
		var err error
		if p.version, top, err = toolchain(); err != nil {
			return err
		}
	}
	for dir := one.Dir; ; dir = filepath.Dir(dir) {
		if err := p.addTexts(top, dir); err != nil {
			return err
		}
		if dir == top || dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// toolchain returns the version of Go, and where it is.
var toolchain = func() func() (version, root string, err error) {
	out := sync.OnceValues(func() ([]byte, error) { return exec.Command("go", "env", "GOROOT", "GOVERSION").Output() })
	return func() (string, string, error) {
		text, err := out()
		root, version, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		return strings.TrimPrefix(version, "go"), root, err
	}
}()

var licenceName = regexp.MustCompile(`(?i)^(LICEN[CS]E|COPYING|NOTICE|PATENTS)(\.(md|txt))?$`)

func (p *part) addTexts(top, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !licenceName.MatchString(entry.Name()) || !entry.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		rel, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		name := p.path + "/" + filepath.ToSlash(rel)
		if slices.ContainsFunc(p.texts, func(t text) bool { return t.name == name }) {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.texts = append(p.texts, text{name, data})
	}
	return nil
}

// licences are patterns that tell licences apart, of texts in lower case with single spaces.
var licences = []struct {
	spdx string
	text *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`apache license version 2\.0, january 2004`)},
	{"MIT", regexp.MustCompile(`permission is hereby granted, free of charge, to any person obtaining a copy`)},
	{"BSD-3-Clause", regexp.MustCompile(`redistribution and use in source and binary forms.* neither the name`)},
}

// finish names the licences of a part. One whose licence is not known is in no release.
func (p *part) finish() error {
	slices.Sort(p.uses)
	slices.SortFunc(p.texts, func(a, b text) int { return strings.Compare(a.name, b.name) })
	for _, t := range p.texts {
		words := strings.Join(strings.Fields(strings.ToLower(string(t.data))), " ")
		for _, l := range licences {
			if l.text.MatchString(words) && !slices.Contains(p.spdx, l.spdx) {
				p.spdx = append(p.spdx, l.spdx)
			}
		}
	}
	if len(p.spdx) == 0 {
		return fmt.Errorf("%s has no licence that is known here: read it, and add it to licences in release/parts.go", p.path)
	}
	return nil
}

// licenceTexts are the licences of all parts but the program's own, in one file.
func licenceTexts(parts []part) []byte {
	var b bytes.Buffer
	b.WriteString("spillway is linked from these modules and Go's standard library. Their licences:\n")
	for _, p := range parts {
		if p.own {
			continue
		}
		for _, t := range p.texts {
			fmt.Fprintf(&b, "\n%s\n%s %s\n%[1]s\n\n%[4]s\n", strings.Repeat("=", 80), t.name, p.version, bytes.TrimSpace(t.data))
		}
	}
	return b.Bytes()
}
