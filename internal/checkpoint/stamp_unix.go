//go:build unix

package checkpoint

import (
	"io/fs"
	"os"
	"syscall"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.dev, s.ino, s.ctime = uint64(st.Dev), uint64(st.Ino), ctime(st)
		s.several = st.Nlink > 1 && info.Mode().IsRegular()
		s.mode &^= rightsOfOthers(info.Mode(), st)
	}
	return s
}

// rightsOfOthers returns the bits by which a file runs with the rights of another user or group than this process. They
// are not put back: a file that is made anew belongs to this user, and would run with that one's rights.
func rightsOfOthers(mode fs.FileMode, st *syscall.Stat_t) (bits fs.FileMode) {
	if !mode.IsRegular() {
		return 0
	}
	if mode&fs.ModeSetuid != 0 && int(st.Uid) != os.Geteuid() {
		bits |= fs.ModeSetuid
	}
	if mode&fs.ModeSetgid != 0 && int(st.Gid) != os.Getegid() {
		bits |= fs.ModeSetgid
	}
	return bits
}
