package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// attempt is a case that a suite is put to.
type attempt struct {
	ctx     context.Context
	c       *benchCase
	suite   *suite
	world   *world
	session *session
	options options
	result  *result
	asked   []request      // the last call of the case, and those that followed it
	replies []reply        // what they gave
	needles map[string]int // by text, the call that showed it; 0 for none yet
	lines   map[string]bool
	raw     bool      // what is shown is no text: it may have broken characters and NULs
	began   time.Time // the last call, by the clock of files
}

// options are what holds for a whole run.
type options struct {
	scratch   string
	workspace string        // of a server that somebody else started
	patience  time.Duration // for a call
	rounds    int           // of what is timed
	rest      time.Duration // for a process to be gone
}

// bounded is how long a result may be at most: the largest limit that a suite here has is 256 KiB.
const bounded = 300_000

// followed is how many calls are made at most to get a rest.
const followed = 400

// try puts a suite to a case.
func try(ctx context.Context, c *benchCase, s *suite, o options) (*result, error) {
	a := &attempt{ctx: ctx, c: c, suite: s, options: o, needles: map[string]int{}, lines: map[string]bool{},
		result: &result{Suite: s.Name, Case: c.Name, Status: passed}}
	if c.family() == "speed" {
		return nil, fmt.Errorf("%s is timed, which is done with all suites at once", c.Name)
	}
	err := a.run()
	var lacks errLacks
	if errors.As(err, &lacks) {
		a.result.Status, a.result.Why, a.result.Log, err = skipped, lacks.what, nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", s.Name, c.Name, err)
	}
	if c.Source == "" {
		for i := range a.result.Log {
			a.result.Log[i].Text = ""
		}
	}
	return a.result, nil
}

func (a *attempt) run() (err error) {
	if a.world, err = newWorld(a.options.scratch, a.options.workspace, a.c); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, a.session.close(), a.world.remove())
	}()
	for _, s := range a.c.steps {
		if err := verbs[s.verb](a, s.rest); err != nil {
			return fmt.Errorf("%s %.200s: %w", s.verb, s.rest, err)
		}
		if len(a.replies) > 0 && a.replies[len(a.replies)-1].Silent {
			a.fail("there is no answer within %v, or the server ends", a.session.patience)
			break
		}
	}
	if a.c.family() == "needles" {
		a.countNeedles()
	}
	return nil
}

// fail notes that a fact does not hold.
func (a *attempt) fail(format string, args ...any) {
	a.result.Status = failed
	a.result.Failed = append(a.result.Failed, a.plain(fmt.Sprintf(format, args...)))
}

// plain is a text without what differs from run to run.
func (a *attempt) plain(text string) string {
	w := a.world
	return strings.NewReplacer(w.dir, "$DIR", w.base, "$DIR", w.root, "$ROOT", w.mark, "$MARK").Replace(text)
}

// open starts the suite's server, if it does not run yet.
func (a *attempt) open() (err error) {
	if a.session == nil {
		if a.session, err = a.suite.open(a.ctx, a.world, a.options.patience); err == nil {
			a.suite.meet(a.session)
		}
	}
	return err
}

// make prepares a role's call, whose arguments are JSON.
func (a *attempt) make(role, text string) (request, error) {
	var given map[string]any
	if err := json.Unmarshal([]byte(a.world.said(text)), &given); err != nil {
		return request{}, err
	}
	if err := a.open(); err != nil {
		return request{}, err
	}
	a.world.asked(given)
	tool, args, err := a.suite.mapping.call(a.world.base, role, given)
	return request{Tool: tool, Args: args, role: role, given: given}, err
}

// ask makes a call, and looks at what every result has to be.
func (a *attempt) ask(r request) reply {
	answer := a.session.call(a.ctx, r.Tool, r.Args)
	sent, err := json.Marshal(r.Args)
	if err != nil {
		sent = []byte(err.Error())
	}
	text := a.plain(answer.Text)
	a.result.Calls++
	a.result.Bytes += len(sent) + len(answer.Text)
	a.result.Tokens += truncation.EstimateTokens(answer.Text)
	a.result.Log = append(a.result.Log, exchange{Tool: r.Tool, Args: a.plain(string(sent)), Text: shortened(text, shownText),
		Error: answer.Error, Bytes: len(answer.Text)})
	if a.result.Calls > kept {
		a.result.Log = append(a.result.Log[:kept-1], a.result.Log[len(a.result.Log)-1])
	}
	if len(answer.Text) > bounded {
		a.fail("a result of %s has %d bytes", r.Tool, len(answer.Text))
	}
	if !a.raw && !sound(answer.Text) {
		a.fail("a result of %s has broken characters or NULs", r.Tool)
	}
	a.waste(answer)
	a.asked, a.replies = append(a.asked, r), append(a.replies, answer)
	return answer
}

// waste counts the bytes of refusals, and of lines that the suite has shown before.
func (a *attempt) waste(r reply) {
	if r.Error {
		a.result.Wasted += len(r.Text)
		return
	}
	for line := range strings.Lines(r.Text) {
		if a.lines[line] && len(strings.TrimSpace(line)) > 3 {
			a.result.Wasted += len(line)
		}
		a.lines[line] = true
	}
}

// start makes the call of a step.
func (a *attempt) start(role, text string) error {
	r, err := a.make(role, text)
	if err != nil {
		return err
	}
	if a.began, err = a.world.now(); err != nil {
		return err
	}
	a.asked, a.replies = nil, nil
	a.ask(r)
	return nil
}

// now is the time by the clock of files, which may be behind.
func (w *world) now() (time.Time, error) {
	path := filepath.Join(w.side(), "now")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return time.Time{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), os.Remove(path)
}

// onwardFunc finds the next call where the suite names none, but tells that there is more.
type onwardFunc func(r request, said []string) (request, bool)

// gather goes through what the last call gave and what following it gave before, and follows on until enough is true or
// nothing more is named. take reads a text, and returns what of it the suite itself says.
func (a *attempt) gather(take func(text string) (said []string), enough func() bool, onward onwardFunc) {
	f := &follower{tools: a.session.tools, mapping: a.suite.mapping, world: a.world, since: a.began}
	for i := 0; ; i++ {
		answer, r := a.replies[i], a.asked[i]
		said := take(answer.Text)
		if answer.Error {
			said = strings.Split(answer.Text, "\n")
		}
		if enough() || i == followed || answer.Silent {
			return
		}
		if i+1 < len(a.replies) {
			continue
		}
		more, ok := f.next(r, said)
		if !ok && onward != nil {
			more, ok = onward(r, said)
		}
		if !ok {
			return
		}
		if more.role == "" {
			more.role, more.given = a.asked[0].role, a.asked[0].given
		}
		a.ask(more)
	}
}

// shownText is how many bytes of each end of a text are kept.
const shownText = 700

// shortened keeps so many bytes of each end of a text.
func shortened(text string, half int) string {
	if len(text) <= 2*half+100 {
		return strings.ToValidUTF8(text, "�")
	}
	left := fmt.Sprintf("\n[... %d bytes are not shown here ...]\n", len(text)-2*half)
	return strings.ToValidUTF8(text[:half], "") + left + strings.ToValidUTF8(text[len(text)-half:], "")
}

// kept is how many calls of a case are kept, the last one among them.
const kept = 4
