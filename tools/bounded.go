package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/truncation"
)

// Bounded wraps a tool, such as one of an MCP server or a sub-agent, so that a policy
// bounds its text. A text that does not fit is spilled in full to .clarvis in the current
// directory; the tool's first spill removes outputs older than a day there, and the oldest files
// over 1 GiB together. A tool that is then added to a suite spills to the suite's directory, which its
// read and grep can open.
//
// If the policy's marker does not name the file, a notice of at most 1 KiB at the end
// does, unless the policy is Unmarked. A prefix stands before every text, errors
// included. The details become [BoundedDetails]. Bounded returns the tool's Go errors
// unchanged.
//
// A NUL byte is shown as U+2400, and what is not valid UTF-8 as U+FFFD, with a notice. Of a text that is binary the
// first 256 bytes are shown, in escapes; the file has all.
//
// A result holds at most 64 images, together of 5 MiB, or of the suite's Read.MaxImageBytes. A
// notice says how many are left out.
//
// Bounded panics if [truncation.Policy.Check] refuses the policy.
func Bounded(tool Tool, policy truncation.Policy) Tool {
	defaults, _ := config.Config{}.Resolved()
	dir, err := filepath.Abs(defaults.Spill.Dir)
	if err != nil {
		dir = defaults.Spill.Dir
	}
	if err := policy.Check(); err != nil {
		panic("tools: " + err.Error())
	}
	policy.Save = nil // it is saved here
	b := &bounded{Tool: tool, policy: policy, spill: spill.NewDir(dir), imageBytes: defaults.Read.MaxImageBytes}
	b.shown = func(path string) string { return path }
	b.sweep = sync.OnceFunc(func() {
		b.spill.Limit(spill.Options{MaxAge: defaults.Spill.MaxAge, MaxTotalBytes: defaults.Spill.MaxTotalBytes})
	})
	return b
}

// bounded returns a tool with its policy, in this suite.
func (s *Suite) bounded(tool Tool, policy truncation.Policy) *bounded {
	return &bounded{
		Tool: tool, policy: policy, spill: s.spill, shown: s.paths.shown, sweep: func() {},
		imageBytes: s.cfg.Read.MaxImageBytes, redact: s.calls.redact,
	}
}

// BoundedDetails are the details of results of tools that [Bounded] wrapped or
// [Suite.Add] added. Those of a failure are in its [Error].
type BoundedDetails struct {
	Bounds

	Truncation     *truncation.Result `json:"truncation,omitempty"`     // set if something was left out
	FullOutputPath string             `json:"fullOutputPath,omitempty"` // the file with all of it; "" if all is shown, or SpillError is set
	SpillError     string             `json:"spillError,omitempty"`     // why there is no such file, though one is needed; else ""
	Details        any                `json:"details,omitempty"`        // what the tool itself returned as Details
}

type bounded struct {
	Tool
	policy truncation.Policy
	spill  *spill.Dir
	shown  func(path string) string
	sweep  func() // before each file

	imageBytes int64 // that the images of a result may have together

	redact *redact.Redactor // nil outside of a suite, and where nothing is redacted
}

func (b *bounded) Effects() config.Effects { return EffectsOf(b.Tool) }

func (b *bounded) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	ctx, unshown := withUnshown(ctx)
	res, err := b.Tool.Call(withheld(ctx, b.Tool), args)
	res, secrets := hideResult(b.redact, res)
	images, left := boundImages(res.Images, b.imageBytes)
	res.Images = images
	odd := capture.Look(res.Text)
	leftOut := notice.Join(notice.Redacted(redact.Summary(secrets)), left.Notice(), inText(odd))
	_, ok := res.details().(BoundedDetails)
	if ok && b.policy.Prefix == "" && !b.policy.Truncate(res.Text).Truncated && leftOut == "" {
		if err == nil {
			delivered(ctx, res.Details)
		}
		return res, err // it was bounded already, and says so
	}
	text, details := b.bound(res.Text, odd, leftOut, left.Notice() != "")
	details.redacted("", secrets)
	if details.Truncated {
		unshown.takeBack()
	}
	if details.Truncation != nil {
		undelivered(res.Details)
	} else if err == nil {
		delivered(ctx, res.Details)
	}
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

// bound cuts a text, and spills it if it does not fit with leftOut, which is about what is not shown of it. limited
// says that there are more images.
func (b *bounded) bound(
	whole string, odd capture.NotText, leftOut notice.Notice, limited bool,
) (text string, d BoundedDetails) {
	if odd.Binary {
		return b.binary(whole, odd, leftOut, limited)
	}
	policy := b.policy
	whole = quote.ShowNULs(whole)
	if leftOut != "" && policy.Limits.Bytes > 0 {
		policy.Limits.Bytes = truncation.AtMost(int(policy.Limits.Bytes) - len(notice.Append("\n", leftOut)))
	}
	var saved notice.Saved
	policy.Save = func() (string, error) {
		saved.Path, saved.Err = b.save(whole)
		return saved.Path, saved.Err
	}
	r := policy.Truncate(whole)
	d.set(r)
	d.limited = limited
	d.finish(spec{})
	if !r.Truncated {
		return notice.Append(r.Text, leftOut), d
	}
	d.Truncation, d.FullOutputPath, d.spilled = &d.whole, saved.Path, saved.Path
	if saved.Err != nil {
		d.SpillError = saved.Err.Error()
	}
	if !policy.Unmarked && !saved.In(r.Text) {
		return notice.Append(r.Text, notice.FullOutput(saved), leftOut), d
	}
	return notice.Append(r.Text, leftOut), d
}

