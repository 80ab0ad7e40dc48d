package tools

import (
	"context"
	"encoding/json"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/truncation"
)

const readDescription = `Read a file, or several. Shows at most {Read.MaxLines} lines or {Read.MaxBytes}; a notice ` +
	`says how to continue. A file over {MaxFileBytes} needs offset, limit or show=digest. Shows PNG, JPEG, GIF and WebP ` +
	`files as images`

// ReadParams are the arguments of read: Path, Paths or both, and which part.
type ReadParams struct {
	Path     string   `json:"path,omitempty" jsonschema:"the file to read, relative to the workspace or absolute; a.go:40-60 reads only these lines"`
	Paths    []string `json:"paths,omitempty" jsonschema:"several files to read in one call, at most 64, instead of path" arg:"64"`
	Offset   int      `json:"offset,omitempty" jsonschema:"line to start at, counted from 1; -N starts N lines before the end; default 1" arg:"signed"`
	Limit    int      `json:"limit,omitempty" jsonschema:"maximum number of lines to show; default {Read.MaxLines}"`
	Column   int      `json:"column,omitempty" jsonschema:"character of the first line to start at, to read a very long line in pieces; default 1"`
	Encoding string   `json:"encoding,omitempty" jsonschema:"encoding of the file, such as windows-1252 or shift_jis; default what the file clearly is, else UTF-8"`
	Show     string   `json:"show,omitempty" jsonschema:"digest is for logs: both ends of the whole file, and each line in between that stands out, such as an error; default page" arg:"page|digest"`
	Again    bool     `json:"again,omitempty" jsonschema:"also show lines that were shown before and have not changed"`
	Raw      bool     `json:"raw,omitempty" jsonschema:"show a file as it is stored, such as a notebook as JSON"`
}

