package tools

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/jsoncut"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/truncation"
)

// Truncate wraps a tool, such as one of an MCP server or a sub-agent, so that a policy
// bounds its text. A text that does not fit is spilled in full to .clarvis in the current
// directory; the tool's first spill removes outputs older than a day there, and the oldest files
// over 1 GiB together. A tool that is then added to a suite spills to the suite's directory, which its
// read and grep can open.
//
// If the policy's marker does not name the file, a notice of at most 1 KiB at the end
// does, unless the policy is Unmarked. A prefix stands before every text, errors
// included. The details become [TruncatedDetails]. Truncate returns the tool's Go errors
// unchanged.
//
// A NUL byte is shown as U+2400, and a byte that is not valid UTF-8 as U+FFFD, with a notice. A binary text is shown by
// its first 256 bytes, in escapes; the file has all of it.
//
// A result holds at most 64 images of 5 MiB together, or of the suite's Read.MaxImageBytes. A notice says how many are
// left out.
//
// Truncate panics if [truncation.Policy.Check] refuses the policy.
func Truncate(tool Tool, policy truncation.Policy) Tool {
	defaults, _ := config.Config{}.Resolved()
	dir, err := filepath.Abs(defaults.Spill.Dir)
	if err != nil {
		dir = defaults.Spill.Dir
	}
	if err := policy.Check(); err != nil {
		panic("tools: " + err.Error())
	}
	policy.Save = nil // the tool saves the text itself
	b := &policyTool{Tool: tool, policy: policy, spill: spill.NewDir(dir), imageBytes: defaults.Read.MaxImageBytes}
	b.shown = func(path string) string { return path }
	b.sweep = sync.OnceFunc(func() {
		b.spill.Limit(spill.Options{MaxAge: defaults.Spill.MaxAge, MaxTotalBytes: defaults.Spill.MaxTotalBytes})
	})
	return truncated{b}
}

// TruncatedDetails are the details of a tool that [Truncate] wrapped or [Suite.Add] added; those of a failure are in its
// [Error].
type TruncatedDetails struct {
	Shown

	Truncation     *truncation.Result `json:"truncation,omitempty"`     // set if the text was cut
	FullOutputPath string             `json:"fullOutputPath,omitempty"` // the file with all of it; "" if all is shown, or SpillError is set
	PrettyPath     string             `json:"prettyPath,omitempty"`     // a file with a line for each value of it, if it is a JSON document on one line; else ""
	SpillError     string             `json:"spillError,omitempty"`     // why that file could not be written
	Details        any                `json:"details,omitempty"`        // the tool's own
}

// noticeLines is how many lines notices may add to a text: an exit code, blank lines, the bracket.
const noticeLines = 10

type policyTool struct {
	Tool
	policy truncation.Policy
	spill  *spill.Dir
	shown  func(path string) string
	sweep  func() // runs before each spill

	imageBytes int64 // limit for all images of a result together

	redact *mask.Masker // nil outside of a suite, and if nothing is redacted
}

func (b *policyTool) Effects() config.Effects { return EffectsOf(b.Tool) }

// handsOn reports whether a tool, perhaps wrapped, is a built-in one, which shows the model everything it reads.
func handsOn(t Tool) bool {
	switch t := t.(type) {
	case truncated:
		return handsOn(t.Tool)
	case *policyTool:
		return handsOn(t.Tool)
	case libraryTool:
		return true
	case *suiteTool:
		return handsOn(t.wraps)
	}
	return false
}

func (b *policyTool) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	ctx, shown := holdNotes(ctx, !handsOn(b.Tool))
	res, err := b.Tool.Call(ctx, args)
	policy, said := b.policy, notice.Notice("")
	if t, ok := b.Tool.(ResultPolicy); ok {
		policy.Strategy, said = t.Strategy(res), notice.Notice(t.Notice(res))
	}
	res, secrets := redactResult(b.redact, res)
	images, left := boundImages(res.Images, b.imageBytes)
	res.Images = images
	odd := capture.Look(res.Text)
	leftOut := notice.Join(said, notice.Redacted(mask.Summary(secrets)), left.Notice(), inText(odd))
	_, ok := res.details().(TruncatedDetails)
	if ok && policy.Prefix == "" && !policy.Truncate(res.Text).Truncated && leftOut == "" {
		shown.settle(err == nil)
		return res, err // already bounded there
	}
	text, details := b.cut(policy, res.Text, odd, leftOut, left.Notice() != "")
	details.redacted("", secrets)
	shown.settle(err == nil && !details.Truncated)
	res.Text = text
	if e, ok := res.Details.(*Error); ok {
		with := *e // an error stays an error
		details.Details, with.details = e.details, details
		res.Details = &with
	} else {
		details.Details = res.Details
		res.Details = details
	}
	return res, err
}

