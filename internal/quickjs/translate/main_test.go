package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// The code is what this command makes of the package.
func TestTranslated(t *testing.T) {
	if err := exec.Command("npm", "view", source, "version").Run(); err != nil {
		t.Skip("npm does not reach its registry: ", err)
	}
	want, err := translated()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../quickjs.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("quickjs.go is not what this command writes. Run it: go run . -out ../quickjs.go")
	}
}
