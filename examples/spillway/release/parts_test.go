package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A release has the licences of all that it is linked from, and the inventory names what uses what.
func TestLinked(t *testing.T) {
	need.Build(t)
	t.Chdir("../../..")
	list, err := linked("linux", runtime.GOARCH)
	require.NoError(t, err)
	of := map[string]part{}
	for _, p := range list {
		of[p.path] = p
	}
	for path, want := range map[string]string{
		"github.com/modelcontextprotocol/go-sdk": "Apache-2.0 AND MIT", "github.com/creack/pty": "MIT",
		"golang.org/x/sys": "BSD-3-Clause", "std": "BSD-3-Clause", "github.com/spillway-go/spillway": "MIT",
	} {
		assert.Equal(t, want, strings.Join(of[path].spdx, " AND "), path)
	}
	require.Empty(t, of["github.com/stretchr/testify"].path, "what only tests import is said to be linked")
	if own := of["github.com/spillway-go/spillway"]; !own.own || !slices.Contains(own.uses, "github.com/modelcontextprotocol/go-sdk") {
		t.Errorf("%+v", own.uses)
	}
	require.NotContains(t, of["golang.org/x/sys"].uses, "github.com/spillway-go/spillway", "uses are the wrong way round")
	texts := licenceTexts(list)
	for _, want := range []string{"Copyright (c) 2014 Bob Matcuk", "github.com/creack/pty/LICENSE v", "std/LICENSE 1.", "golang.org/x/sys/PATENTS"} {
		assert.True(t, bytes.Contains(texts, []byte(want)), "LICENSES.txt lacks %q", want)
	}
}

// A licence below a module belongs to the packages there, and one that is not known stops a release.
func TestLicences(t *testing.T) {
	const mit = "Permission is hereby granted, free of\n charge, to any person obtaining a copy"
	top := t.TempDir()
	inside := filepath.Join(top, "inside")
	require.NoError(t, os.Mkdir(inside, 0o700))
	write := func(path, text string) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	read := func(dir string) (part, error) {
		p := part{path: "example.com/m"}
		one := pkg{ImportPath: "example.com/m/x", Dir: dir}
		one.Module = &struct{ Path, Version, Dir string }{"example.com/m", "v1.0.0", top}
		require.NoError(t, p.add(one, nil))
		return p, p.finish()
	}
	write(filepath.Join(top, "LICENSE.md"), "Do as you like.")
	write(filepath.Join(top, "main.go"), mit)
	if _, err := read(inside); err == nil || !strings.Contains(err.Error(), "example.com/m has no licence that is known here") {
		t.Errorf("%v", err)
	}
	write(filepath.Join(inside, "COPYING"), mit)
	if _, err := read(top); err == nil {
		t.Error("the licence of another directory counts")
	}
	p, err := read(inside)
	if err != nil || len(p.texts) != 2 || p.texts[1].name != "example.com/m/inside/COPYING" || p.spdx[0] != "MIT" {
		t.Errorf("%+v, %v", p, err)
	}
}
