package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

// File is a file to change, or the place for one.
type File struct {
	replace.Target               // Name to show; Info is nil if there is no file
	Content        []byte        // all of its bytes, undecoded
	Kind           textfile.Info // what Content is
	Encoding       string        // the canonical encoding that the call names, or ""
	Guessed        string        // the encoding that Content clearly is in, if Encoding is ""; or ""
	Decoded        []byte        // Content in UTF-8 if its encoding is not one of Unicode's; else nil
	Changed        bool          // Content differs from what was last shown or written

	files     *Files
	seen      *seen.Version // what was last shown or written, or nil
	sum       seen.Sum      // of Content
	rehearsed bool          // nothing of it is shown to the model

	shown   []byte // the result of Shown
	secrets []mask.Finding
}

// Seen returns the content that was last shown or written, or nil if unknown.
func (f *File) Seen() []byte {
	if f.seen == nil {
		return nil
	}
	return f.seen.Content
}

// WasRead reports whether all present lines of the file were shown.
func (f *File) WasRead() bool { return f.seen != nil && !f.Changed && f.seen.Lines.All() }

// SawPart records that lines of a file were shown, unless more is known.
func (f *Files) SawPart(name string) {
	path, err := f.Workspace.Resolve(name)
	if err != nil || f.Seen.Latest(path.Abs) != nil {
		return
	}
	if info, err := path.Stat(); err == nil {
		f.Seen.Put(path.Abs, seen.PartOf(info))
	}
}

// Target finds the place of a path, and refuses one where nothing may be changed.
func (f *Files) Target(ctx context.Context, name string, naming workspace.Naming) (workspace.Target, error) {
	if err := ctx.Err(); err != nil {
		return workspace.Target{}, err
	}
	if kind := f.Redact.InName(strings.TrimPrefix(name, f.Workspace.Dir())); kind != "" {
		return workspace.Target{}, fault.Errorf(fault.InvalidInput, "the path has a secret in it (%s), and such a path is "+
			"neither read nor written; nothing was changed. Use another path, or ask the user to rename the file", kind)
	}
	target, err := f.Workspace.TargetAs(name, naming)
	twin, isTwin := errors.AsType[*workspace.TwinError](err)
	if isTwin && f.Redact.InName(twin.Like.Name) != "" ||
		err == nil && target.Correction != nil && f.Redact.InName(target.Name) != "" {
		target, err = f.Workspace.TargetAs(name, workspace.AsWritten) // a refusal would confirm the secret
		isTwin = false
	}
	protected, isProtected := errors.AsType[*workspace.ReadOnlyError](err)
	switch {
	case err != nil && f.Workspace.Gone():
		return target, &fault.Error{Code: fault.NotFound, Message: workspace.ErrGone.Error(), Err: nil}
	case isTwin:
		return target, &fault.Error{Code: fault.NotFound, Message: isTwinOf(name, twin), Err: err}
	case errors.Is(err, workspace.ErrReadOnly):
		message := quote.Value(name) + " can be read but not changed. " + f.changeable()
		return target, &fault.Error{Code: fault.PermissionDenied, Message: message, Err: err}
	case isProtected:
		return target, &fault.Error{Code: fault.PermissionDenied, Message: readOnly(name, protected.Root), Err: err}
	case err != nil:
		return target, about(err, name)
	case !workspace.Kept(ctx, target.Abs):
		return target, fault.Errorf(fault.Stale, "%s leads elsewhere since this call was allowed; nothing was changed. "+
			"Make the call again", quote.Value(name))
	}
	return target, nil
}

// isTwinOf says why a file of that name is not created. A path in double quotes is never corrected.
func isTwinOf(name string, twin *workspace.TwinError) string {
	const text = "%s does not exist, but %s does; nothing was changed. If you mean that, use the path %s. To create " +
		"another beside it, put the path in double quotes"
	said := fmt.Sprintf(text, quote.Value(name), quote.Value(twin.Like.Name), quote.Value(twin.Name))
	if quoted := quote.Quoted(name); len(quoted) <= maxQuoted {
		said += ": " + quoted
	}
	return said
}

// maxQuoted is the longest quoted path that fits in an error, in bytes.
const maxQuoted = 160

func readOnly(name, root string) string {
	why := " is in " + quote.Value(root) + ", which the option ReadOnlyRoots makes read-only. "
	if name == root {
		why = " is read-only because of the option ReadOnlyRoots. "
	}
	return quote.Value(name) + why + "Make the change elsewhere, or ask the user to make it"
}

const shownRoots = 3

