package workspace

import "golang.org/x/sys/unix"

// OpenFlags keep an open from waiting for the other end of a FIFO. On 32-bit systems they also
// allow files of over 2 GiB, which os.Root does not.
const OpenFlags = unix.O_NONBLOCK | unix.O_LARGEFILE

// holdFlags open a directory even if it is not readable.
const holdFlags = unix.O_PATH | unix.O_DIRECTORY
