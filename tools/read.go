package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

const readDescription = `Read a file, or several. Shows at most {Read.MaxLines} lines or {Read.MaxBytes}; a notice ` +
	`says how to continue. A file over {MaxFileBytes} needs offset, limit or show=digest. Shows PNG, JPEG, GIF and WebP ` +
	`files as images, and a notebook (.ipynb) as its cells.`

// ReadParams are the arguments of read: Path, Paths or both, and which part.
type ReadParams struct {
	Path     string   `json:"path,omitempty" jsonschema:"the file to read, relative to the workspace or absolute"`
	Paths    []string `json:"paths,omitempty" jsonschema:"several files to read in one call, at most 64, instead of path" arg:"64"`
	Offset   int      `json:"offset,omitempty" jsonschema:"line to start at, counted from 1; -N starts N lines before the end; default 1" arg:"signed"`
	Limit    int      `json:"limit,omitempty" jsonschema:"maximum number of lines to show; default {Read.MaxLines}"`
	Column   int      `json:"column,omitempty" jsonschema:"character of the first line to start at, to read a very long line in pieces; default 1"`
	Encoding string   `json:"encoding,omitempty" jsonschema:"encoding of the file, such as windows-1252 or shift_jis; default UTF-8, or UTF-16 with a byte order mark"`
	Show     string   `json:"show,omitempty" jsonschema:"digest is for logs: both ends of the whole file, and each line in between that stands out, such as an error; default page" arg:"page|digest"`
	Again    bool     `json:"again,omitempty" jsonschema:"also show lines that were shown before and have not changed"`
	Raw      bool     `json:"raw,omitempty" jsonschema:"show a notebook as its JSON source; default its cells"`
}

// ReadResult is the result of read.
type ReadResult struct {
	Bounds

	Text   string  `json:"-"` // Page, with notices; or that the file is empty, or what image it is; of several files, all of them with headers
	Page   string  `json:"-"` // the lines without notices, those that a Receipt leaves out included; "" of several files and of an image
	Images []Image `json:"-"` // the picture of an image, or those that the shown cells of a notebook, or several files, have

	Truncation *truncation.Result `json:"truncation,omitempty"` // set if a limit of the tool ended the page, or a digest left something out; nil if the page ended at Limit
	// TotalLines is the number of lines of the file; 0 of an image. It is -1, and
	// not in the JSON form, where it is not known: of several files, and of a
	// large file read from its end.
	TotalLines   int          `json:"totalLines"`
	NextOffset   int          `json:"nextOffset,omitempty"`  // the line to continue at, below zero if counted from the end; 0 if there is no more, and of several files
	NextColumn   int          `json:"nextColumn,omitempty"`  // the character of that line to continue at, from 1, if the line is too long for a page; else 0
	LinesCut     int          `json:"linesCut,omitempty"`    // lines shown that were cut to Config.Read.MaxLineChars
	Encoding     string       `json:"encoding,omitempty"`    // utf-8, utf-8-bom, utf-16le, utf-16be, or the one that the call asked for; "" of an image and of several files
	LineEndings  string       `json:"lineEndings,omitempty"` // lf, crlf, mixed or cr, in the first 8 KiB; "" if no line ends there
	FinalNewline bool         `json:"finalNewline"`          // the last line of the file ends in a newline; false of an image and of several files
	Image        *ImageInfo   `json:"image,omitempty"`       // set if the file is an image
	Files        []FileResult `json:"files,omitempty"`       // set of a call with Paths, in their order

	// Receipt is set if Text names lines that were shown before and does not repeat them: see
	// config.RepeatReceipt. Page, and what Bounds says, include these lines.
	Receipt *Receipt `json:"receipt,omitempty"`

	shown []shownPage // what is to be remembered if the model gets the result
}

// FileResult is what became of one file of several.
type FileResult struct {
	Path   string      `json:"path"`             // as it was given
	Result *ReadResult `json:"result,omitempty"` // its result, without Text and Images, which the result of the call has; nil if Error or NotShown is set
	Error  *Error      `json:"error,omitempty"`  // set if the file could not be read
	// NotShown says that there was no room for the file, so that it has neither Result nor Error.
	NotShown bool `json:"notShown,omitempty"`
}

func (r ReadResult) result() Result { return Result{Text: r.Text, Images: r.Images, Details: r} }

// MarshalJSON leaves out the number of lines where it is not known.
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

// pages shows files, a page at a time.
type pages struct {
	cfg      *config.Config
	paths    *paths
	tools    *toolset
	redact   *redact.Redactor // or nil
	pictures pictures
	seen     *seen.Store     // what was last shown or written of files
	shown    *seen.Pages     // to each reader, or nil if lines are shown however often they are asked for
	counts   *textfile.Cache // of the lines of large files
}

