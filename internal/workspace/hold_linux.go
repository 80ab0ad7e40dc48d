package workspace

import "golang.org/x/sys/unix"

// holdFlags open a directory that need not be readable.
const holdFlags = unix.O_PATH | unix.O_DIRECTORY
