package checkpoint_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/checkpoint"
)

// What a command changes is said, and put back.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("a.go", "package a\n\nvar x = 1\n")
	write("c.txt", "gone\n")
	c := checkpoint.New()
	suite, err := tools.New(config.Config{Workspace: dir, Checkpoint: config.Checkpoint{Dir: t.TempDir()}}, c.Part())
	require.NoError(t, err)
	defer suite.Close()
	id, err := c.Take(t.Context())
	require.NoError(t, err)
	bash := func(command string) tools.BashResult {
		res, err := suite.Bash(t.Context(), tools.BashParams{Command: command})
		t.Log(res.Text, err)
		return res
	}
	bash("sed -i 's/1/2/' a.go; echo new >b.go; rm c.txt")
	bash("mkdir -p gen/x && for i in 1 2 3 4 5; do echo $i >gen/x/$i; done; chmod 755 a.go; ln -s a.go link; head -c 100 /dev/zero >bin; exit 3")
	bash("mkdir e; mv b.go bb.go; echo hi")
	bash("for i in `seq 40`; do echo $i >f$i; done")
	bash("true")
	res, err := suite.Edit(t.Context(), tools.EditParams{Path: "a.go", OldString: "x = 2", NewString: "x = 3"})
	t.Log(res.Text, err)
	d, err := c.Diff(t.Context(), id)
	require.NoError(t, err)
	t.Log(d.Text)
	list, err := c.List(t.Context())
	t.Log(list, err)
	r, err := d.Rewind(t.Context())
	t.Log(r, err)
	bash("ls -la; cat a.go c.txt")
}