// ReadResult is the result of read. Its Text is Page with notices. For an empty file or an image, Text says what it
// is; for several files, it has all of them with headers.
type ReadResult struct {
	Shown

	Page   string  `json:"-"` // the lines without notices, including those that a Receipt leaves out; "" for several files and for an image
	Images []Image `json:"-"` // the image, or the images of several files or of shown cells

	Truncation *truncation.Result `json:"truncation,omitempty"` // set if a limit of the tool or a digest cut; nil if the page ended at Limit
	// TotalLines is the file's number of lines, -1 if unknown: for several files, and for a large file read from its
	// end. JSON then omits it. It is 0 for an image.
	TotalLines   int          `json:"totalLines"`
	NextOffset   int          `json:"nextOffset,omitempty"`  // the line to continue at, negative if counted from the end; 0 if there is no more, and for several files
	NextColumn   int          `json:"nextColumn,omitempty"`  // the character to continue at in a line that is too long; from 1, else 0
	LinesCut     int          `json:"linesCut,omitempty"`    // lines cut to Read.MaxLineChars
	Encoding     string       `json:"encoding,omitempty"`    // utf-8, utf-8-bom, utf-16le, utf-16be, or the encoding asked for or detected; "" for an image and for several files
	LineEndings  string       `json:"lineEndings,omitempty"` // lf, crlf, mixed or cr, in the first 8 KiB; "" if no line ends there
	FinalNewline bool         `json:"finalNewline"`          // the file ends in a newline; false for an image and for several files
	Image        *ImageInfo   `json:"image,omitempty"`       // set for an image
	Files        []FileResult `json:"files,omitempty"`       // set for a call with Paths, in their order

	// Receipt is set if Text does not repeat lines shown before. Page and Shown include these lines. See
	// config.RepeatReceipt.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// FileResult is the result for one file of several.
type FileResult struct {
	Path   string      `json:"path"`             // as given
	Result *ReadResult `json:"result,omitempty"` // its result, without Text and Images; nil if Error or NotShown is set
	Error  *Error      `json:"error,omitempty"`  // why it could not be read
	// NotShown says that there was no room for the file. Result and Error are then nil.
	NotShown bool `json:"notShown,omitempty"`
}

// MarshalJSON omits an unknown number of lines.
func (r ReadResult) MarshalJSON() ([]byte, error) {
	type plain ReadResult
	if r.TotalLines >= 0 {
		return json.Marshal(plain(r))
	}
	unknown := struct {
		plain
		TotalLines *int `json:"totalLines,omitempty"`
	}{plain: plain(r)}
	return json.Marshal(unknown)
}

// Receipt says how much of a page was not shown again.
type Receipt struct {
	LinesUnchanged int `json:"linesUnchanged"` // lines that Text only names
	LinesShown     int `json:"linesShown"`     // lines that Text shows
	BytesSaved     int `json:"bytesSaved"`     // by which Text is shorter
}

// ImageInfo describes an image as it is in the file.
type ImageInfo struct {
	MIMEType string `json:"mimeType"` // "image/png", "image/jpeg", "image/gif" or "image/webp"
	Width    int    `json:"width"`    // pixels
	Height   int    `json:"height"`   // pixels
	Bytes    int64  `json:"bytes"`    // of the file
	Scaled   bool   `json:"scaled"`   // the model gets a smaller version
}

type pages struct {
	viewer page.Viewer
	paths  *paths
}

func newPages(cfg config.Config, sh *shared, m *memory, tools *toolset) *pages {
	hasBash := func() bool { return tools.has("bash") }
	v := page.Viewer{
		Limits: cfg.Read, MaxFileBytes: cfg.MaxFileBytes, Redact: sh.redact, Counts: &sh.counts, Seen: &m.files,
		Pictures: page.NewPictures(cfg.MaxFileBytes, cfg.Read.MaxImageBytes, hasBash, sh.scaling), Told: &m.told, Formats: sh.parts.Formats(),
		HasBash: hasBash, HasEdit: func() bool { return tools.has("edit") },
		Resolve: sh.paths.resolve, Find: sh.paths.Workspace.Find, IsSpill: sh.paths.IsSpill,
		Say: func(err error) string { return failure(err, "").Error() },
	}
	if m.receipts != nil {
		v.Receipts = m.receipts.Begin
	}
	return &pages{v, sh.paths}
}

func (s *pages) read(ctx context.Context, p ReadParams) (_ ReadResult, err error) {
	if p.Encoding, err = hint.Encoding(p.Encoding); err != nil {
		return ReadResult{}, err
	}
	q := page.Request{
		Path: p.Path, Paths: p.Paths, Offset: p.Offset, Limit: p.Limit, Column: p.Column, Encoding: p.Encoding,
		Digest: p.Show == "digest", Again: p.Again, Raw: p.Raw,
	}
	switch {
	case q.Digest && len(p.Paths) > 0:
		return ReadResult{}, errorf(CodeInvalidInput, "show=digest takes one file: use path, not paths")
	case len(p.Paths) == 0 && p.Path == "":
		return ReadResult{}, errorf(CodeInvalidInput, "path is required: the file to read, relative to the workspace or "+
			"absolute; or paths, for several")
	}
	reader, notes := readerOf(ctx), notesOf(ctx)
	gets := reader != nobody && (notes == nil || !notes.opaque)
	shown, err := s.viewer.Read(ctx, q, reader, gets)
	for _, p := range shown.Notes {
		notes.add(note{keep: p.Keep, undo: p.Undo})
	}
	return s.result(shown), err
}

func (s *pages) result(shown page.Result) ReadResult {
	res := ReadResult{
		Shown: Shown{Text: shown.Text}, Page: shown.Page, TotalLines: shown.TotalLines,
		NextOffset: shown.NextOffset, NextColumn: shown.NextColumn, LinesCut: shown.LinesCut,
		Encoding: shown.Encoding, LineEndings: shown.LineEndings, FinalNewline: shown.FinalNewline,
	}
	for _, img := range shown.Images {
		res.Images = append(res.Images, Image(img))
	}
	if shown.Image != nil {
		info := ImageInfo(*shown.Image)
		res.Image = &info
	}
	if shown.Receipt != nil {
		receipt := Receipt(*shown.Receipt)
		res.Receipt = &receipt
	}
	if shown.Whole != nil {
		res.Truncation = res.set(*shown.Whole)
	}
	res.limited, res.linesCut = shown.Limited, shown.LinesCut > 0
	res.redacted("", shown.Secrets)
	if len(shown.Files) > 0 {
		s.several(&res, shown.Files)
	}
	res.output = shown.Output
	return res
}

// several adds the results of several files, and their sums.
func (s *pages) several(res *ReadResult, files []page.File) {
	whole := truncation.Result{Strategy: truncation.Head, MaxBytes: s.viewer.Limits.MaxBytes, TotalChars: -1}
	for _, f := range files {
		file := FileResult{Path: f.Path, NotShown: f.NotShown}
		if f.Err != nil {
			file.Error = failure(f.Err, f.Path)
		}
		if f.Result != nil {
			one := s.result(*f.Result)
			one.finish(truncation.Head, s.viewer.Limits.MaxBytes)
			whole = plus(whole, one.whole)
			res.linesCut = res.linesCut || one.linesCut
			file.Result = &one
		}
		res.Files = append(res.Files, file)
	}
	res.set(whole)
}

// describeRead completes the description of read, and drops arguments that this suite does not need.
func (t *spec) describeRead(formats []page.Format, receipts bool) {
	t.description += describeFormats(formats)
	if len(formats) == 0 {
		t.leaveOut = append(t.leaveOut, "raw")
	}
	if receipts {
		t.description += readReceipts
	} else {
		t.leaveOut = append(t.leaveOut, "again")
	}
}

const readReceipts = ` Lines that were shown before and have not changed are named and not shown again.`
