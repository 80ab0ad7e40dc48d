//go:build !linux

package files_test

var systemMeta []metaCase
