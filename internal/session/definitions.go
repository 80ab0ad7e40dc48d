package session

import (
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
)

// Definer keeps the functions and aliases that a shell leaves.
type Definer interface {
	// Defined returns the part of bash's output ([proc.State]) that is kept, nil for nothing, and says what is not
	// kept.
	Defined(printed string) (Definitions, notice.Notice)
	// Forgotten says what a command has defined in a shell that passes nothing on.
	Forgotten(command string) notice.Notice
}

type Definitions interface {
	Code() string // defines them in bash
	Names() (functions, aliases []string)
}

// NoDefinitions is a Definer that keeps nothing, because only a parser tells definitions from other code.
type NoDefinitions struct{}

func (NoDefinitions) Defined(printed string) (Definitions, notice.Notice) {
	var names []string
	functions, rest, _ := strings.Cut(printed, "\x00")
	for line := range strings.Lines(functions) {
		if name, ok := strings.CutPrefix(line, "declare -f "); ok {
			names = append(names, "the function "+strings.TrimSuffix(name, "\n"))
		}
	}
	aliases, _, _ := strings.Cut(rest, "\x00")
	for line := range strings.Lines(aliases) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "alias "), "="); ok && strings.HasPrefix(line, "alias ") {
			names = append(names, "the alias "+name)
		}
	}
	return nil, notice.NoDefinitions(names)
}

func (NoDefinitions) Forgotten(string) notice.Notice { return "" }
