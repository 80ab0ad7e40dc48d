package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spillway-go/spillway/internal/testkit/shop"
)

// verbs are the steps of cases.
var verbs map[string]func(a *attempt, rest string) error

func init() { // a step makes calls, which look up steps
	verbs = map[string]func(a *attempt, rest string) error{
		"make": makeStep, "link": linkStep, "git": gitStep, "change": changeStep,
		"grow":     func(a *attempt, rest string) error { return a.world.grow(rest) },
		"patience": patienceStep, "prints": printsStep, "needle": needleStep, "end": endStep,
		"cancel": cancelStep, "leave": leaveStep, "beside": besideStep,
		"expect": expectStep, "cut": cutStep, "raw": func(a *attempt, _ string) error { a.raw = true; return nil },
		"file": fileFact, "mode": modeFact, "linked": linkedFact, "absent": absentFact,
		"shows": showsFact, "hides": hidesFact, "reproduces": reproducesFact, "gathers": gathersFact, "omits": omitsFact,
		"runs": runsFact, "gone": goneFact,
	}
	for _, role := range roles {
		verbs[role] = func(a *attempt, rest string) error { return a.start(role, rest) }
	}
}

// makeStep is "make NAME KIND NUMBER": a file of generated text, a tree, or what is no regular file.
func makeStep(a *attempt, rest string) error {
	words := strings.Fields(rest)
	if len(words) < 2 {
		return errors.New("make NAME KIND [NUMBER]")
	}
	path, n := a.world.path(words[0]), 0
	if len(words) == 3 {
		var err error
		if n, err = strconv.Atoi(words[2]); err != nil {
			return err
		}
	}
	switch words[1] {
	case "tree":
		return a.world.makeTree(words[0], n)
	case "shop":
		return shop.Build(path, n)
	case "fifo":
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), syscall.Mkfifo(path, 0o644))
	case "sparse": // so many MB of NULs, which take no space
		return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, int64(n)<<20))
	case "names":
		err := os.MkdirAll(path, 0o755)
		for _, name := range []string{"with space", "-dash", "it's", "日本語", "new\nline", "back\\slash", "$(name)"} {
			err = errors.Join(err, os.WriteFile(filepath.Join(path, name+".txt"), []byte("one\n"), 0o644))
		}
		return err
	case "entries":
		for i := range n {
			file := filepath.Join(path, fmt.Sprintf("invoice-2026-01-%02d-customer-%06d.json", i%28+1, i*7919%n))
			if err := errors.Join(os.MkdirAll(path, 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
				return err
			}
		}
		return nil
	}
	return a.world.makeFile(words[0], words[1], n)
}

// linkStep is "link NAME TARGET", or "link hard NAME OF".
func linkStep(a *attempt, rest string) error {
	words := strings.Fields(rest)
	if len(words) == 3 {
		return os.Link(a.world.path(words[2]), a.world.path(words[1]))
	}
	path := a.world.path(words[0])
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(a.world.said(words[1]), path))
}

func gitStep(a *attempt, rest string) error {
	_, err := a.world.git(strings.Fields(rest)...)
	return err
}

// changeStep is "change NAME SECTION": somebody else writes the file.
func changeStep(a *attempt, rest string) error {
	name, section, _ := strings.Cut(rest, " ")
	return os.WriteFile(a.world.path(name), a.world.have[section], 0o644)
}

func patienceStep(a *attempt, rest string) error {
	d, err := time.ParseDuration(rest)
	if err == nil && d < a.options.patience {
		a.options.patience = d
	}
	return err
}

// endStep ends the session, as a client does.
func endStep(a *attempt, _ string) error {
	err := a.session.close(afterInput, afterTerm)
	a.session = nil
	return err
}

// cancelStep is "cancel ROLE ARGUMENTS": the call is cancelled once its command runs.
func cancelStep(a *attempt, rest string) error {
	role, text, _ := strings.Cut(rest, " ")
	r, err := a.make(role, text)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(a.ctx)
	defer cancel()
	done := make(chan reply, 1)
	go func() { done <- a.session.call(ctx, r.Tool, r.Args) }()
	if !a.appears() {
		a.fail("the command does not run")
	}
	cancel()
	<-done
	return nil
}

// leaveStep is "leave ROLE ARGUMENTS": nobody waits for the call's answer, once its command runs.
func leaveStep(a *attempt, rest string) error {
	role, text, _ := strings.Cut(rest, " ")
	r, err := a.make(role, text)
	if err != nil {
		return err
	}
	s := a.session
	go s.call(a.ctx, r.Tool, r.Args)
	if !a.appears() {
		a.fail("the command does not run")
	}
	return nil
}

// expectStep is "expect SECTION NAME EDIT": the section is the file with the old text replaced.
func expectStep(a *attempt, rest string) error {
	section, rest, _ := strings.Cut(rest, " ")
	name, text, _ := strings.Cut(rest, " ")
	var e struct{ Old, New string }
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return err
	}
	data, err := os.ReadFile(a.world.path(name))
	if err == nil && bytes.Count(data, []byte(e.Old)) != 1 {
		err = fmt.Errorf("%s does not have %q once", name, e.Old)
	}
	a.world.have[section] = bytes.Replace(data, []byte(e.Old), []byte(e.New), 1)
	return err
}

// cutStep is "cut NAME LINE": the file begins with the line.
func cutStep(a *attempt, rest string) error {
	name, line, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(line)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(a.world.path(name))
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	return os.WriteFile(a.world.path(name), bytes.Join(lines[min(n-1, len(lines)):], nil), 0o644)
}

// printsStep has the command print a section, as a build or a test run does.
func printsStep(a *attempt, rest string) error {
	if err := os.WriteFile(a.world.path("$OUT/"+rest), a.world.have[rest], 0o644); err != nil {
		return err
	}
	return a.start("bash", fmt.Sprintf(`{"command": "cat $OUT/%s"}`, rest))
}

func needleStep(a *attempt, rest string) error {
	a.needles[rest] = 0
	return nil
}

// besideStep is for what is timed, which knows it.
func besideStep(*attempt, string) error { return nil }
