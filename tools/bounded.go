package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/spill"
	"github.com/spillway-go/spillway/truncation"
)

// Bounded is a tool whose text is bounded by a policy: any [Tool], that of an MCP
// server or a sub-agent included. A text that does not fit is spilled in full to
// .clarvis in the directory that is the current one when Bounded is called, from which
// the tool's first spill removes what is older than a day or over 1 GiB.
// [Suite.Bounded] spills to that of a suite.
//
// Where the policy's marker does not name the file, a notice at the end does, which
// takes 1 KiB more at most, unless the policy is Unmarked. A
// prefix stands before every text, the errors included. The details become
// [BoundedDetails]. The Go error of the tool is passed on as it is.
// [truncation.ToolPolicy] and [truncation.SubAgentPolicy] are policies that are in use.
//
// It panics on a policy that [truncation.Policy.Check] refuses.
func Bounded(tool Tool, policy truncation.Policy) Tool {
	defaults, _ := config.Config{}.Resolved()
	dir, err := filepath.Abs(defaults.Spill.Dir)
	if err != nil {
		dir = defaults.Spill.Dir
	}
	b := newBounded(tool, policy, spill.NewDir(dir), func(string) string { return "" })
	b.sweep = sync.OnceFunc(func() {
		b.spill.Limit(spill.Options{MaxAge: defaults.Spill.MaxAge, MaxTotalBytes: defaults.Spill.MaxTotalBytes})
	})
	return b
}

// Bounded is the function [Bounded], with the suite's spill directory, which its read
// and grep can open. The tool is not in the suite by that, and has no guard and no
// observer: [Suite.Add] is for that.
func (s *Suite) Bounded(tool Tool, policy truncation.Policy) Tool {
	return newBounded(tool, policy, s.spill, s.shownPath)
}

// BoundedDetails are the details of a result of [Bounded], and of a tool that
// [Suite.Add] put into a suite. Those of a failure are in its [Error].
type BoundedDetails struct {
	Bounds

	Truncation     *truncation.Result `json:"truncation,omitempty"`     // if something was left out
	FullOutputPath string             `json:"fullOutputPath,omitempty"` // the file with all of it
	SpillError     string             `json:"spillError,omitempty"`     // why there is no such file
	Details        any                `json:"details,omitempty"`        // the tool's own
}

type bounded struct {
	Tool
	policy truncation.Policy
	spill  *spill.Dir
	shown  func(path string) string
	sweep  func() // before the first file, where no suite does it; or nil
}

func newBounded(tool Tool, policy truncation.Policy, dir *spill.Dir, shown func(string) string) *bounded {
	if err := policy.Check(); err != nil {
		panic("tools: " + err.Error())
	}
	return &bounded{Tool: tool, policy: policy, spill: dir, shown: shown}
}

func (b *bounded) Effects() config.Effects { return EffectsOf(b.Tool) }

func (b *bounded) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	res, err := b.Tool.Call(ctx, args)
	if _, ok := res.details().(BoundedDetails); ok && b.policy.Prefix == "" && b.policy.Fits(res.Text) {
		return res, err // it was bounded already, and says so
	}
	text, details := b.bound(res)
	res.Text = text
	if e, ok := res.Details.(*Error); ok {
		with := *e // an error stays one
		details.Details, with.details = e.details, details
		res.Details = &with
	} else {
		details.Details = res.Details
		res.Details = details
	}
	return res, err
}

// bound cuts the text, and spills it if it does not fit.
func (b *bounded) bound(res Result) (text string, d BoundedDetails) {
	var failed error
	r := b.policy.Apply(res.Text, func(text string) (string, error) {
		if b.sweep != nil {
			b.sweep()
		}
		w := b.spill.NewWriter("tool")
		defer w.Close()
		w.Write([]byte(text))
		path, err := w.Keep()
		if err != nil {
			failed, d.SpillError = err, err.Error()
			return "", err
		}
		if shown := b.shown(path); shown != "" {
			path = shown
		}
		d.FullOutputPath = workspace.Quote(path)
		return d.FullOutputPath, nil
	})
	d.set(r)
	d.finish(spec{})
	d.spilled = d.FullOutputPath
	if !r.Truncated {
		return r.Text, d
	}
	d.Truncation = &d.whole
	if saved := (truncation.Saved{Path: d.FullOutputPath, Err: failed}); !b.policy.Unmarked && !says(r.Text, saved) {
		r.Text = notice.Append(r.Text, notice.Notice(saved.String()))
	}
	return r.Text, d
}

// says reports whether a text says where the full one is, or why it is nowhere.
func says(text string, s truncation.Saved) bool {
	where := s.Path
	if s.Err != nil {
		where = s.Err.Error()
	}
	return strings.Contains(text, where)
}

// Add puts tools of the caller's into the suite: they are listed by Tools, run by
// Call behind the guard and the observer, and their text is bounded by MaxLines
// and MaxBytes, from both ends ([truncation.MiddleLines]), and spilled. A panic of one
// becomes a Result with IsError, and so does a Go error unless ctx ended. A tool that
// needs smaller limits or another strategy is wrapped in [Suite.Bounded] first. The
// error says that a name is missing or taken, be it by one of the five that is left
// out, or that a schema is not a JSON object; then none of the tools is added.
func (s *Suite) Add(tools ...Tool) error {
	for _, t := range tools { // before the lock: a tool may ask the suite for what it says of itself
		if t == nil || t.Name() == "" {
			return fmt.Errorf("tools: a tool needs a name")
		}
		var schema map[string]any
		if err := json.Unmarshal(t.Schema(), &schema); err != nil || schema == nil {
			return fmt.Errorf("tools: the schema of %s must be a JSON object, but it is %s", show(t.Name()), showJSON(t.Schema()))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append([]Tool(nil), s.all...)
	for _, t := range tools {
		for _, other := range append(all, s.read, s.bash, s.grep, s.find, s.ls) {
			if other.Name() == t.Name() {
				return fmt.Errorf("tools: there is a tool %s already", show(t.Name()))
			}
		}
		all = append(all, &added{suite: s, bounded: newBounded(t, truncation.Policy{
			Strategy: truncation.MiddleLines, Limits: truncation.Limits{Lines: truncation.Limit(s.cfg.MaxLines), Bytes: truncation.Limit(s.cfg.MaxBytes)},
		}, s.spill, s.shownPath)})
	}
	s.all = all
	return nil
}

// added is a tool of the caller's in a suite.
type added struct {
	*bounded
	suite *Suite
}

func (a *added) Call(ctx context.Context, args json.RawMessage) (res Result, err error) {
	began := time.Now()
	err = a.suite.run(ctx, a, func() (json.RawMessage, error) { return args, nil }, func() (err error) {
		res, err = a.bounded.Call(ctx, args)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		// As with the five: only the end of the context is for the caller to act on.
		return errorf(CodeIOError, "%s failed: %w", a.Name(), err)
	})
	res = failed(res, failure(err, ""))
	if res.IsError {
		res.Code = cmp.Or(res.Code, CodeIOError)
	}
	a.suite.observe(ctx, a.Name(), began, res)
	return res, ended(ctx, res)
}
