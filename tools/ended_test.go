package tools

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
)

// Before the first end of a job, the hook that tells it allocates nothing.
func TestTellEndedCostsNothing(t *testing.T) {
	s, err := New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	h, c := tellEnded(s.shell.jobs, s.memory, 0), &call{}
	next := func(context.Context, *call) reply { return reply{} }
	require.Zero(t, testing.AllocsPerRun(100, func() { h(t.Context(), c, next) }))
}

// What a text ends in may be output, whatever it looks like: a notice that is added has a bracket of its own.
func TestAlso(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n[One thing]":      "a\n\n[One thing]\n\n[Another]",
		"a\n\n[list of\n1]":     "a\n\n[list of\n1]\n\n[Another]",
		"[dependencies]\n":      "[dependencies]\n\n[Another]",
		"a\n\n[One]\n\nExit: 2": "a\n\n[One]\n\nExit: 2\n\n[Another]",
		"":                      "[Another]",
	} {
		r := reply{shown: &Shown{Text: text}}
		require.True(t, r.also("Another", 100))
		require.Equal(t, want, r.shown.Text)
	}
}

// With a notice more, a result is still within its limit and the allowance; else its text stays as it is.
func TestAlsoKeepsWithinTheAllowance(t *testing.T) {
	const most, added = 100, len("\n\n[Another]")
	for length := most + notice.Allowance - 2*added; length <= most+notice.Allowance; length++ {
		text := strings.Repeat("x", length)
		alone := reply{shown: &Shown{Text: text}}
		require.Equal(t, length+added <= most+notice.Allowance, alone.also("Another", most), length)
		failed := reply{shown: &Shown{Text: text}, err: errorf(CodeTimeout, "it took too long")}
		said := len(failed.err.Error()) + len("\n\n")
		require.Equal(t, length+said+added <= most+notice.Allowance, failed.also("Another", most), length)
	}
	refused := reply{err: errorf(CodeDenied, "no")}
	require.False(t, refused.also(notice.Notice(strings.Repeat("x", most+notice.Allowance)), most))
	require.Nil(t, refused.shown)
}
