package session

import (
	"context"
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// defined is what bash prints that has a function and an alias.
const defined = "declare -f hello\n\x00expand_aliases \ton\nalias ll='ls -l'\n\x00hello () \n{ \n    echo hello\n}\n"

func TestState(t *testing.T) {
	ws, err := workspace.New(t.TempDir(), workspace.Options{})
	require.NoError(t, err)
	defer ws.Close()
	first := New(ws.Dir(), []string{"A=1"})
	require.Empty(t, first.Define())

	next, said := first.After("exec true", "bash", ws, nil)
	require.Nil(t, next)
	require.Equal(t, []notice.Notice{notice.StateLost(proc.MaxState)}, said)

	left := &proc.State{Dir: ws.Dir(), Env: []string{"A=2", "BASH_ENV=x"}, Defined: defined}
	next, said = first.After("hello() { echo hello; }", "bash", ws, left)
	require.Equal(t, []string{"A=2"}, next.Env)
	require.Contains(t, next.Define(), "alias ll='ls -l'")
	require.Equal(t, string(notice.NotKept([]string{"BASH_ENV"}, 1)), string(notice.Join(said...)))

	_, said = next.After("f() { :; }", "dash", ws, &proc.State{Dir: "/", Defined: defined})
	require.Equal(t, notice.Join(notice.NotHandedOn([]string{"the function f"}, 1), notice.WorkingDirectory("/")), notice.Join(said...))

	line := commandline.Parse("hello; ll; ls")
	next.Hide(&line)
	require.Equal(t, "hello may be what an earlier command has defined", line.Commands[0].Unknown)
	require.Equal(t, "ll may be what an earlier command has defined", line.Commands[1].Unknown)
	require.Empty(t, line.Commands[2].Unknown)
}

// A call that was judged before another one defined a function is stale; variables make no difference.
func TestCheck(t *testing.T) {
	ws, err := workspace.New(t.TempDir(), workspace.Options{})
	require.NoError(t, err)
	defer ws.Close()
	var none *State
	first := New(ws.Dir(), []string{"A=1"})
	next, _ := first.After("", "bash", ws, &proc.State{Dir: ws.Dir(), Defined: defined})
	ctx := context.Background()
	require.NoError(t, next.Check(ctx))
	require.NoError(t, next.Check(next.Judge(ctx)))
	require.NoError(t, first.Check(none.Judge(ctx)))
	require.ErrorContains(t, next.Check(none.Judge(ctx)), "another command has defined functions or aliases since this call was allowed")
	require.Error(t, next.Check(first.Judge(ctx)))
	require.Error(t, none.Check(next.Judge(ctx)))
}
