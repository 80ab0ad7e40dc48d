package footprint

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/internal/shellpath"
	"github.com/stretchr/testify/require"
)

func TestUses(t *testing.T) {
	ws, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(ws, "dir"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(ws, "old"), nil, 0o644))
	at := func(name string, use config.Use) config.PathUse {
		return config.PathUse{Name: name, Path: filepath.Join(ws, name), Use: use}
	}
	shown := func(abs string) string {
		name, err := filepath.Rel(ws, abs)
		require.NoError(t, err)
		return filepath.ToSlash(name)
	}
	f := shellpath.New(ws, []string{"HOME=" + filepath.Join(ws, "dir")})
	for _, test := range []struct {
		command string
		want    []config.PathUse
	}{
		{"echo", nil},
		{"echo >new", []config.PathUse{at("new", config.UseCreate)}},
		{"echo >old; echo >>old", []config.PathUse{at("old", config.UseChange)}},
		{"cat <old >/dev/null", []config.PathUse{at("old", config.UseRead)}},
		{"cd dir && echo >new", []config.PathUse{at("new", config.UseCreate), at("dir/new", config.UseCreate)}}, // cd may fail
		{"echo >~/new", []config.PathUse{at("dir/new", config.UseCreate)}},
		{"echo >~root/new", nil},
		{"echo >$NAME", nil},
	} {
		require.Equal(t, test.want, Uses(context.Background(), f, commandline.Parse(test.command).Commands, shown), test.command)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.Empty(t, Uses(ended, f, commandline.Parse("echo >new").Commands, shown))
}

func TestRedefined(t *testing.T) {
	line := commandline.Parse("hello; ll; ls")
	Redefined(&line, session.Names{Functions: []string{"hello", "export"}, Aliases: []string{"ll"}})
	require.Equal(t, "export may be what an earlier command has defined", line.Unknown)
	require.Equal(t, "hello may be what an earlier command has defined", line.Commands[0].Unknown)
	require.Equal(t, "ll may be what an earlier command has defined", line.Commands[1].Unknown)
	require.Empty(t, line.Commands[2].Unknown)
	Redefined(&line, session.Names{Functions: []string{"ls"}, Setup: true})
	require.Equal(t, "ls may be what Bash.Setup or an earlier command has defined", line.Commands[2].Unknown)
}
