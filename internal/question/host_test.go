package question_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/question"
)

// A host that nobody can be asked about is allowed by a flag of its own.
func TestHostFlags(t *testing.T) {
	call := config.Call{Host: "example.org:443", Session: []string{"example.org"}, Why: "the command wants to reach example.org"}
	require.Equal(t, "-allow-host example.org", question.Flags(call))
	call.Session = []string{"[2001:db8::1]:8443"}
	require.Equal(t, "-allow-host '[2001:db8::1]:8443'", question.Flags(call))
	require.ErrorContains(t, question.Refusal(call, "nobody can be asked"), "by starting this program with -allow-host '[")
}
