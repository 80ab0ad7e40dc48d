package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spillway-go/spillway/config"
)

// manual is where the pages of the manual are.
const manual = "https://github.com/spillway-go/spillway/blob/main/docs/"

// flagGroups are the flags that several commands share, under the headings that they have in help. All others are a command's
// own.
var flagGroups = []struct {
	heading string
	flags   []string
}{
	{"WORKSPACE", []string{"workspace", "allow-outside-workspace"}},
	{"PERMISSIONS", []string{"read-only", "allow", "ask", "deny", "sandbox", "allow-host", "redact"}},
	{"OPTIONS", []string{"set", "config"}},
}

// helpCommand is spillway help.
func helpCommand(*flag.FlagSet) runner {
	return func(args []string, out io.Writer) error {
		if len(args) == 0 {
			printCommands(out)
			return nil
		}
		c, err := commandNamed(args[0])
		if err == nil {
			err = noArguments(args[1:])
		}
		if err != nil {
			return err
		}
		flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.start(flags)
		c.printHelp(out, flags)
		return nil
	}
}

// page is a page of help, which is printed as a whole.
type page struct {
	strings.Builder
	width int
	bold  bool
}

func newPage(to io.Writer) *page { return &page{width: widthOf(to), bold: colourful(to)} }

// heading begins a part of the page.
func (p *page) heading(text string) {
	if p.bold {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	p.WriteString("\n" + text + "\n")
}

// paragraphs writes text, wrapped. Lines that are indented stay as they are.
func (p *page) paragraphs(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			p.WriteString("\n")
		}
		if strings.HasPrefix(paragraph, "  ") {
			p.WriteString(paragraph + "\n")
		} else {
			fill(p, paragraph, 0, p.width)
		}
	}
}

// lines writes lines as they are, indented.
func (p *page) lines(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		p.WriteString("  " + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// printCommands says which commands there are.
func printCommands(w io.Writer) {
	p := newPage(w)
	p.paragraphs("The tools of a coding agent, with bounded output: for MCP clients, and for people and scripts.")
	p.heading("USAGE")
	p.lines("spillway COMMAND [FLAGS] [ARGUMENTS]")
	group := ""
	for _, c := range commands() {
		if c.group != group {
			group = c.group
			p.heading(group)
		}
		column(p, c.name, c.about, 2, 14, p.width)
	}
	p.heading("EXAMPLES")
	p.lines(`spillway demo                       # the tools over this directory
spillway call grep TODO             # one call, as a model sees it
spillway mcp -print-config claude   # how an MCP client starts the server`)
	p.heading("LEARN MORE")
	fill(p, "spillway help COMMAND explains a command and its flags, which may stand anywhere behind it.", 2, p.width)
	p.lines(manual + "spillway.md")
	fmt.Fprint(w, p.String())
}

// printHelp explains a command.
func (c command) printHelp(w io.Writer, flags *flag.FlagSet) {
	p, more := newPage(w), more[c.name]
	about := []rune(c.about)
	about[0] = unicode.ToUpper(about[0])
	p.paragraphs(string(about) + ".")
	var own []*flag.Flag
	grouped := map[string][]*flag.Flag{}
	flags.VisitAll(func(f *flag.Flag) {
		for _, g := range flagGroups {
			if slices.Contains(g.flags, f.Name) {
				grouped[g.heading] = append(grouped[g.heading], f)
				return
			}
		}
		own = append(own, f)
	})
	p.heading("USAGE")
	name := "spillway " + c.name
	if len(own)+len(grouped) > 0 {
		name += " [FLAGS]"
	}
	for args := range strings.SplitSeq(c.args, "\n") {
		p.lines(name + " " + args)
	}
	if more.text != "" {
		p.WriteString("\n")
		p.paragraphs(strings.Replace(more.text, "{positions}", positionList(), 1))
	}
	at := p.columnFor(flags)
	p.flags("FLAGS", own, at)
	for _, g := range flagGroups {
		list := grouped[g.heading]
		slices.SortFunc(list, func(a, b *flag.Flag) int {
			return slices.Index(g.flags, a.Name) - slices.Index(g.flags, b.Name)
		})
		p.flags(g.heading, list, at)
	}
	if more.examples != "" {
		p.heading("EXAMPLES")
		p.lines(more.examples)
	}
	p.heading("LEARN MORE")
	p.lines(manual + more.page)
	fmt.Fprint(w, p.String())
}

// flags writes flags under a heading, their texts at a column.
func (p *page) flags(heading string, list []*flag.Flag, at int) {
	if len(list) == 0 {
		return
	}
	p.heading(heading)
	for _, f := range list {
		name, text := flagText(f)
		column(p, name, text, 2, at, p.width)
	}
}

// columnFor is the column at which the texts of flags begin.
func (p *page) columnFor(flags *flag.FlagSet) (at int) {
	const most = 24 // a longer one has a line of its own
	flags.VisitAll(func(f *flag.Flag) {
		if name, _ := flagText(f); len(name)+4 <= most {
			at = max(at, len(name)+4)
		}
	})
	return at
}

// flagText is how a flag is written, and what it does.
func flagText(f *flag.Flag) (name, text string) {
	value, text := flag.UnquoteUsage(f)
	name = "-" + f.Name
	if value != "" {
		name += " " + value
	}
	if f.DefValue != "" && f.DefValue != "false" {
		text += " (default " + f.DefValue + ")"
	}
	return name, text
}

// positionList is a line for each tool: the arguments that need no key.
func positionList() string {
	var b strings.Builder
	for _, t := range allTools(config.Config{Tools: config.ToolNames()}) {
		fmt.Fprintf(&b, "  %s %s\n", t.Name(), strings.ToUpper(strings.Join(positions(t), " ")))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