// truncated is a tool that [Truncate] wrapped outside of a suite, whose texts no hook completes.
type truncated struct{ *policyTool }

func (t truncated) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	res, err := t.policyTool.Call(ctx, args)
	res.Text = notice.Visible(res.Text, len(res.Images))
	return res, err
}

// cut bounds a text, and spills it if it does not fit with leftOut, the notice about images. limited says that there
// are more images.
func (b *policyTool) cut(
	policy truncation.Policy, whole string, odd capture.NotText, leftOut notice.Notice, limited bool,
) (text string, d TruncatedDetails) {
	if odd.Binary {
		return b.binary(whole, odd, leftOut, limited)
	}
	whole = quote.ShowNULs(whole)
	if leftOut != "" && policy.Limits.Bytes > 0 {
		policy.Limits.Bytes = truncation.AtMost(int(policy.Limits.Bytes) - len(notice.Append("\n", leftOut)))
	}
	var saved notice.Saved
	file := b.spill.NewWriter("tool")
	policy.Save = func() (string, error) {
		saved.Path, saved.Err = b.save(file, strings.NewReader(whole), copied)
		return saved.Path, saved.Err
	}
	r := policy.Truncate(whole)
	d.Truncation = d.set(r)
	d.limited = limited
	d.finish("", 0)
	if !r.Truncated {
		return notice.Append(r.Text, leftOut), d
	}
	d.FullOutputPath, d.spilled = saved.Path, saved.Path
	if saved.Err != nil {
		d.SpillError = saved.Err.Error()
	}
	var part notice.Notice
	if r.Document != nil && saved.Err == nil {
		if r.Document.OneLine {
			d.PrettyPath, _ = b.save(file.Beside("json"), strings.NewReader(whole), jsoncut.Indent)
		}
		part = notice.Document{Document: *r.Document, Pretty: d.PrettyPath}.Notice()
	}
	switch {
	case policy.Unmarked:
		return notice.Append(r.Text, leftOut), d
	case !saved.In(r.Text):
		return notice.Append(r.Text, notice.FullOutput(saved), part, leftOut), d
	}
	return notice.Append(r.Text, part, leftOut), d
}

func (b *policyTool) binary(
	whole string, odd capture.NotText, leftOut notice.Notice, limited bool,
) (text string, d TruncatedDetails) {
	first, n := odd.First()
	r := b.policy.Truncate(first)
	said := notice.Binary{Name: odd.Name, Bytes: int64(len(whole)), Shown: n}
	if r.Truncated {
		said.Shown = 0
	}
	r.Truncated, r.TruncatedBy, r.TotalBytes, r.TotalChars, r.TotalLines = true, truncation.ByBytes, len(whole), -1, -1
	var saved notice.Saved
	if saved.Path, saved.Err = b.save(b.spill.NewWriter("tool"), strings.NewReader(whole), copied); saved.Err != nil {
		d.SpillError = saved.Err.Error()
	}
	d.Truncation = d.set(r)
	d.limited = limited
	d.finish("", 0)
	d.FullOutputPath, d.spilled = saved.Path, saved.Path
	return notice.Append(r.Text, said.Notice(), notice.FullOutput(saved), leftOut), d
}

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

func copied(w io.Writer, r io.Reader) error {
	_, err := io.Copy(w, r)
	return err
}

func (b *policyTool) save(
	w *spill.Writer, text io.Reader, write func(io.Writer, io.Reader) error,
) (path string, err error) {
	b.sweep()
	defer w.Close()
	if err = write(w, text); err != nil {
		return "", err
	}
	if path, err = w.Keep(); err != nil {
		return "", err
	}
	return quote.Name(b.shown(path)), nil
}

// maxImages is how many images a result may have: read of another suite may return one for each of its paths.
const maxImages = 64

// boundImages returns the first images that fit, and describes the others. It does not change the list that it gets.
func boundImages(images []Image, maxBytes int64) (shown []Image, left notice.Images) {
	left.Max, left.MaxBytes = maxImages, maxBytes
	room := maxBytes
	for _, img := range images {
		size := int64(len(img.Data))
		switch {
		case !isImageType(img.MIMEType):
			left.NoImages++
			if left.NoImages == 1 {
				left.Type = show(img.MIMEType[:min(len(img.MIMEType), 64)])
			}
		case len(shown) == maxImages || size > room:
			left.Left, left.Bytes = left.Left+1, left.Bytes+size
		default:
			room -= size
			shown = append(shown, img)
		}
	}
	return shown, left
}

// isImageType reports whether a MIME type is that of an image, without parameters: it becomes part of a request to a
// model.
func isImageType(mime string) bool {
	const token = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_"
	name, ok := strings.CutPrefix(mime, "image/")
	return ok && name != "" && len(name) <= 127 && strings.Trim(name, token) == ""
}
