package readonly_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// forms returns an option as it can be written: with its value attached or not, in a cluster, abbreviated.
func forms(option string, flags []string, exact bool) (forms [][]string) {
	switch {
	case exact:
		forms = append(forms, []string{option}, []string{option, "x"})
	case strings.HasPrefix(option, "--"):
		for n := 3; n <= len(option); n++ {
			o := option[:n]
			forms = append(forms, []string{o}, []string{o + "=x"}, []string{o, "x"}, []string{o + "="})
		}
	default:
		forms = append(forms, []string{option}, []string{option + "x"}, []string{option, "x"})
		for _, f := range flags {
			f += option[1:]
			forms = append(forms, []string{f}, []string{f + "x"}, []string{f, "x"})
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
			for i, line := range lines[name] {
				if i%10 != n%10 && testkit.Some(10) == 1 || line != l.Command && !strings.HasPrefix(line, l.Command+" ") {
					continue
				}
				n += insert(t, l.Command, line, form)
			}
		}
	}
	t.Log(n, "command lines")
	require.GreaterOrEqual(t, n, testkit.Some(10000), "too few")
}

// insert puts an option into every place of a harmless line, and returns how many there are.
func insert(t *testing.T, command, line string, form []string) (n int) {
	base := words(line)
	for at := len(strings.Fields(command)); at <= len(base) && !ended(base[1:at]); at++ {
		if (command == "git" || command == "awk") && at > 1 {
			break // behind the subcommand they are others, and behind awk's program operands
		}
		all := append([]commandline.Word{}, base[:at]...)
		for _, f := range form {
			all = append(all, commandline.Word{Text: f, Known: true})
		}
		all = append(all, base[at:]...)
		if n++; readonly.Check(all) == "" {
			t.Errorf("%s with %q at %d is taken for harmless", line, form, at)
		}
	}
	return n
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

// FuzzCheck checks that what is harmless with a word that is not known is harmless with whatever that becomes.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"testdata/commands.txt", "testdata/reported.txt"} {
		for _, r := range rows(f, name) {
			f.Add(r.command, "-o x", byte(1), byte(0))
			f.Add(r.command, "--output=x", byte(len(words(r.command))-1), byte(1))
			f.Add(r.command, "a -i", byte(len(words(r.command))-1), byte(3))
		}
	}
	f.Add("sort -k1 -- -ox", "-k", byte(0), byte(2))
	f.Add("awk -F: 1 BEGIN{system(0)}", "-F", byte(0), byte(2))
	f.Fuzz(func(t *testing.T, line, becomes string, at, kind byte) {
		all := words(line)
		readonly.Check(all)
		readonly.Runs(all)
		if len(all) < 2 || !all[0].Known {
			return
		}
		i := 1 + int(at)%(len(all)-1)
		unknown, become := commandline.Word{Text: "$x"}, []commandline.Word{{Text: becomes, Known: true}}
		switch kind % 4 {
		case 0: // several words
			unknown.Many, become = true, nil
			for _, b := range strings.Fields(becomes) {
				become = append(become, commandline.Word{Text: b, Known: true})
			}
		case 1: // one, of which the beginning is known
			unknown.Prefix = becomes[:len(becomes)/2]
		case 2: // one, of which the end is not known, and empty
			unknown.Prefix = becomes
		}
		if with(all, i, unknown) && !with(all, i, become...) && !stricter(all[0].Text, become) {
			t.Errorf("%s: harmless with %+v for word %d, but not with %q", line, unknown, i, becomes)
		}
	})
}

// with is the verdict with other words in place of one.
func with(all []commandline.Word, i int, others ...commandline.Word) bool {
	changed := append(append(append([]commandline.Word{}, all[:i]...), others...), all[i+1:]...)
	return readonly.Check(changed) == ""
}

// stricter reports whether Check is stricter with known words than it would have to be. What they would do is not harmful
// where they can be at all, but a sign that the command was meant otherwise.
func stricter(name string, become []commandline.Word) bool {
	switch name {
	case "test", "[", "[[", "find": // -v, and the value of -name
		return true
	case "git": // the help of a subcommand
		return len(become) > 0 && become[0].Text == "--help"
	}
	return false
}

func BenchmarkCheck(b *testing.B) {
	for _, line := range []string{
		"ls -la src", "git status", "git log --oneline -20 -- src", "sort -u -k2,2n a.txt",
		"rg -n --hidden -g '*.go' a src",
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
