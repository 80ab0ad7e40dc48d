//go:build unix

package definitions

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/proc"
	"github.com/stretchr/testify/require"
)

// TestRead takes over definitions, and nothing else that a command may have written.
func TestRead(t *testing.T) {
	const f, g = "f () \n{ \n    echo f\n}\n", "g () \n{ \n    echo g\n}\n"
	for _, tt := range []struct {
		name, text         string
		functions, aliases []string
		lost               []string
	}{
		{"nothing", "", nil, nil, nil},
		{"functions", "declare -f f\ndeclare -f g\n\x00expand_aliases \toff\n\x00" + f + g, []string{"f", "g"}, nil, nil},
		{"an exported one", "declare -fx f\ndeclare -f g\n\x00\x00" + f + g, []string{"g"}, nil, nil},
		{"a reserved one", "declare -f read\n\x00\x00read () \n{ \n :\n}\n", nil, nil, []string{"the function read"}},
		{"cut off", "declare -f f\ndeclare -f g\n\x00\x00" + f + g[:len(g)-3], []string{"f"}, nil, []string{"the function g"}},
		{"without a text", "declare -f f\ndeclare -f g\n\x00\x00" + f, []string{"f"}, nil, []string{"the function g"}},
		{"nested too deeply", "declare -f f\n\x00\x00f () \n{ \n" + strings.Repeat("(", 30000) + ":" + strings.Repeat(")", 30000) + "\n}\n", nil, nil, []string{"the function f"}},
		{"an escape character", "declare -f f\n\x00\x00f () \n{ \n    echo '\x1b[0m'\n}\n", []string{"f"}, nil, nil},
		{"another control character", "declare -f f\n\x00\x00f () \n{ \n    echo '\x01'\n}\n", nil, nil, []string{"the function f"}},
		{"a command behind it", "declare -f f\n\x00\x00" + f + "rm x\n", nil, nil, []string{"the function f"}},
		{"a command before it", "declare -f f\n\x00\x00rm x\n" + f, []string{"f"}, nil, nil},
		{"in the background", "declare -f f\n\x00\x00f () \n{ \n :\n} &\n", nil, nil, []string{"the function f"}},
		{"another name", "declare -f f\n\x00\x00" + g, nil, nil, []string{"the function f"}},
		{"aliases", "\x00expand_aliases \ton\nalias a='b c'\nalias -- -='cd -'\nalias q='it'\\''s'\n\x00", nil, []string{"a", "-", "q"}, nil},
		{"aliases that run something", "\x00x\nalias a=$(rm x)\nalias b=\"$(rm x)\"\nrm x\nalias c=d >x\nalias e=f &\n! alias g=h\nalias i j=k\n\x00", nil, nil, nil},
		{"an alias of a keyword", "\x00x\nalias if='rm x'\n\x00", nil, nil, []string{"the alias if"}},
	} {
		set, lost := Read(tt.text, []string{"read"})
		require.Equal(t, tt.functions, set.functions, tt.name)
		require.Equal(t, tt.aliases, set.aliases, tt.name)
		require.Equal(t, tt.lost, lost, tt.name)
		require.NotContains(t, set.Code(), "rm x", tt.name)
	}
}

// TestRoundTrip has bash print its functions, and define them again.
func TestRoundTrip(t *testing.T) {
	const script = `shopt -s extglob expand_aliases
a-b.c() { cat <<END
f () 
{ 
	$1
END
}
case_() { case $1 in @(a|b)*) echo ext;; esac; }
sub() ( echo sub; )
to() { echo to; } >&2
function time-it { time :; }
alias x='echo '\''1'\''
y' ll='ls -l'
`
	run := func(text string) string {
		out, err := exec.Command("bash", "-c", text).Output()
		if err != nil {
			t.Skip(err)
		}
		return string(out)
	}
	printed := run(script + proc.SaveDefinitions)
	set, lost := Read(printed, nil)
	// The here-document has what looks like the start of a function.
	require.Equal(t, []string{"the function a-b.c"}, lost)
	require.Equal(t, []string{"case_", "sub", "time-it", "to"}, set.functions)
	require.Equal(t, []string{"ll", "x"}, set.aliases)
	again, lost := Read(run(set.Code()+proc.SaveDefinitions), nil)
	require.Empty(t, lost)
	require.Equal(t, set, again)
	require.Equal(t, "ext\nsub\n1\n", run(set.Code()+"shopt -s extglob; case_ bx; sub; x 2>/dev/null | head -1"))
}
