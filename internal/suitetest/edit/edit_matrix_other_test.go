//go:build !linux

package tools_test

var systemMeta []metaCase
