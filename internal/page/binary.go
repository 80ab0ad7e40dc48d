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

// sniff looks at the beginning of a file, which may be said to be in an encoding. look sees it, too.
func sniff(f io.ReaderAt, encoding string, look func(head []byte)) (textfile.Info, error) {
	head := sniffBuffers.Get().(*[textfile.SniffLen]byte)
	defer sniffBuffers.Put(head)
	n, err := f.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return textfile.Info{}, err
	}
	look(head[:n])
	return textfile.SniffAs(head[:n], encoding), nil
}

// binary returns the error for a file that is no text.
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
