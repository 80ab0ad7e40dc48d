package notice

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Begin puts a notice first, and takes only a bracket of sentences for notices.
func TestBegin(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a\n\n[One thing]", "a\n\n[First. One thing]"},
		{"a", "a\n\n[First]"},
		{"", "[First]"},
		{"[dependencies]", "[dependencies]\n\n[First]"},
		{"a\n\n[dependencies]", "a\n\n[dependencies]\n\n[First]"},
		{"a\n\n[list of\n1]", "a\n\n[list of\n1]\n\n[First]"},
		{"a\n\n[One thing]\n\nCommand exited with code 2", "a\n\n[One thing]\n\nCommand exited with code 2\n\n[First]"},
	} {
		got, ok := Begin(tt.text, "First", 0)
		require.True(t, ok)
		require.Equal(t, tt.want, got)
	}
}

// With a notice more, the notices are still within the allowance; else the text stays as it is.
func TestBeginKeepsWithinTheAllowance(t *testing.T) {
	for length := Allowance - 40; length <= Allowance-6; length++ {
		text := "output\n\n[a " + strings.Repeat("x", length) + "]"
		got, ok := Begin(text, "First", 0)
		require.Equal(t, len(text)+len("First. ") <= len("output")+Allowance, ok, length)
		if !ok {
			require.Equal(t, text, got)
		}
	}
	_, ok := Begin("output", "First", Allowance)
	require.False(t, ok, "an error takes room, too")
}

// However many jobs there are, the sentence is short.
func TestJobsEndedIsBounded(t *testing.T) {
	state := JobState{Code: -1, Signal: "SIGKILL", Sender: "the limit of 1024.0MB for the output of all jobs"}.String()
	jobs := slices.Repeat([]Ended{{1_000_000, state, 1000 * time.Hour}}, 64)
	require.Less(t, len(JobsEnded(jobs)), Allowance*3/4)
	require.Contains(t, JobsEnded(jobs), " and 59 more")
}
