//go:build !unix

package checkpoint

import "io/fs"

func stampOf(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
}
