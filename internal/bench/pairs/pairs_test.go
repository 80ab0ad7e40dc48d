package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each call that is measured does its work, also when it is made again.
func TestRows(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, makeFiles(dir))
	var asked, out strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&asked, "%s\n%s\n", r.name, r.name)
	}
	require.NoError(t, serve(dir, strings.NewReader(asked.String()), &out))
	require.Equal(t, 2*len(rows), strings.Count(out.String(), "\n"))
}

// A build that is slower fails each row where it is, after it was measured twice; one that is about as fast does not.
func TestCompare(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the builds are shell scripts")
	}
	program := func(name, body string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nwhile read -r row; do\n"+body+"\ndone\n"), 0o755))
		return path
	}
	some := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.name != "bash: echo" && r.name != "edit" && r.name != "find: none" })
	require.Len(t, some, 3)
	before := program("old", "echo 1000000")
	var out strings.Builder
	require.NoError(t, compare(before, program("new", "echo 1249000"), some, &out))
	require.NotContains(t, out.String(), "measured again")
	require.Contains(t, out.String(), "edit                                 1.000     1.249    1.25    1.25    100\n")

	out.Reset()
	err := compare(before, program("new", `case $row in edit) echo 1251000;; *) echo 500000;; esac`), some, &out)
	require.EqualError(t, err, "more than 1.25 times as slow as before: edit")
	require.Equal(t, 1, strings.Count(out.String(), "measured again"))
	require.ErrorContains(t, compare(before, program("new", "exit 3"), some, &out), `new ended in the row "bash: echo"`)
}
