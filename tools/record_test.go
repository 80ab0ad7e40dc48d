package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/tools"
)

// recorded reads a record: its lines, and the errors among them.
func recorded(t *testing.T, path string) (calls []tools.RecordedCall, errs []string) {
	t.Helper()
	for call, err := range tools.ReadRecord(path) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		calls = append(calls, call)
	}
	return calls, errs
}

// recordOf makes a file.
func recordOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestReadRecord(t *testing.T) {
	session := `{"kind":"session","version":1,"session":"a","time":"2026-11-25T20:00:00Z","workspace":"/w","new":[1]}` + "\n"
	call := `{"kind":"call","session":"a","id":"1","ms":1.5,"tool":"ls","args":{"path":"x"},"text":"a\nb"}` + "\n"

	calls, errs := recorded(t, recordOf(t, session+"\n"+call+`{"kind":"call","id":"to`))
	require.Empty(t, errs)
	require.Len(t, calls, 2)
	require.Equal(t, "/w", calls[0].Workspace)
	require.Equal(t, "a\nb", calls[1].Text)
	require.JSONEq(t, `{"path":"x"}`, string(calls[1].Args))

	calls, errs = recorded(t, recordOf(t, session+`{"kind":"call","id":"torn`+"\n"+call))
	require.Len(t, calls, 2, "what follows a torn line is read")
	require.Len(t, errs, 1)
	require.Contains(t, errs[0], "line 2 of the record")

	calls, errs = recorded(t, recordOf(t, `{"kind":"session","version":2}`+"\n"+call))
	require.Empty(t, calls)
	require.Len(t, errs, 1)
	require.Contains(t, errs[0], "version 2, but this program reads version 1 at most")

	long := `{"kind":"call","text":"` + strings.Repeat("x", 16<<20) + `"}` + "\n"
	calls, errs = recorded(t, recordOf(t, session+long+call))
	require.Len(t, calls, 2)
	require.Len(t, errs, 1)
	require.Contains(t, errs[0], "line 2 of the record")
	require.Contains(t, errs[0], "more than 16777216 bytes")

	_, errs = recorded(t, filepath.Join(t.TempDir(), "none"))
	require.Len(t, errs, 1)
	_, errs = recorded(t, t.TempDir())
	require.Len(t, errs, 1, "a directory")
}
