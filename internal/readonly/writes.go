package readonly

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// Write is a path to which a command writes.
type Write struct {
	Path commandline.Word
	// By is the argument that makes a command write which only reads without it, -o for example, or a word that is not
	// known and may be one. It is empty for programs that are for writing, such as cp.
	By    string
	Below bool // what lies below the path is changed, too
	If    bool // the path is only written to if its directory is there: b/a for cp a b
}

// Writes returns the paths to which a command is known to write, apart from its redirections.
func Writes(words []commandline.Word) []Write {
	f, _ := look(words)
	if f == nil {
		return nil
	}
	return slices.DeleteFunc(f.writes, func(w Write) bool { return w.Path.Known && isNoFile(w.Path.Text) })
}

// look finds what a command writes to, and how many of its words are in front of the arguments; nil if that is in no table.
func look(words []commandline.Word) (found *finding, from int) {
	if len(words) == 0 || !words[0].Known {
		return nil, 0
	}
	name, args := path.Base(words[0].Text), words[1:]
	moved := false
	if name == "git" {
		sub := subcommand(args)
		if sub == len(args) {
			return nil, 0
		}
		for i := 0; i < sub; i++ {
			if args[i].Text == "-c" {
				i++
				continue
			}
			moved = moved || !slices.Contains([]string{"-P", "--no-pager", "--no-optional-locks"}, args[i].Text)
		}
		name, args = name+" "+args[sub].Text, args[sub+1:]
	}
	w := writers()[name]
	if w == nil {
		return nil, 0
	}
	f := &finding{writer: w, args: args, tar: strings.HasSuffix(name, "tar")}
	f.read()
	if strings.HasSuffix(name, "sed") {
		f.sed()
	}
	switch {
	case f.tar:
		f.archive()
	case f.quiet:
		f.writes = nil
	case !w.turns || f.turned != "" || w.isFor:
		f.byRole()
	}
	for i, w := range f.writes {
		if moved && w.Path.Known && !path.IsAbs(w.Path.Text) { // git -C, and whatever else is like that
			f.writes[i].Path = commandline.Word{Text: w.Path.Text}
		}
	}
	return f, len(words) - len(args)
}

// isNoFile reports whether a path stands for nothing, or for what is open.
func isNoFile(name string) bool {
	return slices.Contains([]string{"", "-", "/dev/null", "/dev/stdout", "/dev/stderr"}, name)
}

// finding is what is found in the words of a command.
type finding struct {
	*writer
	args     []commandline.Word
	tar      bool
	writes   []Write
	operands []commandline.Word
	at       []int              // where in args the operands are
	dashed   []commandline.Word // those behind --
	given    []string           // the options
	turned   string             // the option with which the operands are written to
	target   commandline.Word   // where an option says that the operands go
	quiet    bool               // an option is given with which nothing is written
	scripted bool               // an option has the script
	scripts  []commandline.Word // of options
	ended    bool               // the expression of find has begun
}

// read tells options from operands.
func (f *finding) read() {
	for i := 0; i < len(f.args); i++ {
		w := f.args[i]
		start := w.Begin()
		at := slices.IndexFunc(f.starts, func(s string) bool { return len(start) > len(s) && strings.HasPrefix(start, s) })
		switch {
		case at >= 0:
			f.add(f.starts[at], behind(w, len(f.starts[at])))
		case w.Known && w.Text == "--":
			f.dashed = f.args[i+1:]
			for i++; i < len(f.args); i++ {
				f.operands, f.at = append(f.operands, f.args[i]), append(f.at, i)
			}
			return
		case i == 0 && f.tar && start != "" && start[0] != '-':
			i += f.cluster(w, "-"+start, f.args[i+1:], true)
		case !mayBeOption(w) || w.Known && start[0] != '-':
			f.operand(i)
		case len(start) < 2: // it is not known, and may be any option
			f.unknown(w)
			f.operand(i)
		case f.words || start[1] == '-':
			i += f.word(w, start, f.args[i+1:])
		default:
			i += f.cluster(w, start, f.args[i+1:], false)
		}
	}
}

func (f *finding) operand(i int) {
	w := f.args[i]
	if f.ended = f.ended || f.role == "roots" && (w.Text == "!" || w.Text == "("); !f.ended {
		f.operands, f.at = append(f.operands, w), append(f.at, i)
	}
}

// unknown notes a word that may be an option that writes.
func (f *finding) unknown(w commandline.Word) {
	if !f.isFor {
		f.writes = append(f.writes, Write{Path: commandline.Word{Text: w.Text, Many: true}, By: w.Text})
	}
}

// word reads an option that is a whole word, or all of it in front of "=". It returns how many of the words behind it
// belong to it.
func (f *finding) word(w commandline.Word, start string, rest []commandline.Word) (taken int) {
	name, _, attached := strings.Cut(start, "=")
	if f.role == "roots" && !slices.Contains([]string{"-H", "-L", "-P"}, name) {
		f.ended = true
	}
	option, mark := f.lookup(name)
	f.given = append(f.given, option)
	switch {
	case !w.Known && !attached:
		f.unknown(w)
	case mark != '>' && mark != ':':
		f.found(option, mark, commandline.Word{})
	case attached:
		f.found(option, mark, behind(w, len(name)+1))
	case len(rest) > 0:
		f.found(option, mark, rest[0])
		return 1
	}
	return 0
}

