package page

import (
	"cmp"
	"io"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

var sniffBuffers = sync.Pool{New: func() any { return new([textfile.SniffLen]byte) }}

// sniff returns what a file is by its beginning, and the format to show it in; nil to show it as it is.
func (v *Viewer) sniff(f io.ReaderAt, q Request, name string, bytes int64) (textfile.Info, Format, error) {
	buffer := sniffBuffers.Get().(*[textfile.SniffLen]byte)
	defer sniffBuffers.Put(buffer)
	n, err := f.ReadAt(buffer[:], 0)
	if err != nil && err != io.EOF {
		return textfile.Info{}, nil, err
	}
	head := buffer[:n]
	kind := textfile.SniffAs(head, q.Encoding)
	if q.Raw || q.Encoding != "" && q.Encoding != textfile.UTF8 || bytes == 0 || bytes > v.MaxFileBytes {
		return kind, nil, nil
	}
	for _, form := range v.Formats {
		if form.Is(name, head) {
			return kind, form, nil
		}
	}
	return kind, nil, nil
}

func (v *Viewer) binary(name string, bytes int64, kind textfile.Info) error {
	if kind.Likely != "" {
		return advice.LikelyUTF16(name, kind.Likely, "read")
	}
	what := kind.What()
	if !v.HasBash() {
		return fault.Errorf(fault.IsBinary, "%s is %s of %s, not text, and no tool of this suite shows it. "+
			"Look for a text version with ls or find", quote.Value(name), what, size.Format(bytes))
	}
	command := notice.FileCommand(viewer(name, kind), name)
	return fault.Errorf(fault.IsBinary, "%s is %s, not text. Use bash: %s", quote.Value(name), what, command)
}

// viewers are commands that show the content of a binary FILE, by its type.
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
