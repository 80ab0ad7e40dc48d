package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// fileFact is "file NAME SECTION": the file has these bytes, or those of another section behind "|".
func fileFact(a *attempt, rest string) error {
	name, sections, _ := strings.Cut(rest, " ")
	got, err := os.ReadFile(a.world.path(name))
	if err != nil {
		a.fail("%s cannot be read: %v", name, err)
		return nil
	}
	var want []byte
	for section := range strings.SplitSeq(sections, "|") {
		var ok bool
		if want, ok = a.world.have[section]; !ok {
			return fmt.Errorf("there is no section %q", section)
		}
		if bytes.Equal(got, want) {
			return nil
		}
	}
	if !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		a.fail("%s has other bytes from %d on: %.60q, not %.60q", name, at, got[at:], want[at:])
	}
	return nil
}

func modeFact(a *attempt, rest string) error {
	mode, name, _ := strings.Cut(rest, " ")
	info, err := os.Stat(a.world.path(name))
	if err != nil {
		a.fail("%s: %v", name, err)
	} else if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != mode {
		a.fail("%s has the mode %s, not %s", name, got, mode)
	}
	return nil
}

// linkedFact is "linked NAME TARGET" for a symbolic link, or "linked hard NAME OF".
func linkedFact(a *attempt, rest string) error {
	words := strings.Fields(rest)
	if len(words) == 3 {
		one, err := os.Stat(a.world.path(words[1]))
		other, err2 := os.Stat(a.world.path(words[2]))
		if err != nil || err2 != nil || !os.SameFile(one, other) {
			a.fail("%s is %s no more", words[1], words[2])
		}
		return nil
	}
	if target, err := os.Readlink(a.world.path(words[0])); err != nil || target != a.world.said(words[1]) {
		a.fail("%s does not link to %s any more", words[0], words[1])
	}
	return nil
}

func absentFact(a *attempt, rest string) error {
	if _, err := os.Lstat(a.world.path(rest)); err == nil {
		a.fail("there is %s", rest)
	}
	return nil
}

// showsFact is "shows TEXT": the result has it, or what it leads to.
func showsFact(a *attempt, rest string) error {
	found := false
	return a.following(func(text string) []string {
		found = found || strings.Contains(text, a.world.said(rest))
		return strings.Split(text, "\n")
	}, func() bool { return found }, nil, func() {
		if !found {
			a.fail("no result has %s", rest)
		}
	})
}

func hidesFact(a *attempt, rest string) error {
	for _, r := range a.replies {
		if strings.Contains(r.Text, rest) {
			a.fail("a result has %s", rest)
			break
		}
	}
	return nil
}

// following follows the last call's result, and then requires something.
func (a *attempt) following(take func(string) []string, enough func() bool, onward onwardFunc, require func()) error {
	if len(a.replies) == 0 {
		return errors.New("there is no result yet")
	}
	a.gather(take, enough, onward)
	require()
	return nil
}

// reproducesFact is "reproduces NAME": the file, or the section, can be put together from the results.
func reproducesFact(a *attempt, rest string) error {
	data, ok := a.world.have[rest]
	if !ok {
		var err error
		if data, err = os.ReadFile(a.world.path(rest)); err != nil {
			return err
		}
	}
	c := newContent(data)
	missing := func() bool { n, _ := c.missing(); return n == 0 }
	f := &follower{mapping: a.suite.mapping, world: a.world}
	onward := func(r request, said []string) (request, bool) { return f.onward(r, said, c) }
	return a.following(c.take, missing, onward, func() {
		if n, first := c.missing(); n > 0 {
			a.fail("%d of %d lines are not shown in full, the first is line %d", n, len(c.lines), first)
		}
	})
}

// gathersFact is "gathers WHAT": the results have all of these; see listed.
func gathersFact(a *attempt, rest string) error {
	list, err := a.listed(rest)
	if err != nil {
		return err
	}
	s := newItems(list, a.searched(), a.world.dir+"/", filepath.Base(a.world.dir)+"/", "./", "many/")
	return a.following(s.take, func() bool { return len(s.found) == len(list) }, nil, func() {
		if n := len(list) - len(s.found); n > 0 {
			first := list[slices.IndexFunc(list, func(item string) bool { return !s.found[item] })]
			a.fail("%d of %d are missing, such as %s", n, len(list), first)
		}
	})
}