func (f *Files) changeable() string {
	where := "Only files in the workspace can be changed"
	for i, root := range f.WritableRoots {
		if i == shownRoots {
			where += " and in other directories"
			break
		}
		where += ", or in " + quote.Value(root)
	}
	return where + ". Use a path there, or ask the user to add a directory to the option WritableRoots"
}

// Open reads a file, or looks at the place for one. The contents of all opened files together are bounded.
func (s *Set) Open(ctx context.Context, name string, naming workspace.Naming) (*File, error) {
	if s.opened++; s.opened > MaxFiles {
		return nil, fault.Errorf(fault.TooLarge, "a call changes at most %d files. Make several calls", MaxFiles)
	}
	target, err := s.files.Target(ctx, name, naming)
	if err != nil {
		return nil, err
	}
	f := &File{Target: replace.At(target), files: s.files, rehearsed: s.rehearsal != nil}
	if f.Info != nil {
		if err := s.load(f); err != nil {
			return nil, about(err, name)
		}
		f.sum = seen.SumOf(f.Content)
	}
	if s.rehearsal != nil {
		s.rehearsal.opened[f.Abs] = f.sum
	}
	if s.expected != nil {
		if err := s.expected.asShown(f); err != nil {
			return nil, err
		}
	}
	paths := []string{f.Abs} // a file that was read by a link is remembered under that name
	if f.Correction != nil {
		name = quote.Name(f.Name)
	}
	if p, err := s.files.Workspace.Resolve(name); err == nil && p.Abs != f.Abs {
		paths = append(paths, p.Abs)
	}
	f.seen = s.files.Seen.Latest(paths...)
	f.Changed = f.seen != nil && !f.seen.Is(f.sum, f.Info)
	return f, nil
}

func (s *Set) load(f *File) error {
	file, info, err := f.OpenFile()
	if err != nil {
		return err
	}
	defer file.Close()
	if most := s.files.MaxFileBytes; info.Size() > most {
		return fault.Errorf(fault.TooLarge, "%s is %s, over the limit of %s for files that are changed here",
			quote.Value(f.Name), size.File(info.Size()), size.File(most))
	}
	if s.bytes += info.Size(); s.opened > 1 && s.bytes > maxBytes {
		return fault.Errorf(fault.TooLarge, "the files of one call are over %s together. Make several calls",
			size.File(maxBytes))
	}
	f.Content = make([]byte, info.Size())
	if _, err := io.ReadFull(file, f.Content); err != nil {
		return err
	}
	f.Kind, f.Info = f.KindOf(f.Content), info
	if f.Kind.Encoding != textfile.UTF8 && f.Kind.Likely == "" {
		return nil
	}
	if f.Guessed = textfile.SureOf(f.Content); f.Guessed != "" { // as read shows it
		f.Kind = f.KindOf(f.Content)
		if ok := f.decode(); !ok {
			f.Guessed = ""
			f.Kind = f.KindOf(f.Content)
		}
	}
	return nil
}

func (f *File) IsLink() bool {
	dir, err := f.files.Workspace.Resolve(quote.Name(path.Dir(f.Name)))
	return err != nil || !strings.EqualFold(f.Abs, filepath.Join(dir.Abs, path.Base(f.Name)))
}

func (f *File) MaxBytes() int64 { return f.files.MaxFileBytes }

// MayChange returns an error if Files.RequireRead is set and the file was never shown.
func (f *File) MayChange() error {
	if f.files.RequireRead && f.Info != nil && f.seen == nil {
		return fault.Errorf(fault.Stale, "%s has not been read yet, and nothing was changed. Read it, then make the call again",
			quote.Value(f.Name))
	}
	return nil
}

// Stale returns the error for a file that has changed since it was last shown. If the changes are known, show shows
// them and reports whether it showed all; the file then counts as shown.
func (f *File) Stale(show func(*diff.Diff) (all bool)) error {
	const since = "%s has changed since it was last shown or written here, and was left alone. "
	name := quote.Value(f.Name)
	switch {
	case f.Info == nil:
		f.knows(seen.Version{})
		return fault.Errorf(fault.Stale, since+"It no longer exists. Make the call again to create it", name)
	case f.seen.Content == nil || f.Kind.Binary:
		return fault.Errorf(fault.Stale, since+"Read it, then make the call again", name)
	}
	before, _ := f.files.Redact.Masked(textIn(f.seen.Content, f.KindOf(f.seen.Content)), mask.MaxFindings)
	after, _ := f.Shown()
	changes := diff.New(before, after)
	if len(changes.Changes) == 0 { // only a secret changed
		return fault.Errorf(fault.Stale, since+"Read it, then make the call again", name)
	}
	if !show(changes) {
		return fault.Errorf(fault.Stale, since+"Some of the changes follow. Read it, then make the call again", name)
	}
	f.knows(seen.Version{Sum: f.sum, Content: f.Content, Lines: f.seen.Lines.Changed(changes)})
	return fault.Errorf(fault.Stale, since+"The changes follow. Make the call again with them in mind", name)
}

