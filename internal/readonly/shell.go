package readonly

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// onlyNames is for command, which says what names are.
func onlyNames(_ *program, name string, args []commandline.Word) string {
	if len(args) > 0 && args[0].Known && (args[0].Text == "-v" || args[0].Text == "-V") {
		return ""
	}
	return name + " runs a program, unless it begins with -v or -V"
}

// env prints the environment if it is given no program.
func env(name string, c call) string {
	for _, w := range c.operands {
		if start := w.Begin(); w.Many || !strings.Contains(start, "=") || start[0] == '-' {
			return name + " runs a program"
		}
	}
	return ""
}

// test judges the words of test and [. With -v and -R, bash expands the subscript of a variable, a[$(rm x)], and
// what runs that way need not be on the command line: "$x" can hold it. So a word that is not known must be
// where it cannot be taken for -v or for what follows it.
func test(_ *program, name string, args []commandline.Word) string {
	if name == "[" && len(args) > 0 {
		args = args[:len(args)-1]
	}
	return operators(name, args, func(op string) bool {
		return comparisons[op] || strings.Contains(" -eq -ne -lt -le -gt -ge ", " "+op+" ")
	})
}

// conditions is test for [[, which calculates: there -eq expands a[$(rm x)], too.
func conditions(_ *program, name string, args []commandline.Word) string {
	for i, w := range args {
		if w.Known && len(w.Text) == 3 && strings.Contains(" -eq -ne -lt -le -gt -ge ", " "+w.Text+" ") {
			for _, j := range []int{i - 1, i + 1} {
				if j < 0 || j >= len(args) || !args[j].Known || strings.Trim(args[j].Text, "-0123456789") != "" {
					return name + " " + w.Text + " calculates, which can run a program"
				}
			}
		}
	}
	return operators(name, args, func(op string) bool { return comparisons[op] })
}

// comparisons are the operators between two words of which neither is looked into.
var comparisons = map[string]bool{
	"=": true, "==": true, "!=": true, "=~": true, "<": true, ">": true, "-nt": true, "-ot": true, "-ef": true,
}

func operators(name string, args []commandline.Word, between func(op string) bool) string {
	is := func(i int, f func(string) bool) bool {
		return i >= 0 && i < len(args) && args[i].Known && f(args[i].Text)
	}
	single := func(op string) bool {
		return len(op) == 2 && strings.Contains("bcdefghknprstuwxzGLNOS", op[1:]) && op[0] == '-'
	}
	for i, w := range args {
		switch {
		case w.Known && (w.Text == "-v" || w.Text == "-R"):
			return name + " " + w.Text + " can run what is in a subscript"
		case w.Known || !mayBeOption(w) && !w.Many:
		case w.Many && name != "[[":
			return w.Text + " may be several arguments of " + name
		case is(i-1, single) || is(i-1, between) || is(i+1, between) && (i == 0 || is(i-1, joins)):
		case len(args) == 1:
		default:
			return w.Text + " may be an operator of " + name
		}
	}
	return ""
}

// joins reports whether a word stands between conditions.
func joins(op string) bool {
	return strings.Contains(" ! ( -a -o && || ", " "+op+" ")
}

// set changes how the shell goes on. With -o history it writes a file in the end, and -k, -P and others are for
// nobody here.
func set(_ *program, name string, args []commandline.Word) string {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case !w.Known:
			return w.Text + " may be an option of " + name
		case w.Text == "--":
			return ""
		case len(w.Text) < 2 || strings.Trim(w.Text[1:], "aefuvxCEo") != "" || w.Text[0] != '-' && w.Text[0] != '+':
			return name + " " + w.Text + " is not known to change nothing"
		}
		for range strings.Count(w.Text, "o") {
			if i++; i < len(args) && (!args[i].Known || !strings.Contains(setOptions, " "+args[i].Text+" ")) {
				return name + " -o " + args[i].Text + " is not known to change nothing"
			}
		}
	}
	return ""
}

const setOptions = " allexport errexit errtrace noclobber noglob nounset pipefail verbose xtrace "

// printf prints, but -v assigns a variable (PATH for example, and a[$(rm x)] runs what is in the subscript), and %n
// in a format too.
func printf(_ *program, name string, args []commandline.Word) string {
	if len(args) == 1 && !args[0].Many {
		return "" // -vx alone is an error
	}
	if len(args) > 0 && args[0].Known && args[0].Text == "--" {
		args = args[1:]
	} else if len(args) > 0 && mayBeOption(args[0]) {
		if args[0].Known && strings.HasPrefix(args[0].Text, "-v") {
			return name + " -v assigns a variable"
		}
		return args[0].Text + " may be an option of " + name
	}
	if len(args) > 0 && args[0].Many {
		return args[0].Text + " may be several arguments of " + name
	}
	if len(args) < 2 {
		return ""
	}
	if format := args[0]; !format.Known || commandline.Assigns(format.Text) {
		return name + " may assign a variable by %n"
	}
	return ""
}

// date refuses to set the clock, which is what an operand without a plus does.
func date(name string, c call) string {
	for _, w := range c.operands {
		if !strings.HasPrefix(w.Begin(), "+") {
			return name + " " + w.Text + " may set the clock"
		}
	}
	return ""
}
