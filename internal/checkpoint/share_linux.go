package checkpoint

import (
	"os"

	"golang.org/x/sys/unix"
)

// share has an empty file hold what another one holds, and reports whether the file system can do so.
func share(to, from *os.File) bool {
	return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) == nil
}
