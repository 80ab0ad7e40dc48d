package workspace

import "golang.org/x/sys/unix"

// OpenFlags keep an open from waiting for the other end of a FIFO. On 32 bits they also
// open files of over 2 GiB, for which os.Root does not ask.
const OpenFlags = unix.O_NONBLOCK | unix.O_LARGEFILE

// holdFlags open a directory that need not be readable.
const holdFlags = unix.O_PATH | unix.O_DIRECTORY
