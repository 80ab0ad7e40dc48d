package calls_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// A list of as many items as there may be is not too long.
func TestLongestLists(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": strings.Repeat("x\n", 100)})
	for n, code := range map[int]tools.Code{64: "", 65: tools.CodeInvalidInput} {
		_, err := s.Read(t.Context(), tools.ReadParams{Paths: slices.Repeat([]string{"a"}, n)})
		require.Equal(t, code, tools.CodeOf(err), n)
	}
	for n, code := range map[int]tools.Code{100: tools.CodeNotFound, 101: tools.CodeInvalidInput} {
		_, err := s.Edit(t.Context(), tools.EditParams{Path: "a", Edits: slices.Repeat([]tools.Replacement{{OldString: "none"}}, n)})
		require.Equal(t, code, tools.CodeOf(err), n)
	}
}

// The arguments of a call may have 16,000,000 bytes, and not one more.
func TestLargestArguments(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	for most, code := range map[int]tools.Code{16_000_000: "", 16_000_001: tools.CodeTooLarge} {
		args := `{"path": ".", "reason": "` + strings.Repeat("x", most-len(`{"path": ".", "reason": ""}`)) + `"}`
		res, err := s.Call(t.Context(), "ls", json.RawMessage(args))
		require.NoError(t, err)
		require.Equal(t, code, res.Code)
	}
}

// A file that is gone since it was shown is not edited, whatever the edit is, and the next call knows.
func TestEditOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "one\n"})
	for _, old := range []string{"one", ""} {
		call(t, s, "write", tools.WriteParams{Path: "a", Content: "one\n"})
		require.NoError(t, os.Remove(filepath.Join(s.Workspace(), "a")))
		res := call(t, s, "edit", tools.EditParams{Path: "a", OldString: old, NewString: "two"})
		require.Equal(t, "stale: a has changed since it was last shown or written here, and was left alone. It no longer exists. Make the call again to create it", res.Text)
	}
	res := call(t, s, "edit", tools.EditParams{Path: "a", NewString: "two"})
	require.False(t, res.IsError, res.Text)
}

// What new_string has and the file cannot hold is said for either kind of encoding.
func TestEditInAnotherEncoding(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"latin": "caf\xe9s d\xe9 one\x81\n", "utf16": "\xff\xfeo\x00n\x00e\x00"})
	for name, want := range map[string]string{
		"latin": "invalid_input: latin is not UTF-8, and new_string holds characters that are not ASCII: their bytes in its encoding are unknown. It looks like windows-1252: use edit with encoding=windows-1252",
		"utf16": "invalid_input: new_string cannot be written to utf16: ",
	} {
		text := "\u00e9"
		if name == "utf16" {
			text = "\xff"
		}
		_, err := s.Edit(t.Context(), tools.EditParams{Path: name, OldString: "one", NewString: text})
		require.ErrorContains(t, err, want)
	}
}

// A command is suggested only where there is bash.
func TestEditOfTooManyPlaces(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Tools: []string{"edit"}}, map[string]string{"f": strings.Repeat("a\n", 200_001)})
	_, err := s.Edit(t.Context(), tools.EditParams{Path: "f", OldString: "a", NewString: "b", ReplaceAll: true})
	require.EqualError(t, err, "too_large: old_string is in f 200001 times: over the limit of 200000 places for a call. Give a longer old_string")
}

// Only a suite that was closed says so of an error for what is closed.
func TestClosedFileOfAnOpenSuite(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	require.NoError(t, s.Add(failing{says("")}))
	res, err := s.Call(t.Context(), "fetch", nil)
	require.NoError(t, err)
	require.Equal(t, "io_error: fetch failed: file already closed", res.Text)
}

type failing struct{ tools.Tool }

func (failing) Call(context.Context, json.RawMessage) (tools.Result, error) {
	return tools.Result{}, fs.ErrClosed
}

// A short text of an added tool has the details of a bounded one as well.
func TestDetailsOfAShortText(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	require.NoError(t, s.Add(says("short")))
	res, err := s.Call(t.Context(), "fetch", nil)
	require.NoError(t, err)
	details := res.Details.(tools.TruncatedDetails)
	require.Equal(t, 5, details.OriginalLength)
	require.Equal(t, map[string]int{"status": 200}, details.Details)
}

// MaxFileBytes is the most that a file, or what is written, may have.
func TestLargestFiles(t *testing.T) {
	t.Parallel()
	pixel, err := base64.StdEncoding.DecodeString(suitetest.WebP)
	require.NoError(t, err)
	picture := string(pixel) + strings.Repeat("\x00", 2048-len(pixel))
	s := newSuite(t, config.Config{MaxFileBytes: 2048}, map[string]string{
		"full": strings.Repeat("x\n", 1024), "over": strings.Repeat("x\n", 1024) + "x", "full.webp": picture, "over.webp": picture + "\x00",
	})
	for name, code := range map[string]tools.Code{"full": "", "over": tools.CodeTooLarge, "full.webp": "", "over.webp": tools.CodeTooLarge} {
		require.Equal(t, code, call(t, s, "read", tools.ReadParams{Path: name}).Code, name)
	}
	for name, code := range map[string]tools.Code{"full": "", "over": tools.CodeTooLarge} {
		require.Equal(t, code, call(t, s, "write", tools.WriteParams{Path: name, Content: strings.Repeat("y", 2048)}).Code, name)
	}
	require.Equal(t, tools.CodeTooLarge, call(t, s, "write", tools.WriteParams{Path: "new", Content: strings.Repeat("y", 2049)}).Code)
}