// binary shows the first bytes of what is not text, and spills all of it.
func (b *bounded) binary(
	whole string, odd capture.NotText, leftOut notice.Notice, limited bool,
) (text string, d BoundedDetails) {
	first, n := odd.First()
	r := b.policy.Truncate(first)
	said := notice.Binary{Name: odd.Name, Bytes: int64(len(whole)), Shown: n}
	if r.Truncated {
		said.Shown = 0
	}
	r.Truncated, r.TruncatedBy, r.TotalBytes, r.TotalChars, r.TotalLines = true, truncation.ByBytes, len(whole), -1, -1
	var saved notice.Saved
	if saved.Path, saved.Err = b.save(whole); saved.Err != nil {
		d.SpillError = saved.Err.Error()
	}
	d.set(r)
	d.limited = limited
	d.finish(spec{})
	d.Truncation, d.FullOutputPath, d.spilled = &d.whole, saved.Path, saved.Path
	return notice.Append(r.Text, said.Notice(), notice.FullOutput(saved), leftOut), d
}

// inText returns the notice for a text that is not all text in UTF-8.
func inText(odd capture.NotText) notice.Notice {
	var said []notice.Notice
	if odd.NULs > 0 {
		said = append(said, notice.NULs)
	}
	if odd.Invalid > 0 {
		said = append(said, notice.NotValidOutput{}.Notice())
	}
	return notice.Join(said...)
}

// save keeps a text in a file.
func (b *bounded) save(text string) (path string, err error) {
	b.sweep()
	w := b.spill.NewWriter("tool")
	defer w.Close()
	w.Write([]byte(text))
	if path, err = w.Keep(); err != nil {
		return "", err
	}
	return quote.Name(b.shown(path)), nil
}

// HasNotices is a [Tool] whose texts may be bounded already and end in notices of their own, such as
// one of a suite on another machine.
type HasNotices interface {
	HasNotices() bool // asked when the tool is added
}

// noticeLines is how many lines notices may add to a text: an exit code, blank lines, the
// bracket.
const noticeLines = 10

// Add adds tools of the caller's to the suite. Tools lists them, and Call runs them with
// the guard, the observer and the limits of the suite: MaxLines and MaxBytes keep both
// ends of a text ([truncation.MiddleLines]), which is spilled in full. A tool that
// [HasNotices] may have 1 KiB more, as the suite's own have for theirs. A panic becomes a
// Result with IsError, and so does a Go error unless ctx ended. Wrap a tool in [Bounded]
// first for smaller limits or another strategy.
//
// A suite has at most 1000 tools. A name has at most 128 bytes, all of them printable, a
// description 32 KiB and a schema 128 KiB. If a tool exceeds that, or if a name is missing
// or taken, or a schema is not a JSON object, Add returns an error that names the tool, and
// adds none of the tools. The name of a built-in tool that the suite leaves out is
// free: with Config.Tools of [config.NoTools], those of another machine can have them all.
func (s *Suite) Add(tools ...Tool) error {
	for _, t := range tools { // before the lock: a tool may ask the suite for what it says of itself
		if err := checkTool(t); err != nil {
			return err
		}
	}
	ts := &s.calls.tools
	ts.mu.Lock()
	defer ts.mu.Unlock()
	all := slices.Clone(ts.all)
	for _, t := range tools {
		if len(all) == maxTools {
			return fmt.Errorf("tools: the tool %s is one too many: a suite has at most %d", show(t.Name()), maxTools)
		}
		for _, other := range all {
			if other.Name() == t.Name() {
				return fmt.Errorf("tools: there is a tool %s already", show(t.Name()))
			}
		}
		if b, ok := t.(*bounded); ok {
			t = s.bounded(b.Tool, b.policy)
		}
		limits := truncation.Limits{Lines: truncation.Limit(s.cfg.MaxLines), Bytes: truncation.Limit(s.cfg.MaxBytes)}
		if far, ok := t.(HasNotices); ok && far.HasNotices() {
			limits.Lines, limits.Bytes = limits.Lines+noticeLines, limits.Bytes+notice.Allowance
		}
		policy := truncation.Policy{Strategy: truncation.MiddleLines, Limits: limits}
		all = append(all, &added{s.bounded(t, policy), t.Name(), &s.calls})
	}
	ts.all = all
	return nil
}

// added is a tool of the caller's in a suite.
type added struct {
	*bounded
	name  string // as it was when the tool was added
	calls *calls
}

func (a *added) Name() string { return a.name }

func (a *added) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	began := time.Now()
	ctx = a.calls.identified(ctx)
	call := made{a.Name(), a.calls.observed(args), began}
	res, err := a.outcome(ctx, args)
	res = failed(res, failure(err, ""))
	if res.IsError {
		res.Code = cmp.Or(res.Code, CodeIOError)
	}
	res.Tool = a.Name()
	a.calls.observe(ctx, call, res)
	return res, ended(ctx, res)
}

// outcome makes a call. What was gathered before a panic is not shown.
func (a *added) outcome(ctx context.Context, args json.RawMessage) (res Result, err error) {
	defer a.calls.recovered("the tool "+a.Name(), &err)
	err = a.calls.run(ctx, a, args, func(ctx context.Context) (err error) {
		res, err = a.bounded.Call(ctx, args)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		// As with the suite's own: only the end of the context is for the caller to act on.
		return errorf(CodeIOError, "%s failed: %w", a.Name(), err)
	})
	if CodeOf(err) == CodeInternal {
		res = Result{}
	}
	return res, a.calls.hideError(err)
}
