//go:build unix

package checkpoint

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.dev, s.ino, s.ctime = uint64(st.Dev), uint64(st.Ino), ctime(st)
		s.several = st.Nlink > 1 && info.Mode().IsRegular()
	}
	return s
}
