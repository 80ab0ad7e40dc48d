package readonly

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// lastMode refuses to list and to unpack at once: of the two, the last counts for some programs. Those that print write
// nothing in either case.
func lastMode(name string, c call) string {
	if c.has("-d --decompress") && !c.has("-c --stdout --to-stdout") {
		return name + " -d writes a file"
	}
	return ""
}

// tar lists archives. Its first argument may be a cluster without a dash, of which the letters that take a value take
// them from the words behind it.
func tar(p *program, name string, args []commandline.Word) string {
	words := args
	if len(args) > 0 && !args[0].Known {
		return args[0].Text + " may be options of " + name // I$x runs a program, and so may I*
	}
	if len(args) > 0 && args[0].Text != "" && args[0].Text[0] != '-' {
		letters := args[0].Text
		if i := strings.IndexByte(letters, 'f'); i >= 0 && i != len(letters)-1 {
			letters = letters[:i] + letters[i+1:] + "f"
		}
		if strings.ContainsAny(letters, "CX") || strings.Count(letters, "f") > 1 {
			return name + " " + args[0].Text + " is not known to change nothing"
		}
		words = append([]commandline.Word{{Text: "-" + letters, Known: true}}, args[1:]...)
	}
	c, why := p.parse(name, words)
	if why != "" {
		return why
	}
	if !c.has(p.needs) {
		return name + " is only known to change nothing with -t"
	}
	for _, o := range c.given {
		if (o.name == "-f" || o.name == "--file") && isRemote(o.value) {
			return name + " may ask another machine for " + o.value.Text
		}
	}
	return ""
}

// isRemote reports whether a name may be host:file for tar.
func isRemote(w commandline.Word) bool {
	start := w.Begin()
	slash, colon := strings.IndexByte(start, '/'), strings.IndexByte(start, ':')
	if slash < 0 && colon < 0 {
		return !w.Known
	}
	return slash < 0 || colon >= 0 && colon < slash
}

// unzip lists, tests and prints if the first argument says so. Any other option can change what the first means: -l-
// takes it back.
func unzip(_ *program, name string, args []commandline.Word) string {
	if len(args) == 0 {
		return ""
	}
	switch w := args[0]; {
	case !w.Known:
		return w.Text + " may be an option of " + name
	case !strings.Contains(" -l -lv -lq -v -t -tq -z -Z -Z1 -Z2 -Zl -p -c ", " "+w.Text+" "):
		return name + " is only known to change nothing if it begins with -l, -v, -t, -z, -Z, -p or -c"
	}
	for _, w := range args[1:] {
		if mayBeOption(w) {
			return name + " " + w.Text + " is not known to change nothing"
		}
	}
	return ""
}