// knows records what the model has been shown of the file.
func (f *File) knows(v seen.Version) {
	if !f.rehearsed {
		f.files.Seen.Put(f.Abs, v)
	}
}

// asOpened returns an error if the file is not the one that was opened.
func (f *File) asOpened() error {
	now, err := f.Lstat()
	switch {
	case f.Info == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case f.Info != nil && errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case f.Info != nil && textfile.Unchanged(f.Info, now):
		return nil
	}
	return fault.Errorf(fault.Stale, "%s was changed by another program just now, and was left alone. Make the call again",
		quote.Value(f.Name))
}

// DecodeAs reads the file in the encoding that a call names. A byte order mark takes precedence. If the file is UTF-8
// although the encoding is another, nothing changes, and ok is false.
func (f *File) DecodeAs(encoding string) (ok bool, err error) {
	f.Encoding = encoding
	if f.Info == nil || encoding == "" {
		return true, nil
	}
	f.Guessed, f.Decoded = "", nil
	kind := f.KindOf(f.Content)
	if f.isUTF8() && encoding != textfile.UTF8 && (kind.Legacy() == nil || !isASCII(f.Content)) {
		return false, nil
	}
	if f.Kind = kind; !f.decode() {
		return false, fault.Errorf(fault.TooLarge, "%s is in UTF-8 over the limit of %s for files that are "+
			"changed here", quote.Value(f.Name), size.File(f.files.MaxFileBytes))
	}
	return true, nil
}

// decode sets Decoded, and reports whether there is room for that.
func (f *File) decode() (ok bool) {
	f.Decoded = nil
	if f.Kind.Legacy() == nil {
		return true
	}
	f.Decoded, ok = f.Kind.Text(f.Content, f.files.MaxFileBytes)
	return ok
}

// isUTF8 reports whether the file is entirely valid UTF-8 without a byte order mark.
func (f *File) isUTF8() bool {
	return f.Kind.Encoding == textfile.UTF8 && utf8.Valid(f.Content)
}

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf })
}

func (f *File) Text() []byte {
	if f.Decoded == nil {
		return textIn(f.Content, f.Kind)
	}
	return f.Decoded
}

// byteOrderMark may begin a content; an encoded content gets its own.
const byteOrderMark = "\ufeff"

// Encode returns the change that replaces the file's text, in its own encoding unless the call names another.
func (f *File) Encode(text string) (Change, error) {
	kind := f.Kind
	if now, _ := strings.CutSuffix(kind.Encoding, "-bom"); f.Encoding != "" && f.Encoding != now {
		kind = textfile.Info{Encoding: f.Encoding}
	}
	if kind.Encoding == textfile.UTF8 || kind.Encoding == "" {
		return Change{File: f, Content: []byte(text)}, nil
	}
	c := Change{File: f, Text: []byte(strings.TrimPrefix(text, byteOrderMark))}
	var err error
	if c.Content, err = kind.Encode(c.Text); err != nil {
		otherwise := ""
		if f.Guessed != "" {
			otherwise = ", or use encoding=utf-8"
		}
		return Change{}, fault.Errorf(fault.InvalidInput, "%s cannot be written in %s: %w. Leave that out%s",
			quote.Value(f.Name), kind.Encoding, err, otherwise)
	}
	if n, most := int64(len(c.Content)), f.files.MaxFileBytes; n > most {
		return Change{}, fault.Errorf(fault.TooLarge, "content is %s in %s, over the limit of %s for files that are changed "+
			"here", size.File(n), kind.Encoding, size.File(most))
	}
	return c, nil
}

func textIn(content []byte, kind textfile.Info) []byte {
	if kind.Binary || kind.Encoding == textfile.UTF8 {
		return content
	}
	text, _ := kind.Text(content, math.MaxInt64)
	return text
}

// KindOf classifies a new content of the file, in the encoding that the call names or that the file has.
func (f *File) KindOf(content []byte) textfile.Info {
	head := content[:min(len(content), textfile.SniffLen)]
	if f.Encoding == "" && f.Guessed != "" && (bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(content)) {
		return textfile.SniffAs(head, f.Guessed)
	}
	return textfile.SniffAs(head, f.Encoding)
}
