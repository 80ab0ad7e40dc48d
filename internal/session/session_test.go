package session

import (
	"context"
	"testing"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// defined is what bash prints that has a function and an alias.
const defined = "declare -f hello\n\x00expand_aliases \ton\nalias ll='ls -l'\n\x00hello () \n{ \n    echo hello\n}\n"

// kept is a Definer that keeps all, whatever it is.
type kept struct{}

func (kept) Defined(printed string) (Definitions, notice.Notice) { return code(printed), "" }
func (kept) Forgotten(string) notice.Notice                      { return notice.NotHandedOn([]string{"the function f"}) }

type code string

func (c code) Code() string                       { return string(c) }
func (code) Names() (functions, aliases []string) { return []string{"hello"}, []string{"ll"} }

// What is not kept is named.
func TestNoDefinitions(t *testing.T) {
	set, said := NoDefinitions{}.Defined("declare -f hello\ndeclare -fx exported\n\x00expand_aliases \ton\nalias ll='ls -l'\n\x00hello () \n{ \n}\n")
	require.Nil(t, set)
	require.Equal(t, notice.NoDefinitions([]string{"the function hello", "the alias ll"}), said)
	set, said = NoDefinitions{}.Defined("")
	require.Nil(t, set)
	require.Empty(t, said)
}

func TestState(t *testing.T) {
	ws, err := workspace.New(t.TempDir(), workspace.Options{})
	require.NoError(t, err)
	defer ws.Close()
	first := New(ws.Dir(), []string{"A=1"})
	require.Empty(t, first.Define())

	next, said := first.After("exec true", "bash", kept{}, ws, nil)
	require.Nil(t, next)
	require.Equal(t, []notice.Notice{notice.StateLost(proc.MaxState)}, said)

	left := &proc.State{Dir: ws.Dir(), Env: []string{"A=2", "BASH_ENV=x"}, Defined: defined}
	next, said = first.After("hello() { echo hello; }", "bash", kept{}, ws, left)
	require.Equal(t, []string{"A=2"}, next.Env)
	require.Contains(t, next.Define(), "alias ll='ls -l'")
	require.Equal(t, string(notice.NotKept([]string{"BASH_ENV"})), string(notice.Join(said...)))

	_, said = next.After("f() { :; }", "dash", kept{}, ws, &proc.State{Dir: "/", Defined: defined})
	require.Equal(t, notice.Join(notice.NotHandedOn([]string{"the function f"}), notice.WorkingDirectory("/")), notice.Join(said...))

	require.Equal(t, Names{Functions: []string{"hello"}, Aliases: []string{"ll"}}, next.Names())
}

// A call that was judged before another one defined a function is stale; variables make no difference.
func TestCheck(t *testing.T) {
	ws, err := workspace.New(t.TempDir(), workspace.Options{})
	require.NoError(t, err)
	defer ws.Close()
	var none *State
	first := New(ws.Dir(), []string{"A=1"})
	next, _ := first.After("", "bash", kept{}, ws, &proc.State{Dir: ws.Dir(), Defined: defined})
	ctx := context.Background()
	require.NoError(t, next.Check(ctx))
	require.NoError(t, next.Check(next.Judge(ctx)))
	require.NoError(t, first.Check(none.Judge(ctx)))
	require.ErrorContains(t, next.Check(none.Judge(ctx)), "another command has defined functions or aliases since this call was allowed")
	require.Error(t, next.Check(first.Judge(ctx)))
	require.Error(t, none.Check(next.Judge(ctx)))
}
