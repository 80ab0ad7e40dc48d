//go:build !linux

package edit_test

var systemMeta []metaCase
