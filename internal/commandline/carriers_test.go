package commandline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCarrierRows: what each row of carriers.txt says of a program is found in a line that is so called.
func TestCarrierRows(t *testing.T) {
	token := regexp.MustCompile(`^(words|text|input|far|\d|<\d?|--?[A-Za-z][a-z-]*[!*:<])$`)
	for line := range strings.Lines(carriersText) {
		if _, columns, ok := strings.Cut(line, " | "); line[0] == ' ' || ok && line[0] != '#' {
			if !ok {
				columns = ""
			}
			for _, word := range strings.Fields(columns) {
				require.Regexp(t, token, word, line)
			}
		}
		require.LessOrEqual(t, len(line), 121, line)
	}
	rows := 0
	for name, c := range carriers() {
		if c == nil {
			continue
		}
		rows++
		front := name + strings.Repeat(" x", c.skip)
		if c.words {
			require.True(t, runsRM(front+" rm v"), front)
			require.True(t, runsRM(front+" -X --y=z rm v") || c.skip > 0, front)
			require.True(t, runsRM(front+" sh -c 'rm v'"), front)
			require.True(t, runsRM(front+" env -u A su -c 'rm v'"), front)
		}
		if c.text {
			require.True(t, runsRM(front+" 'cd a; rm v'"), front)
			require.True(t, runsRM(front+" rm v"), front)
		}
		if c.input || c.shell >= 0 {
			require.NotEmpty(t, unknownOf(name), name)
		}
		for option, mark := range c.options {
			switch mark {
			case '!':
				line := fmt.Sprintf("%s %s 'rm v'", name, option)
				require.True(t, runsRM(line), line)
				require.NotEmpty(t, unknownOf(fmt.Sprintf(`%s %s "$x"`, name, option)), line)
			case '*':
				words := Parse(fmt.Sprintf("%s %s 'rm v'", name, option)).Commands[0].Words
				require.Equal(t, "rm v", Code(words)[0].Text, "%s %s", name, option)
			case '<':
				require.NotEmpty(t, unknownOf(name+" "+option), option)
			case ':':
				require.Equal(t, runsRM(name+" x x x rm v"), runsRM(fmt.Sprintf("%s %s y x x x rm v", name, option)), option)
			}
		}
	}
	require.Greater(t, rows, 100)
}

// runsRM reports whether a line is known to run rm v, which no other command of it allows.
func runsRM(line string) bool {
	is := func(words []Word) bool {
		return len(words) == 2 && words[0].Text == "rm" && words[1].Text == "v"
	}
	return slices.ContainsFunc(Parse(line).Commands, func(c Command) bool {
		list, _ := Carried(c.Words)
		return is(c.Words) && c.Carried || slices.ContainsFunc(list, is)
	})
}

// unknownOf returns why what a line runs is not known.
func unknownOf(line string) string {
	for _, c := range Parse(line).Commands {
		if c.Unknown != "" && c.Carried {
			return c.Unknown
		}
	}
	return ""
}

// TestCarriedApart: what a carrier runs changes nothing of what stands behind it, and is no doubt about the line.
func TestCarriedApart(t *testing.T) {
	for _, line := range []string{
		"su -c 'cd a; alias b=c; export D=e' root; ls", "ssh host 'cd a; shopt -s x'; ls", "sudo env -C a b; ls",
		"ssh host '(' ; ls", "sudo sh -c 'set -k; cd /'; ls",
	} {
		got := Parse(line)
		last := got.Commands[len(got.Commands)-1]
		require.Equal(t, "ls", last.Text, line)
		require.Equal(t, []string{""}, last.Dirs, line)
		require.Empty(t, last.Assigned, line)
		require.Empty(t, got.Unknown, line)
		require.False(t, last.Carried || last.Far, line)
	}
}
