//go:build !unix

package workspace

import "os"

const (
	openFlags = 0
	holdFlags = os.O_RDONLY
	onlyDir   = ""
)
