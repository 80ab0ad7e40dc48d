package spill

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	for file, want := range map[string]bool{
		"bash-k3x9q2mf.log":                         true,
		"bash-k3x9q2mf.log.part":                    true,
		"stderr-8d2kq7xw.log":                       true,
		"result-8d2kq7xw.txt":                       true,
		"result-8d2kq7xw.txt.part":                  true,
		"before-KBVLPYVRIJYYMZNBVYTQKLFVUH.log":     true, // of an earlier version
		"job-KBVLPYVRIJYYMZNBVYTQKLFVUH.log.part":   true,
		"result-8d2kq7xw.log":                       false,
		"bash-k3x9q2mf.txt":                         false,
		"bash-previous.log":                         false,
		"job-20261123.log":                          false,
		"job-22334455.log":                          false,
		"tool-rhythmsx.log":                         false,
		"app-k3x9q2mf.log":                          false,
		"bash-K3X9Q2MF.log":                         false,
		"bash-k3x9q2mf2.log":                        false,
		"bash-k3x9q2m.log":                          false,
		"bash-k3x9q2mf.log.part.part":               false,
		"result-KBVLPYVRIJYYMZNBVYTQKLFVUH.txt":     false,
		"bash-kbvlpyvrijyymznbvytqklfvuh.log":       false,
		"-k3x9q2mf.log":                             false,
		"bash-k3x9q2mf.log\n":                       false,
		".log":                                      false,
		".part":                                     false,
		"x/bash-k3x9q2mf.log":                       false,
		"bash-k3x9q2mf.log.part.KBVLPYVRIJYYMZNBVY": false,
	} {
		require.Equal(t, want, isOwn(file), "%q", file)
	}
}

// Every name that is given is one that a sweep knows.
func TestRandomNames(t *testing.T) {
	seen := map[string]bool{}
	for range 10_000 {
		id := NewID()
		require.True(t, isOwn("bash-"+id+outputEnding), id)
		require.False(t, seen[id], "%s twice", id)
		seen[id] = true
	}
	for _, kind := range []string{"bash", "job", "stderr", "tool", Undo} {
		d := NewDir(t.TempDir())
		path := kept(t, d.NewWriter(kind))
		require.True(t, isOwn(filepath.Base(path)), path)
		d.Close()
	}
}

// ids returns what gives these ids, and then the last one for ever.
func ids(list ...string) func() string {
	return func() (id string) {
		id = list[0]
		if len(list) > 1 {
			list = list[1:]
		}
		return id
	}
}

// A name that a file has, be it whole or written just now, is not given to another.
func TestTakenNames(t *testing.T) {
	d := newDir(t, t.TempDir())
	keep := func(text string) string {
		w := d.NewWriter("bash")
		defer w.Close()
		w.Write([]byte(text))
		path := kept(t, w)
		return filepath.Base(path)
	}
	d.newID = ids("k3x9q2m2")
	require.Equal(t, "bash-k3x9q2m2.log", keep("first"))
	writing := d.NewWriter("bash")
	defer writing.Close()
	d.newID = ids("k3x9q2m3")
	writing.Spill()
	d.newID = ids("k3x9q2m2", "k3x9q2m3", "k3x9q2m4")
	require.Equal(t, "bash-k3x9q2m4.log", keep("second"))
	path := kept(t, writing)
	require.Equal(t, "bash-k3x9q2m3.log", filepath.Base(path))
	for name, want := range map[string]string{"bash-k3x9q2m2.log": "first", "bash-k3x9q2m3.log": "", "bash-k3x9q2m4.log": "second"} {
		require.Equal(t, want, testkit.ReadFile(t, filepath.Join(d.path, name)))
	}
	require.Len(t, logs(t, d.path), 3, "nothing is left of the names that were tried")

	d.newID = ids("k3x9q2m2")
	w := d.NewWriter("bash")
	_, err := w.Keep()
	require.ErrorIs(t, err, errTaken)
	require.Len(t, logs(t, d.path), 3)
}

// Files of an earlier version are swept as ever, and hide the directory from git.
func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bash-KBVLPYVRIJYYMZNBVYTQKLFVUH.log", "before-KBVLPYVRIJYYMZNBVYTQKLFVUH.log", "bash-KBVLPYVRIJYYMZNBVYTQKLFVUA.log.part"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("text"), 0o600))
		old := time.Now().Add(-48 * time.Hour)
		require.NoError(t, os.Chtimes(path, old, old))
	}
	d := newDir(t, dir)
	path := kept(t, d.NewWriter("bash"))
	require.Regexp(t, regexp.MustCompile(`bash-\w{8}\.log$`), path)
	require.FileExists(t, filepath.Join(dir, ".gitignore"))
	report := swept(t, dir, Options{MaxAge: 24 * time.Hour, UndoMaxAge: 72 * time.Hour})
	require.Equal(t, Report{Removed: 2, RemovedBytes: 8, Kept: 2, KeptBytes: 4}, report)
}
