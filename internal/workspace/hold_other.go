//go:build !linux

package workspace

import "os"

const holdFlags = os.O_RDONLY
