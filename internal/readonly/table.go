package readonly

import (
	_ "embed" // the tables
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
)

//go:embed table.txt
var tableText string

//go:embed network.txt
var networkText string

//go:embed go.txt
var goText string

// programs returns the programs of table.txt, by name, with the options by which they write to a file.
var programs = sync.OnceValue(func() map[string]*program {
	all := must(readPrograms(tableText))
	for name, p := range all {
		if name == p.name && name != "git" {
			p.write(name)
		}
	}
	for name, sub := range all["git"].subs {
		sub.write("git " + name)
	}
	return all
})

// networked returns the programs of network.txt.
var networked = sync.OnceValue(func() map[string]*program { return must(readPrograms(networkText)) })

// localGo returns the go of go.txt.
var localGo = sync.OnceValue(func() map[string]*program { return must(readPrograms(goText)) })

// must is for the tables that are part of the package, which a test reads.
func must[T any](table T, err error) T {
	if err != nil {
		panic("internal/readonly: " + err.Error())
	}
	return table
}

// judges are what a program of the table can be judged by, apart from its options: words instead of them, passed after
// them.
var judges = map[string]struct {
	words  func(p *program, name string, args []commandline.Word) string
	passed func(name string, c call) string
}{
	"anyButHelp":  {words: anyButHelp},
	"awk":         {passed: awk},
	"certificate": {passed: certificate},
	"command":     {words: onlyNames},
	"conditions":  {words: conditions},
	"date":        {passed: date},
	"env":         {passed: env},
	"gitConfig":   {passed: gitConfig},
	"lastMode":    {passed: lastMode},
	"loopback":    {passed: loopback},
	"printf":      {words: printf},
	"printing":    {passed: printing},
	"ps":          {words: ps},
	"remotes":     {passed: remotes},
	"sed":         {passed: sed},
	"set":         {words: set},
	"tar":         {words: tar},
	"test":        {words: test},
	"toStdout":    {passed: toStdout},
	"unpaged":     {passed: unpaged},
	"unzip":       {words: unzip},
}

// row is a line of a table: the commands that it is about, such as "git log", and its other columns.
type row struct {
	names   []string
	columns []string
}

