package main

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), t.TempDir(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"Name": "execute_tool bash"`, `"spillway.lines_produced"`, `"Value": 100000`, `"Name": "execute_tool read"`, `"Description": "not_found"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}
