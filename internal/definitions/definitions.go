// Package definitions reads the functions and aliases that bash hands on, and writes them for the next shell.
//
// What it reads may come from any command. So it takes over nothing but definitions: text that it cannot parse as
// these is left out and named.
package definitions

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
	"mvdan.cc/sh/v3/syntax"
)

// Set holds functions and aliases.
type Set struct {
	functions []string // their names
	aliases   []string // likewise
	expands   bool     // expand_aliases is on
	code      []string
}

// Names returns the names of the functions and aliases.
func (s *Set) Names() (functions, aliases []string) { return s.functions, s.aliases }

// Read reads what bash has printed, as proc.State.Defined has it. reserved are the functions that must not be kept. lost names these, as "the function
// read", and what is not whole or cannot be parsed. Exported functions, which the environment holds, are left out.
func Read(text string, reserved []string) (set *Set, lost []string) {
	set = &Set{}
	names, rest, _ := strings.Cut(text, "\x00")
	aliases, functions, _ := strings.Cut(rest, "\x00")
	lost = set.readAliases(aliases)
	texts := split(functions)
	for line := range strings.Lines(names) {
		attributes, name, ok := strings.Cut(strings.TrimPrefix(line, "declare -f"), " ")
		name, whole := strings.CutSuffix(name, "\n")
		switch {
		case !ok || !whole || strings.Contains(attributes, "x"):
		case slices.Contains(reserved, name) || !isFunction(name, texts[name]):
			lost = append(lost, "the function "+name)
		default:
			set.functions = append(set.functions, name)
			set.code = append(set.code, texts[name])
		}
	}
	return set, lost
}

// start matches the first lines of a function, as bash prints them.
var start = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:function )?(\S+) \(\) *\n[{(]`)
})

// split returns the texts of functions, by their names.
func split(functions string) map[string]string {
	texts := map[string]string{}
	found := start().FindAllStringSubmatchIndex(functions, -1)
	for i, at := range found {
		end := len(functions)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		texts[functions[at[2]:at[3]]] = functions[at[0]:end]
	}
	return texts
}

// isFunction reports whether a text defines a function of that name and does nothing else.
func isFunction(name, text string) bool {
	list := parse(text)
	if len(list) != 1 || list[0].Negated || list[0].Background || list[0].Coprocess || len(list[0].Redirs) > 0 {
		return false
	}
	f, ok := list[0].Cmd.(*syntax.FuncDecl)
	return ok && f.Name != nil && f.Name.Value == name
}

// parse returns the statements of a text, in which an escape character, as in the colours of a prompt, means nothing.
func parse(text string) []*syntax.Stmt {
	list, err := commandline.Statements(strings.ReplaceAll(text, "\x1b", "_"))
	if err != nil {
		return nil
	}
	return list
}

// keywords are the words that mean something else to a shell, unless they are aliases.
var keywords = strings.Fields("! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while")

// readAliases reads whether aliases are expanded, and the aliases.
func (s *Set) readAliases(text string) (lost []string) {
	state, text, _ := strings.Cut(text, "\n")
	s.expands = strings.HasSuffix(state, "\ton")
	for _, stmt := range parse(text) {
		name, ok := alias(stmt)
		switch {
		case !ok:
		case slices.Contains(keywords, name):
			lost = append(lost, "the alias "+name)
		default:
			s.aliases = append(s.aliases, name)
			s.code = append(s.code, text[stmt.Pos().Offset():stmt.End().Offset()]+"\n")
		}
	}
	return lost
}

// alias returns the name of the alias that a statement defines, if it does nothing else.
func alias(stmt *syntax.Stmt) (name string, ok bool) {
	call, isCall := stmt.Cmd.(*syntax.CallExpr)
	if !isCall || stmt.Negated || stmt.Background || stmt.Coprocess || len(stmt.Redirs)+len(call.Assigns) > 0 {
		return "", false
	}
	args := call.Args
	if len(args) == 3 && args[1].Lit() == "--" {
		args = slices.Delete(slices.Clone(args), 1, 2)
	}
	if len(args) != 2 || args[0].Lit() != "alias" {
		return "", false
	}
	for i, part := range args[1].Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if before, _, is := strings.Cut(part.Value, "="); i == 0 && is {
				name = before
			}
		case *syntax.SglQuoted:
		default:
			return "", false
		}
	}
	return name, name != ""
}

// In names what a command leaves defined in its shell, as far as its text says: "the function f", "the alias ll" and
// "what env.sh defines".
func In(command string) (names []string) {
	list, err := commandline.Statements(command)
	if err != nil {
		return nil
	}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, stmt := range list {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
				return false // another shell
			case *syntax.FuncDecl:
				if n.Name != nil {
					add("the function " + n.Name.Value)
				}
				return false
			case *syntax.CallExpr:
				if len(n.Args) < 2 {
					return true
				}
				switch name := n.Args[0].Lit(); name {
				case ".", "source":
					add("what " + printed(n.Args[1]) + " defines")
				case "alias":
					for _, word := range n.Args[1:] {
						if before, _, is := strings.Cut(printed(word), "="); is {
							add("the alias " + before)
						}
					}
				}
			}
			return true
		})
	}
	return names
}

// printed returns a word as it is written.
func printed(word *syntax.Word) string {
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, word); err != nil {
		return "it"
	}
	return b.String()
}

// Code defines all of them in a shell. A function may need extglob to be parsed, whatever it was when it was defined.
func (s *Set) Code() string {
	if s == nil || len(s.code) == 0 && !s.expands {
		return ""
	}
	code := "\\builtin shopt -s extglob\n" + strings.Join(s.code, "") + "\\builtin shopt -u extglob\n"
	if s.expands {
		code += "\\builtin shopt -s expand_aliases\n"
	}
	return code
}
