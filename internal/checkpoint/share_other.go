//go:build !linux

package checkpoint

import "os"

func share(to, from *os.File) bool { return false }
