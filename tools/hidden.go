package tools

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/redact"
)

// askOrLeave says what to do about a secret that is in the way of a change.
const askOrLeave = "Leave the secret as it is and change only what is around it, or ask the user to make this change"

// hidden returns the text of a file as the model may know it: edits find nothing in its secrets, and replace none.
func (cs *changes) hidden(text *edit.Text) *edit.Text {
	if cs.files.Redact == nil {
		return text
	}
	body := bytes.Clone(text.Body())
	var spans []edit.Span
	for _, s := range cs.files.Redact.MaskAll(body) {
		spans = append(spans, edit.Span{Start: int(s.Start), End: int(s.End)})
	}
	text.Hide(body, spans)
	return text
}

// noPlaceholder refuses a text of a call, by the name of its argument, that would write a placeholder into a file, or
// look for one.
func (cs *changes) noPlaceholder(argument, text string) error {
	if cs.files.Redact == nil {
		return nil
	}
	found, ok := redact.Placeholder(text)
	if !ok {
		return nil
	}
	return errorf(CodeInvalidInput, "%s holds %s, which stands for a secret in what you were shown and is not in the file. "+
		"Nothing was changed. %s", argument, found, askOrLeave)
}

// noPlaceholders is noPlaceholder for all edits of a call.
func (cs *changes) noPlaceholders(edits []edit.Edit) error {
	for i, e := range edits {
		which := ""
		if len(edits) > 1 {
			which = fmt.Sprintf(" of edit %d", i+1)
		}
		if err := cs.noPlaceholder("old_string"+which, e.Old); err != nil {
			return err
		}
		if err := cs.noPlaceholder("new_string"+which, e.New); err != nil {
			return err
		}
	}
	return nil
}

// noPlaceholderIn is noPlaceholder for the lines that a patch adds to a file or removes from it. Those that stay may
// have placeholders: they are found as they were shown, and are not written.
func (cs *changes) noPlaceholderIn(f patch.File) error {
	if err := cs.noPlaceholder("the patch", f.Content); err != nil {
		return err
	}
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Op == ' ' {
				continue
			}
			if err := cs.noPlaceholder(fmt.Sprintf("the hunk in line %d of the patch", h.Line), l.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// inSecret returns the error for an edit of a place with a secret.
func inSecret(f *change.File, text *edit.Text, bad *edit.Error) *Error {
	return errorf(CodeInvalidInput, "the text to replace in %s has a redacted secret in line %d. Nothing was changed. %s",
		show(f.Name), text.Line(bad.Places[0].Start), askOrLeave)
}

// stillHidden refuses an edit of text after which a secret in it would not be masked as it was, if only until what was
// met elsewhere is forgotten. What that says depends on what stands around the secret, not on what it reads.
func (cs *changes) stillHidden(f *change.File, text *edit.Text, content []byte) error {
	if cs.files.Redact == nil {
		return nil
	}
	secrets := cs.files.Redact.Secrets(text.Plain())
	if len(secrets) == 0 {
		return nil
	}
	after := edit.New(content, f.KindOf(content)).Plain()
	masked := map[edit.Span]string{}
	for _, s := range cs.files.Redact.Secrets(after) {
		masked[edit.Span{Start: int(s.Start), End: int(s.End)}] = s.Kind
	}
	for _, s := range secrets {
		now, same := text.Moved(edit.Span{Start: int(s.Start), End: int(s.End)})
		if !same || masked[now] != s.Kind {
			return wouldShow(f, text.Line(int(s.Start)))
		}
	}
	return nil
}

// stillMasked is stillHidden for texts whose parts move otherwise than by edits, such as what read shows of a notebook:
// each secret must be masked as often as before.
func (cs *changes) stillMasked(f *change.File, before, after []byte) error {
	type secret struct{ kind, value string }
	masked := map[secret]int{}
	for _, s := range cs.files.Redact.Secrets(after) {
		masked[secret{s.Kind, string(after[s.Start:s.End])}]++
	}
	for _, s := range cs.files.Redact.Secrets(before) {
		key := secret{s.Kind, string(before[s.Start:s.End])}
		if masked[key]--; masked[key] < 0 {
			return wouldShow(f, 1+bytes.Count(before[:s.Start], []byte("\n")))
		}
	}
	return nil
}

// wouldShow returns the error for a change after which the secret in a line would be shown.
func wouldShow(f *change.File, line int) *Error {
	return errorf(CodeInvalidInput, "the secret in line %d of %s would not be redacted as it is now. Nothing was changed. "+
		"Leave what stands in front of it and behind it, or ask the user to make this change", line, show(f.Name))
}

// inForm refuses a call that takes a file with secrets to be in another encoding than read does without one: in it they
// may read as other characters, in which nothing is redacted.
func (cs *changes) inForm(f *change.File) error {
	if cs.files.Redact == nil || f.Encoding == "" || f.Info == nil {
		return nil
	}
	if n := cs.files.Redact.CountForms(f.Content); n > 0 && n != len(cs.files.Redact.Secrets(f.Text())) {
		return errorf(CodeInvalidInput, "%s has %s that are not redacted in %s. Nothing was changed. Leave encoding out, or "+
			"ask the user to make this change", show(f.Name), notice.Count(n, "secret"), f.Encoding)
	}
	return nil
}

// secretsGone refuses to replace all of a file that has secrets, which the model cannot have put into the new content.
// A content that is the same is refused as well: else a guess of them would be told from another.
func (cs *changes) secretsGone(f *change.File) error {
	_, secrets := f.Shown()
	if len(secrets) == 0 {
		return nil
	}
	count, kinds := redact.Summary(secrets)
	return errorf(CodeInvalidInput, "%s has %s that you were not shown (%s), in line %d first, and this would remove "+
		"them. Nothing was changed. Edit the file around secrets, or ask the user to make this change", show(f.Name),
		notice.Count(count, "secret"), strings.Join(kinds, ", "), secrets[0].Line)
}
