//go:build !linux && !darwin

package replace

import (
	"context"
	"os"
)

// copyAttributes does nothing: files here have no attributes, or none that can be copied.
func copyAttributes(context.Context, *os.Root, string, *os.File) error { return nil }
