package testkit

import (
	"os"
	"testing"
)

// Must returns what f gives for an argument. An error ends the test.
func Must[A, R any](t testing.TB, f func(A) (R, error), argument A) R {
	t.Helper()
	result, err := f(argument)
	NoError(t, err)
	return result
}

// ReadFile returns the content of a file.
func ReadFile(t testing.TB, path string) string {
	t.Helper()
	return string(Must(t, os.ReadFile, path))
}

// NoError ends the test if there is an error, in a module that does not have testify.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
