package readonly_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
)

// forms returns an option as it can be written: with its value attached or not, in a cluster, abbreviated.
func forms(option string, flags []string, exact bool) (forms [][]string) {
	switch {
	case exact:
		forms = append(forms, []string{option}, []string{option, "x"}, []string{option + "=x"})
	case strings.HasPrefix(option, "--"):
		for n := 3; n <= len(option); n++ {
			o := option[:n]
			forms = append(forms, []string{o}, []string{o + "=x"}, []string{o, "x"}, []string{o + "="})
		}
	default:
		forms = append(forms, []string{option}, []string{option + "x"}, []string{option, "x"})
		for _, f := range flags {
			forms = append(forms, []string{f + option[1:]}, []string{f + option[1:] + "x"}, []string{f + option[1:], "x"})
		}
	}
	return forms
}

// TestHarmfulAnywhere puts every option that the table calls harmful into harmless command lines.
func TestHarmfulAnywhere(t *testing.T) {
	lines := map[string][]string{} // harmless ones by command
	for _, r := range rows(t, "testdata/commands.txt") {
		if r.verdict != "no" {
			name, _, _ := strings.Cut(r.command, " ")
			lines[name] = append(lines[name], r.command)
		}
	}
	flags, harmless := map[string][]string{}, map[string]bool{}
	table := readonly.Table()
	for _, l := range table {
		if l.Does == "" {
			harmless[l.Command+" "+l.Option] = true
		}
		if l.Takes == "flag" && len(l.Option) == 2 {
			flags[l.Command] = append(flags[l.Command], l.Option)
		}
	}
	n := 0
	for _, l := range table {
		if l.Does == "" {
			continue
		}
		if harmless[l.Command+" "+l.Option] && l.Command != "git" && l.Command != "tree" {
			t.Errorf("%s %s is harmless and harmful", l.Command, l.Option)
		}
		name, _, _ := strings.Cut(l.Command, " ")
		for _, form := range forms(l.Option, flags[l.Command], l.Exact) {
			// An abbreviation may be another option's whole name.
			if o, _, _ := strings.Cut(form[0], "="); o != l.Option && harmless[l.Command+" "+o] {
				continue
			}
			for _, line := range lines[name] {
				if line != l.Command && !strings.HasPrefix(line, l.Command+" ") {
					continue
				}
				base := words(line)
				for at := len(strings.Fields(l.Command)); at <= len(base); at++ {
					if ended(base[1:at]) {
						break
					}
					if (l.Command == "git" || l.Command == "awk") && at > 1 {
						break // behind the subcommand they are others, and behind awk's program operands
					}
					var all []commandline.Word
					all = append(all, base[:at]...)
					for _, f := range form {
						all = append(all, commandline.Word{Text: f, Known: true})
					}
					all = append(all, base[at:]...)
					if n++; readonly.Check(all) == "" && !isValue(base[:at], l.Exact) {
						t.Errorf("%s with %q at %d is taken for harmless", line, form, at)
					}
				}
			}
		}
	}
	t.Log(n, "command lines")
	if n < 10000 {
		t.Error("too few")
	}
}

// ended reports whether what follows some words are operands.
func ended(base []commandline.Word) bool {
	for _, w := range base {
		if w.Known && w.Text == "--" {
			return true
		}
	}
	return false
}

// isValue reports whether an option is where find takes it for the value of another.
func isValue(base []commandline.Word, exact bool) bool {
	if !exact || len(base) == 0 {
		return false
	}
	before := base[len(base)-1].Text
	for _, l := range readonly.Table() {
		if l.Exact && l.Option == before && l.Takes == "value" {
			return true
		}
	}
	return false
}

var (
	helpGNU = regexp.MustCompile(`(?m)^ +(?:(-[A-Za-z0-9])(?:, +| ))?(--[a-z][a-z0-9-]+)(\[=|=| <|\[<)?`)
	helpGit = regexp.MustCompile(`(?m)^ +(?:(-[A-Za-z0-9]), )?(--(?:\[no-\])?[a-z][a-z0-9-]+)(\[=| <|\[<)?`)
)

// TestTakes compares with what programs say of themselves: an option that takes a value, and of which the table does not
// know it, would swallow a "--", and what follows would not be operands.
func TestTakes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs programs")
	}
	p := newPlace(t)
	takes := map[string]map[string]string{}
	for _, l := range readonly.Table() {
		if l.Does == "" {
			if takes[l.Command] == nil {
				takes[l.Command] = map[string]string{}
			}
			takes[l.Command][l.Option] = l.Takes
		}
	}
	compared := 0
	for command, options := range takes {
		name, _, _ := strings.Cut(command, " ")
		if name == "fd" {
			name, command = "fdfind", "fdfind"
		}
		if name == "awk" || name == "find" || name == "npm" {
			continue
		}
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		help, pattern := " --help", helpGNU
		if name == "git" {
			help, pattern = " -h", helpGit
		}
		out, _ := p.run(command+help, nil)
		for _, m := range pattern.FindAllStringSubmatch(out, -1) {
			says := map[string]string{"": "flag", "=": "value", " <": "value", "[=": "optional", "[<": "optional"}[m[3]]
			for _, o := range []string{m[1], strings.Replace(m[2], "[no-]", "", 1)} {
				if table, ok := options[o]; o != "" && ok {
					// sort has two lines for --check, and git takes the --merged behind which nothing is.
					known := o == "--check" || o == "-C" || strings.HasSuffix(o, "merged")
					if compared++; table != says && says == "value" && !known {
						t.Errorf("%s %s: the table says %s, it says %s: %s", command, o, table, says, strings.TrimSpace(m[0]))
					}
				}
			}
		}
	}
	if t.Log(compared, "options compared"); compared < 300 {
		t.Error("too few")
	}
}

func FuzzCheck(f *testing.F) {
	for _, name := range []string{"testdata/commands.txt", "testdata/reported.txt"} {
		for _, r := range rows(f, name) {
			f.Add(r.command, "x", byte(0))
		}
	}
	f.Fuzz(func(t *testing.T, line, prefix string, at byte) {
		all := words(line)
		why := readonly.Check(all)
		readonly.Runs(all)
		if why != "" || len(all) == 0 {
			return
		}
		// What can be any words at all is never better than what is known.
		i := int(at) % len(all)
		was := all[i]
		all[i] = commandline.Word{Text: "$x", Many: true}
		if i == 0 && readonly.Check(all) == "" {
			t.Errorf("%s: any program is harmless", line)
		}
		all[i] = commandline.Word{Text: was.Text, Prefix: prefix[:min(len(prefix), 1)], Many: at%2 == 0}
		readonly.Check(all)
		readonly.Runs(all)
	})
}

func BenchmarkCheck(b *testing.B) {
	for _, line := range []string{
		"ls -la src", "git status", "git log --oneline -20 -- src", "sort -u -k2,2n a.txt", "rg -n --hidden -g '*.go' a src",
		"find . -name '*.go' -not -path './x/*'", "sed -n 1,200p a.txt", "rm -rf x",
	} {
		all := words(line)
		b.Run(line, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				readonly.Check(all)
			}
		})
	}
}

func BenchmarkRuns(b *testing.B) {
	all := words("git log --oneline -20 -- src")
	b.ReportAllocs()
	for b.Loop() {
		readonly.Runs(all)
	}
}
