package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Redaction is a secret in whose place a placeholder stands. See config.Redact.
type Redaction struct {
	Kind string `json:"kind"`           // what it is, such as "GitHub token", and never what it reads
	Path string `json:"path,omitempty"` // the file that it is in, as texts name it; "" where that is clear
	Line int    `json:"line,omitempty"` // of the file or the output, from 1; 0 if it is not known
}

// maxRedactions bounds the redactions that the details of a result name.
const maxRedactions = 64

// redacted notes secrets that the text of a result does not show.
func (b *Bounds) redacted(path string, found []redact.Finding) {
	b.Redacted += len(found)
	for _, f := range found[:min(len(found), maxRedactions-len(b.Redactions))] {
		b.Redactions = append(b.Redactions, Redaction{f.Kind, path, f.Line})
	}
	b.secrets = append(b.secrets, found...)
}

// redactedNotice says which secrets were noted.
func (b *Bounds) redactedNotice() notice.Notice { return notice.Redacted(redact.Summary(b.secrets)) }

// redactions is what results have for their secrets: the Bounds that they embed.
type redactions interface {
	redacted(path string, found []redact.Finding)
}

// hide replaces secrets in the texts of a result of the suite's own tools. Those in files and outputs were found where
// these were read; what is left are names, messages and the like.
func (c *calls) hide(result any) {
	if c.redact == nil {
		return
	}
	v := reflect.ValueOf(result).Elem()
	text := v.FieldByName("Text")
	shown, found := c.redact.String(text.String())
	if len(found) > 0 {
		for i := range found {
			found[i].Line = 0 // that of the text is of no use
		}
		result.(redactions).redacted("", found)
		text.SetString(notice.Also(shown, notice.Redacted(redact.Summary(found))))
	}
	hideIn(c.redact, v)
}

// hideIn replaces secrets in all strings that a value holds in exported fields, which must be the caller's to change.
func hideIn(r *redact.Redactor, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if shown, found := r.String(v.String()); len(found) > 0 && v.CanSet() {
			v.SetString(shown)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			hideIn(r, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				hideIn(r, v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // an image
		}
		for i := range v.Len() {
			hideIn(r, v.Index(i))
		}
	}
}

// hideError replaces secrets in the message of an error.
func (c *calls) hideError(err error) error {
	if c.redact == nil || err == nil {
		return err
	}
	e := failure(err, "")
	if e == nil {
		return nil
	}
	shown, found := c.redact.String(e.Message)
	if len(found) == 0 {
		return err
	}
	with := *e
	with.Message = shown
	return &with
}

// hideResult replaces secrets in the result of a tool that was added, before it is bounded.
func hideResult(r *redact.Redactor, res Result) (Result, []redact.Finding) {
	if r == nil {
		return res, nil
	}
	shown, found := r.String(res.Text)
	res.Text = shown
	if e, ok := res.Details.(*Error); ok {
		with := *e
		with.Message, _ = r.String(e.Message)
		with.details = hideDetails(r, e.details)
		res.Details = &with
	} else {
		res.Details = hideDetails(r, res.Details)
	}
	return res, found
}

// hideDetails returns details as they are if they hold no secret, or else their JSON form without it.
func hideDetails(r *redact.Redactor, details any) any {
	if details == nil {
		return nil
	}
	raw, err := json.Marshal(details)
	if err != nil {
		return details // nobody can encode them
	}
	if found := r.Mask(raw); len(found) == 0 {
		return details
	} else if !json.Valid(raw) {
		return nil
	}
	return json.RawMessage(raw)
}

// hideProgress returns a context whose updates show no secrets.
func (c *calls) hideProgress(ctx context.Context) context.Context {
	report, _ := ctx.Value(progressKey{}).(func(Update))
	if c.redact == nil || report == nil {
		return ctx
	}
	return WithProgress(ctx, func(u Update) {
		u.Tail, _ = c.redact.String(u.Tail)
		report(u)
	})
}

// maskedFile is a file without its secrets, of which it knows the lines, if it is read from its beginning or from a
// line that the caller knows.
type maskedFile struct {
	*redact.ReaderAt
	unit  int // bytes of a character: 2 in UTF-16
	next  int64
	lines int // newlines in front of next
	begun bool
	found []redact.Finding // with lines from 1, the one that was read first
}

// newMasked returns what a file of that kind is read from, without its secrets.
func newMasked(r *redact.Redactor, text textfile.File, kind textfile.Info) *maskedFile {
	m := &maskedFile{ReaderAt: r.NewReaderAt(text.Reader()), unit: 1}
	if kind.Encoding == textfile.UTF16LE || kind.Encoding == textfile.UTF16BE {
		m.unit = 2
		if kind.NoBOM {
			m.ReaderAt = r.NewUTF16ReaderAt(text.Reader())
		}
	}
	return m
}

// ReadAt reads the file.
func (m *maskedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := m.ReaderAt.ReadAt(p, at)
	if !m.begun {
		m.begun, m.next = true, at
	}
	if at != m.next { // a look elsewhere, such as for the end of a line
		return n, err
	}
	for _, f := range m.Findings() {
		switch end := at + int64(n); {
		case f.Start >= end:
		case f.Start >= at || f.End > at && len(m.found) == 0:
			f.Line = 1 + m.lines + m.newlines(p[:max(f.Start-at, 0)])
			f.LastLine = 1 + m.lines + m.newlines(p[:min(f.End, end)-at])
			m.found = append(m.found, f)
		case f.End > at: // it goes on
			last := &m.found[len(m.found)-1]
			last.LastLine = 1 + m.lines + m.newlines(p[:min(f.End, end)-at])
		}
	}
	m.lines += m.newlines(p[:n])
	m.next += int64(n)
	return n, err
}

// newlines counts the newlines in a part of the file.
func (m *maskedFile) newlines(p []byte) int {
	n := bytes.Count(p, []byte{'\n'})
	if m.unit == 1 || n == 0 {
		return n
	}
	n = 0
	for ; len(p) > 1; p = p[2:] {
		if p[0] == '\n' && p[1] == 0 || p[0] == 0 && p[1] == '\n' {
			n++
		}
	}
	return n
}

// between returns the secrets in some lines of a file that was read from line begin on.
func (m *maskedFile) between(begin, first, last int) (found []redact.Finding) {
	if m == nil {
		return nil
	}
	for _, f := range m.found {
		f.Line, f.LastLine = f.Line+begin-1, f.LastLine+begin-1
		if f.Line <= last && f.LastLine >= first {
			found = append(found, f)
		}
	}
	return found
}