// omitsFact is "omits WHAT": no result has one of these; see listed.
func omitsFact(a *attempt, rest string) error {
	list, err := a.listed(rest)
	if err != nil {
		return err
	}
	s := newItems(list, a.searched(), a.world.dir+"/", filepath.Base(a.world.dir)+"/")
	for _, r := range a.replies {
		s.list(r.Text)
	}
	if len(s.found) > 0 {
		first := list[slices.IndexFunc(list, func(item string) bool { return s.found[item] })]
		a.fail("%d of %d are shown that should not be, such as %s", len(s.found), len(list), first)
	}
	return nil
}

// searched is the path that the last call is about.
func (a *attempt) searched() string {
	if len(a.asked) == 0 {
		return ""
	}
	path, _ := a.asked[0].given["path"].(string)
	return strings.TrimPrefix(path, filepath.Base(a.world.dir)+"/")
}

// listed returns what a fact is about: "git", the files that git does not ignore; "ignored", the others; "go DIRECTORY"
// and "matching WORD", those files of a directory or with a word; "made DIRECTORY", its entries; "requests N", those of a
// log; and else the lines of a section.
func (a *attempt) listed(rest string) ([]string, error) {
	how, dir, _ := strings.Cut(rest, " ")
	var out []byte
	var err error
	switch how {
	case "git":
		// Whether searches show hidden files is another question.
		out, err = a.world.git("-c", "core.quotePath=false", "ls-files", "-co", "--exclude-standard", "--", ":!.*", ":!**/.*")
	case "requests":
		n, err := strconv.Atoi(dir)
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("request=%08d", i+1))
		}
		return list, err
	case "matching":
		out, err = exec.Command("grep", "-rl", dir, a.world.dir).Output()
		out = bytes.ReplaceAll(out, []byte(a.world.dir+"/"), nil)
	case "ignored":
		out, err = a.world.git("-c", "core.quotePath=false", "ls-files", "-o", "-i", "--exclude-standard")
	case "made":
		entries, err := os.ReadDir(a.world.path(dir))
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names, err
	case "go":
		out, err = a.world.git("ls-files", "-co", "--exclude-standard", dir+"/*.go")
	default:
		data, ok := a.world.have[how]
		if !ok {
			return nil, fmt.Errorf("there is no section %q", how)
		}
		out = data
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), err
}

// unquoted is a text as a model understands it that quotes lines.
var unquoted = strings.NewReplacer(`\"`, `"`, `\t`, "\t", `\\`, `\`)

// countNeedles looks which lines that say what failed are in the first result, and which can be reached.
func (a *attempt) countNeedles() {
	r := a.result
	r.Needles = len(a.needles)
	if len(a.replies) == 0 || a.replies[0].Silent {
		return
	}
	calls := 0
	take := func(text string) []string {
		calls++
		for n, at := range a.needles {
			if at == 0 && (strings.Contains(text, n) || strings.Contains(unquoted.Replace(text), n)) {
				a.needles[n] = calls
			}
		}
		return strings.Split(text, "\n")
	}
	all := func() bool {
		for _, at := range a.needles {
			if at == 0 {
				return false
			}
		}
		return true
	}
	c := newContent(a.world.have["output"])
	f := &follower{mapping: a.suite.mapping, world: a.world}
	_ = a.following(func(text string) []string { take(text); return c.take(text) }, all,
		func(r request, said []string) (request, bool) { return f.onward(r, said, c) }, func() {}) // there is a result
	for _, at := range a.needles {
		if at == 1 {
			r.Shown++
		}
		if at > 0 {
			r.Reached++
		}
	}
	r.Tokens = truncation.EstimateTokens(a.replies[0].Text)
	if r.Reached < r.Needles {
		a.fail("%d of %d lines that say what failed cannot be reached by what the result says", r.Needles-r.Reached, r.Needles)
	}
}

// appears waits for the process with the mark: a shell prints before a child of it runs the program.
func (a *attempt) appears() bool {
	return within10ms(500, func() bool { return len(a.world.left()) > 0 })
}

// runsFact requires that the process with the mark runs.
func runsFact(a *attempt, _ string) error {
	if !a.appears() {
		a.fail("the command does not run in the background")
	}
	return nil
}

// goneFact requires that no process with the mark is left.
func goneFact(a *attempt, _ string) error {
	if !within10ms(int(a.options.rest/(10*time.Millisecond)), func() bool { return len(a.world.left()) == 0 }) {
		a.fail("%d processes are left behind", len(a.world.left()))
	}
	return nil
}

// within10ms looks until something is so, every 10 ms.
func within10ms(times int, so func() bool) bool {
	for range times {
		if so() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return so()
}