// readRows reads a table. A row is a line and the indented ones behind it. Its columns are separated by " | ", the first
// has commands: those behind a comma differ in the last word. Groups, $name = words, may stand for words of columns.
func readRows(text string, columns int) (rows []row, err error) {
	groups := map[string][]string{}
	for _, line := range joined(text) {
		if name, words, ok := strings.Cut(line, " = "); ok && strings.HasPrefix(name, "$") {
			if _, again := groups[name]; again || words == "" {
				return nil, errors.New(name + " is there twice, or empty")
			}
			if groups[name], err = expanded(words, groups); err != nil {
				return nil, err
			}
			continue
		}
		cells := strings.Split(line, " | ")
		r := row{columns: make([]string, columns)}
		if len(cells) > columns+1 || strings.ContainsAny(line, "\t\r") || strings.HasSuffix(line, "|") {
			return nil, fmt.Errorf("%q has more than %d columns, or an empty one at its end", line, columns+1)
		}
		if r.names, err = commandsOf(cells[0]); err != nil {
			return nil, err
		}
		for i, cell := range cells[1:] {
			words, err := expanded(cell, groups)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cells[0], err)
			}
			r.columns[i] = strings.Join(words, " ")
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// joined returns the lines of a table, with those that continue them and without comments.
func joined(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == ' ' && len(lines) > 0:
			lines[len(lines)-1] += " " + strings.TrimLeft(line, " ")
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

func expanded(text string, groups map[string][]string) (words []string, err error) {
	for _, w := range strings.Fields(text) {
		if !strings.HasPrefix(w, "$") {
			words = append(words, w)
			continue
		}
		group, ok := groups[w]
		if !ok {
			return nil, errors.New(w + " is not defined above")
		}
		words = append(words, group...)
	}
	return words, nil
}

// commandsOf returns the commands of a first column: "git log, show" is git log and git show.
func commandsOf(cell string) (all []string, err error) {
	first, rest, _ := strings.Cut(cell, ", ")
	parent := first[:strings.LastIndexByte(first, ' ')+1]
	all = []string{first}
	if rest != "" {
		for name := range strings.SplitSeq(rest, ", ") {
			all = append(all, parent+name)
		}
	}
	for i, name := range all {
		if name == "" || name != strings.Join(strings.Fields(name), " ") || strings.ContainsAny(name, ",|") ||
			i > 0 && strings.Contains(name[len(parent):], " ") || slices.Contains(all[:i], name) {
			return nil, fmt.Errorf("%q has no names, or one twice", cell)
		}
	}
	return all, nil
}

// readPrograms reads a table of programs, with the columns that table.txt explains.
func readPrograms(text string) (map[string]*program, error) {
	rows, err := readRows(text, 3)
	if err != nil {
		return nil, err
	}
	all := map[string]*program{}
	for _, r := range rows {
		var shared *program // names of a program are the same, and subcommands are each its own
		for _, name := range r.names {
			p := shared
			if p == nil {
				if p, err = newProgram(name, r.columns); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			if err := add(all, name, p); err != nil {
				return nil, err
			}
			if !strings.Contains(name, " ") {
				shared = p
			}
		}
	}
	return all, nil
}

// add adds a program to the table, or a subcommand to its program.
func add(all map[string]*program, name string, p *program) error {
	words := strings.Fields(name)
	for i, word := range words[:len(words)-1] {
		parent := all[word]
		if parent == nil {
			return fmt.Errorf("%s is not above %s", strings.Join(words[:i+1], " "), name)
		}
		if parent.subs == nil {
			parent.subs = map[string]*program{}
		}
		all = parent.subs
	}
	last := words[len(words)-1]
	if all[last] != nil {
		return errors.New(name + " is there twice")
	}
	all[last] = p
	return nil
}

// newProgram returns a program of its columns: attributes, options, and what options do that are not harmless.
func newProgram(name string, columns []string) (*program, error) {
	p := &program{name: name, long: map[string]kind{}}
	for _, word := range strings.Fields(columns[0]) {
		if err := p.attribute(word); err != nil {
			return nil, err
		}
	}
	for _, o := range strings.Fields(columns[1]) {
		if err := p.learn(o); err != nil {
			return nil, err
		}
	}
	for _, o := range strings.Fields(p.needs + " " + p.listing) {
		if k, _ := p.option(&call{}, commandline.Word{Text: o, Known: true}, o); k == unknown {
			return nil, errors.New(o + " is none of the options")
		}
	}
	if columns[2] == "" {
		return p, nil
	}
	for part := range strings.SplitSeq(columns[2], ";") {
		options, does, ok := strings.Cut(strings.TrimSpace(part), ": ")
		if !ok || does == "" {
			return nil, fmt.Errorf("%q does not say what options do", part)
		}
		for _, o := range strings.Fields(options) {
			if o[0] != '-' {
				return nil, errors.New(o + " is no option")
			}
			p.harms = append(p.harms, harm{o, does})
		}
	}
	return p, nil
}

// attribute reads a word of the second column.
func (p *program) attribute(word string) (err error) {
	key, value, has := strings.Cut(word, "=")
	list := strings.ReplaceAll(value, ",", " ")
	flags := map[string]*bool{"any": &p.any, "exact": &p.exact, "dirs": &p.dirs, "posix": &p.posix}
	switch is := flags[key]; {
	case is != nil && !has:
		*is = true
	case value == "":
		err = errors.New(word + " is no attribute")
	case word == "operands=none":
		p.operands = none
	case key == "operands":
		if p.operands, err = strconv.Atoi(value); err == nil && p.operands < 1 {
			err = errors.New(word + " is no number of operands")
		}
	case key == "listing":
		p.listing = list
	case key == "needs":
		p.needs = list
	case key == "elsewhere":
		p.elsewhere = value
	case key == "by":
		judge, ok := judges[value]
		if p.judge, p.extra = judge.words, judge.passed; !ok {
			err = errors.New(value + " judges nothing")
		}
	default:
		err = errors.New(word + " is no attribute")
	}
	return err
}

// learn notes an option of the third column.
func (p *program) learn(text string) error {
	if text == "-#" {
		p.number = true
		return nil
	}
	k := flag
	switch text[len(text)-1] {
	case ':', '=':
		k = value
	case '?':
		k = optional
	case '%':
		k = format
	}
	o := text
	if k != flag {
		o = text[:len(text)-1]
	}
	switch {
	case len(o) < 2 || o[0] != '-' || strings.ContainsAny(o, ":=?%") || o == "--":
		return errors.New(text + " is no option")
	case len(o) == 2 && !p.exact:
		p.short[o[1]] = k
	default:
		p.long[o] = k
	}
	return nil
}
