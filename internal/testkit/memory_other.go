//go:build !linux

package testkit

import (
	"os"
	"testing"
)

// InMemory does nothing: where other systems have a directory in memory is not known.
func InMemory() {}

// MemoryDir is the test's TempDir.
func MemoryDir(t testing.TB) string { return t.TempDir() }

// OwnNamespace does nothing: nothing is mounted.
func OwnNamespace() { os.Setenv(namespaceVariable, "1") }