// behind is [tail] for a path. In the middle of a word, ~ is a name.
func behind(w commandline.Word, n int) commandline.Word {
	if w = tail(w, n); w.Known && strings.HasPrefix(w.Text, "~") {
		w.Text = "./" + w.Text
	}
	return w
}

// lookup returns the option that a name is, or abbreviates, and its mark.
func (f *finding) lookup(name string) (option string, mark byte) {
	if mark, ok := f.long[name]; ok {
		return name, mark
	}
	long, is := strings.CutPrefix(name, "--")
	if mark, ok := f.long["-"+long]; is && ok {
		return "-" + long, mark
	}
	for option, mark := range f.long {
		if is && long != "" && mark != 0 && strings.HasPrefix(option, name) {
			return option, mark
		}
	}
	return name, 0
}

// cluster reads short options. In an old one of tar, values are in the words behind it.
func (f *finding) cluster(w commandline.Word, start string, rest []commandline.Word, old bool) (taken int) {
	for i := 1; i < len(start) && start[i] < 128; i++ {
		option, mark := "-"+start[i:i+1], f.letters[start[i]]
		f.given = append(f.given, option)
		switch {
		case mark == '!':
			f.found(option, mark, commandline.Word{})
			return taken // what follows is a suffix
		case mark != '>' && mark != ':':
			f.found(option, mark, commandline.Word{})
		case !old && (i+1 < len(start) || !w.Known):
			f.found(option, mark, behind(w, i+1))
			return taken
		case taken < len(rest):
			f.found(option, mark, rest[taken])
			if taken++; !old {
				return taken
			}
		}
	}
	if !w.Known {
		f.unknown(w)
	}
	return taken
}

// found notes what an option does.
func (f *finding) found(option string, mark byte, value commandline.Word) {
	switch mark {
	case '>':
		f.add(option, value)
	case '!':
		f.turned = option
	case '*':
		f.writes = append(f.writes, Write{Path: commandline.Word{Text: option, Many: true}, By: option})
	case '~':
		f.quiet = true
	case ':':
		f.scripted = f.scripted || slices.Contains([]string{"-e", "-E", "-f", "--expression", "--file"}, option)
		if option == "-e" || option == "--expression" {
			f.scripts = append(f.scripts, value)
		}
	}
}

func (f *finding) add(option string, value commandline.Word) {
	if option == "-t" || option == "--target-directory" {
		f.target = value
	}
	f.write(value, option)
}

func (f *finding) write(to commandline.Word, by string) {
	if f.isFor {
		by = ""
	}
	f.writes = append(f.writes, Write{Path: to, By: by, Below: f.below})
}

// byRole notes the operands that are written to.
func (f *finding) byRole() {
	role, list := f.role, f.operands
	if f.isFor && f.turned != "" {
		role = "all" // install -d
	}
	switch role {
	case "--":
		list = f.dashed
	case "first":
		list = list[:min(1, len(list))]
	case "second":
		f.second()
		return
	case "last", "moved":
		f.into(role == "moved")
		return
	case "roots":
		if len(list) == 0 {
			list = []commandline.Word{{Text: ".", Known: true}}
		}
	case "scripted":
		if !f.scripted {
			list = list[min(1, len(list)):]
		}
	case "":
		return
	}
	for _, w := range list {
		f.write(w, f.turned)
	}
}

// sed notes the files of w in the scripts.
func (f *finding) sed() {
	if !f.scripted {
		f.scripts = f.operands[:min(1, len(f.operands))]
	}
	for _, script := range f.scripts {
		s := sedScript{lenient: true}
		if !script.Known || !s.reads(script.Text) {
			continue // which may run a program, too
		}
		for _, name := range s.files {
			f.write(commandline.Word{Text: name, Known: true}, script.Text)
		}
	}
}

// second notes the second operand, which the first may be if it can become several words.
func (f *finding) second() {
	for i, w := range f.operands {
		if i == 1 || w.Many {
			f.write(w, w.Text)
			return
		}
	}
}

// into notes where files go, and what becomes of them there if that is a directory.
func (f *finding) into(moved bool) {
	sources, to := f.operands, f.target
	if to == (commandline.Word{}) {
		if len(sources) < 2 && !slices.ContainsFunc(sources, func(w commandline.Word) bool { return w.Many }) {
			return
		}
		to, sources = sources[len(sources)-1], sources[:len(sources)-1]
		if f.remote && to.Known && isRemote(to) {
			return
		}
		f.write(to, "")
	}
	for _, w := range sources {
		if to.Known && w.Known && path.Base(w.Text) != ".." {
			inside := commandline.Word{Text: path.Join(to.Text, path.Base(w.Text)), Known: true}
			f.writes = append(f.writes, Write{Path: inside, Below: f.below, If: true})
		}
		if moved {
			f.write(w, "")
		}
	}
}

// archive keeps of what tar is given the archive if it is changed, and the directory that it is unpacked into.
func (f *finding) archive() {
	has := func(options string) bool {
		return slices.ContainsFunc(f.given, func(o string) bool { return strings.Contains(" "+options+" ", " "+o+" ") })
	}
	made := has("-c -r -u -A --create --append --update --catenate --concatenate --delete")
	unpacked := has("-x --extract --get")
	f.writes = slices.DeleteFunc(f.writes, func(w Write) bool {
		switch w.By {
		case "-f", "--file":
			return !made || w.Path.Known && isRemote(w.Path)
		case "-C", "--directory":
			return !unpacked
		}
		return false
	})
}