func (s *pages) read(ctx context.Context, p ReadParams) (_ ReadResult, err error) {
	if p.Encoding, err = encodingNamed(p.Encoding); err != nil {
		return ReadResult{}, err
	}
	if p.Show == showDigest && len(p.Paths) > 0 {
		return ReadResult{}, errorf(CodeInvalidInput, "show=digest takes one file: use path, not paths")
	}
	if len(p.Paths) == 0 && p.Path == "" {
		return ReadResult{}, errorf(CodeInvalidInput, "path is required: the file to read, relative to the workspace or "+
			"absolute; or paths, for several")
	}
	if p.Show == showDigest {
		return s.one(ctx, p, share{Lines: s.cfg.Read.MaxLines, Bytes: s.cfg.Read.MaxBytes}, nil)
	}
	return s.newTo(ctx, p, func(p ReadParams, since *seen.Moment) (ReadResult, error) {
		if len(p.Paths) > 0 {
			return s.several(ctx, p, since)
		}
		return s.one(ctx, p, share{Lines: s.cfg.Read.MaxLines, Bytes: s.cfg.Read.MaxBytes}, since)
	})
}

// share is what a file may take of a result.
type share struct {
	Lines, Bytes int
	ofSeveral    bool // there are other files: notices name this one
}

// one reads one file, in a call that began at a moment if it may give a receipt.
func (s *pages) one(ctx context.Context, p ReadParams, room share, since *seen.Moment) (ReadResult, error) {
	path, err := s.paths.resolve(ctx, p.Path)
	if err != nil {
		return ReadResult{}, err
	}
	if path.Correction != nil {
		p.Path = path.Name
		p.takeLines(path.Correction.Spelling)
	}
	if p.Show == showDigest && (p.Offset != 0 || p.Limit != 0 || p.Column != 0) {
		return ReadResult{}, errorf(CodeInvalidInput, "show=digest is of the whole file: leave out offset, limit and column, "+
			"or leave out show to read that part")
	}
	f, info, err := path.OpenFile()
	if err != nil {
		return ReadResult{}, failure(err, p.Path)
	}
	defer f.Close()
	kind, err := sniff(f, p.Encoding)
	if err != nil {
		return ReadResult{}, failure(err, p.Path)
	}
	if isImage(kind.Type) {
		res, err := s.pictures.read(ctx, f, path.Name, info.Size(), kind)
		if err == nil {
			res.Text = notice.Append(res.Text, readAs(path))
		}
		return res, err
	}
	if kind.Binary {
		return ReadResult{}, s.binary(path.Name, info.Size(), kind)
	}
	r := reader{pages: s, params: p, room: room, path: path, file: f, info: info, kind: kind, since: since}
	if p.Show == showDigest {
		res, err := r.digest(ctx)
		if err != nil {
			return res, failure(err, p.Path)
		}
		return res, nil
	}
	most, isPart := s.cfg.MaxFileBytes, p.Offset != 0 || p.Limit != 0 || p.Column != 0
	if info.Size() > most && !isPart && !s.paths.isSpill(path) {
		return ReadResult{}, errorf(CodeTooLarge, "%s is %s, over the limit of %s for a whole file. Search it with "+
			"grep, read a part of it with offset and limit (offset=-100 is its last 100 lines), or see what stands out in it "+
			"with show=digest",
			show(path.Name), size.File(info.Size()), size.File(most))
	}
	res, err := r.read(ctx)
	if err != nil {
		return res, failure(err, p.Path)
	}
	version := r.record.Version()
	version.Lines = r.whole
	s.seen.Put(path.Abs, version)
	return res, nil
}

var sniffBuffers = sync.Pool{New: func() any { return new([textfile.SniffLen]byte) }}

// sniff looks at the beginning of a file, which may be said to be in an encoding.
func sniff(f io.ReaderAt, encoding string) (textfile.Info, error) {
	head := sniffBuffers.Get().(*[textfile.SniffLen]byte)
	defer sniffBuffers.Put(head)
	n, err := f.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return textfile.Info{}, err
	}
	return textfile.SniffAs(head[:n], encoding), nil
}

// binary returns the error for a file that is no text.
func (s *pages) binary(name string, bytes int64, kind textfile.Info) error {
	if kind.Likely != "" {
		return advice.LikelyUTF16(name, kind.Likely, "read")
	}
	what := kind.What()
	if !s.tools.has("bash") {
		return errorf(CodeIsBinary, "%s is %s of %s, not text, and no tool of this suite shows it. "+
			"Look for a text beside it with ls or find", show(name), what, size.Format(bytes))
	}
	command := notice.FileCommand(viewer(name, kind), name)
	return errorf(CodeIsBinary, "%s is %s, not text. Use bash: %s", show(name), what, command)
}

// viewers are commands that show what is in a binary FILE, by its type.
var viewers = map[string]string{
	"application/zip":         "unzip -l FILE",
	"application/gzip":        "zcat FILE",
	"application/x-bzip2":     "bzcat FILE",
	"application/x-xz":        "xzcat FILE",
	"application/zstd":        "zstdcat FILE",
	"application/x-tar":       "tar tf FILE",
	"application/pdf":         "pdftotext FILE -",
	"application/vnd.sqlite3": "sqlite3 FILE .schema",
}

// viewer returns the command for a file of that name.
func viewer(name string, kind textfile.Info) string {
	name = strings.ToLower(name)
	if kind.Type == "application/gzip" && (strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")) {
		return "tar tzf FILE"
	}
	return cmp.Or(viewers[kind.Type], "xxd FILE | head")
}
