package change

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

const askOrLeave = "Leave the secret as it is and change only what is around it, or ask the user to make this change"

// Masks reports whether secrets are masked.
func (f *File) Masks() bool { return !f.files.Redact.Off() }

// Diff returns the difference of two texts for display, and the secrets in its new lines. shown is the old text
// without its secrets: comparing the texts themselves would show which lines are equal, and so confirm a guess.
func (f *File) Diff(shown, after []byte) (d *diff.Diff, secrets []mask.Finding) {
	masked, found := f.files.Redact.Masked(after, mask.MaxFindings)
	d = diff.New(shown, masked)
	if len(found) == 0 {
		return d, nil
	}
	for h := range d.Hunks() {
		for _, f := range found {
			if f.Line <= h.LastLine && f.LastLine >= h.Line {
				secrets = append(secrets, f)
			}
		}
	}
	return d, secrets
}

// NoPlaceholder refuses an argument that would write a placeholder into a file, or look for one.
func (f *Files) NoPlaceholder(argument, text string) error {
	found, ok := f.Redact.Placeholder(text)
	if !ok {
		return nil
	}
	return fault.Errorf(fault.InvalidInput, "%s holds %s, which stands for a secret in what you were shown and is not in "+
		"the file. Nothing was changed. %s", argument, found, askOrLeave)
}

// Shown returns the text without its secrets, and these.
func (f *File) Shown() (text []byte, secrets []mask.Finding) {
	if f.Info == nil || f.Kind.Binary {
		return f.Text(), nil
	}
	if f.shown == nil {
		f.shown, f.secrets = f.files.Redact.Masked(f.Text(), mask.MaxFindings)
	}
	return f.shown, f.secrets
}

func (f *File) EditText() *edit.Text {
	return f.Mask(edit.NewDecoded(f.Content, f.Kind, f.Decoded))
}

// As returns the file as it was with that content.
func (f *File) As(content []byte) *File {
	then := *f
	then.Content, then.Kind, then.Decoded = content, f.KindOf(content), nil
	then.shown, then.secrets = nil, nil
	return &then
}

// Mask shows edits the text as a model sees it: they find nothing in secrets, and replace none.
func (f *File) Mask(text *edit.Text) *edit.Text {
	body, found := f.files.Redact.Masked(text.Body(), math.MaxInt)
	if len(found) > 0 {
		text.Mask(body, spans(found))
	}
	return text
}

func spans(found []mask.Finding) []edit.Span {
	list := make([]edit.Span, len(found))
	for i, s := range found {
		list[i] = edit.Span{Start: int(s.Start), End: int(s.End)}
	}
	return list
}

// InSecret returns the error for an edit at a place with a secret.
func (f *File) InSecret(text *edit.Text, bad *edit.Error) error {
	return fault.Errorf(fault.InvalidInput, "the text to replace in %s has a redacted secret in line %d. Nothing was "+
		"changed. %s", quote.Value(f.Name), text.Line(bad.Places[0].Start), askOrLeave)
}

// KeepsMasked refuses edits that make content, if a secret would afterwards be masked differently, even if only until
// other findings are forgotten. The error depends on the text around the secret, not on the secret itself.
func (f *File) KeepsMasked(text *edit.Text, content []byte) error {
	before := f.files.Redact.Secrets(text.Plain())
	if len(before) == 0 {
		return nil
	}
	var was, now []secret
	for i, at := range spans(before) {
		s := secret{} // matches no secret after the edits
		if to, same := text.Moved(at); same {
			s = secret{kind: before[i].Kind, at: to}
		}
		was = append(was, s)
	}
	after := f.files.Redact.Secrets(edit.New(content, f.KindOf(content)).Plain())
	for i, at := range spans(after) {
		now = append(now, secret{kind: after[i].Kind, at: at})
	}
	if i := lost(was, now); i >= 0 {
		return f.wouldShow(text.Line(int(before[i].Start)))
	}
	return nil
}

// KeepsSecrets is KeepsMasked for texts whose parts move in other ways than by edits, such as a notebook as read shows
// it: each secret must be masked as often as before.
func (f *File) KeepsSecrets(before, after []byte) error {
	list := func(text []byte, found []mask.Finding) (secrets []secret) {
		for _, s := range found {
			secrets = append(secrets, secret{kind: s.Kind, value: string(text[s.Start:s.End])})
		}
		return secrets
	}
	found := f.files.Redact.Secrets(before)
	if i := lost(list(before, found), list(after, f.files.Redact.Secrets(after))); i >= 0 {
		return f.wouldShow(1 + bytes.Count(before[:found[i].Start], []byte("\n")))
	}
	return nil
}

// secret identifies a secret across a change: by its place, or by its text.
type secret struct {
	kind  string
	at    edit.Span
	value string
}

// lost returns the index of the first secret that occurs less often than before, or -1.
func lost(was, now []secret) int {
	left := map[secret]int{}
	for _, s := range now {
		left[s]++
	}
	return slices.IndexFunc(was, func(s secret) bool {
		left[s]--
		return left[s] < 0
	})
}

// wouldShow returns the error for a change that would show the secret in a line.
func (f *File) wouldShow(line int) error {
	return fault.Errorf(fault.InvalidInput, "the secret in line %d of %s would no longer be redacted. Nothing was "+
		"changed. Leave the text before and after it, or ask the user to make this change",
		line, quote.Value(f.Name))
}

// InForm refuses a call that names another encoding for a file with secrets than read detects: in it, secrets may read
// as other characters, which are not redacted.
func (f *File) InForm() error {
	if f.Encoding == "" || f.Info == nil {
		return nil
	}
	if n := f.files.Redact.CountForms(f.Content); n > 0 && n != len(f.files.Redact.Secrets(f.Text())) {
		return fault.Errorf(fault.InvalidInput, "%s has %s that are not redacted in %s. Nothing was changed. Leave encoding "+
			"out, or ask the user to make this change", quote.Value(f.Name), notice.Count(n, "secret"), f.Encoding)
	}
	return nil
}

// secretsGone refuses to replace a whole file that has secrets, because the model cannot have put them into the new
// content. It refuses an equal content as well, because accepting it would confirm a guess of them.
func (f *File) secretsGone() error {
	_, secrets := f.Shown()
	if len(secrets) == 0 {
		return nil
	}
	count, kinds := mask.Summary(secrets)
	return fault.Errorf(fault.InvalidInput, "%s has %s that you were not shown (%s), in line %d first, and this would "+
		"remove them. Nothing was changed. Edit the file around secrets, or ask the user to make this change",
		quote.Value(f.Name), notice.Count(count, "secret"), strings.Join(kinds, ", "), secrets[0].Line)
}
