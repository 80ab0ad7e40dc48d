package readonly

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// printing demands an option with which gofmt prints, unless there is nothing but the standard input.
func printing(name string, c call) string {
	if len(c.operands) > 0 && !c.has("-d -l --d --l") {
		return name + " is only known to change nothing with -d or -l"
	}
	return ""
}

// toStdout demands - as the second operand.
func toStdout(name string, c call) string {
	if n := len(c.operands); n != 2 || !c.operands[1].Known || c.operands[1].Text != "-" {
		return name + " writes a file, unless - is behind the one that it reads"
	}
	return ""
}

// certificate refuses what openssl may take for a URI, which can name a module to load.
func certificate(name string, c call) string {
	for _, o := range c.given {
		if o.name != "-in" {
			continue
		}
		if start := o.value.Begin(); strings.Contains(start, ":") || !o.value.Known && !strings.Contains(start, "/") {
			return o.value.Text + " may name a module that " + name + " loads"
		}
	}
	return ""
}

// unpaged refuses other values of --paging than never, and the subcommand of bat.
func unpaged(name string, c call) string {
	for _, o := range c.given {
		if o.name == "--paging" && o.value.Text != "never" {
			return name + " --paging=" + o.value.Text + " may run a pager"
		}
	}
	if slices.ContainsFunc(c.operands, func(w commandline.Word) bool {
		return w.Text == "cache" || !w.Known && strings.HasPrefix("cache", w.Prefix)
	}) {
		return name + " cache writes files, which may be what it is given"
	}
	return ""
}
