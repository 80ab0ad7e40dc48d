package textfile

import (
	"bytes"
	"context"
)

// maxLast is the size of the end of a file that is searched for its last lines. A smaller file is counted in that time.
const maxLast = 8 << 20

// Last returns the last n lines of a large file as a File, without reading the lines before them. ok is false if that
// is impossible or not worthwhile: count the lines instead.
func (f File) Last(ctx context.Context, n int) (last File, ok bool, err error) {
	if !f.info.utf8() || f.end-f.begin <= maxLast || f.end-f.begin > 1<<62 {
		return f, false, nil
	}
	buf := chunks.Get().(*[]byte)
	defer chunks.Put(buf)
	for at := f.end; f.end-at < maxLast; at -= chunkSize {
		chunk := (*buf)[:chunkSize]
		if _, err := f.r.ReadAt(chunk, at-chunkSize); err != nil {
			return f, false, nil // the file changed: count what is there
		}
		if err := ctx.Err(); err != nil {
			return f, false, err
		}
		if at == f.end && chunk[chunkSize-1] == '\n' {
			chunk = chunk[:chunkSize-1] // ends the last line
		}
		if found := bytes.Count(chunk, lf); found < n {
			n -= found
			continue
		}
		i := len(chunk)
		for ; n > 0; n-- {
			i = bytes.LastIndexByte(chunk[:i], '\n')
		}
		f.begin, f.index = at-chunkSize+int64(i)+1, nil
		return f, true, nil
	}
	return f, false, nil
}
