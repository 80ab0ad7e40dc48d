package suitetest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// codes are those that a caller may meet; internal is a bug by definition.
var codes = []tools.Code{tools.CodeInvalidInput, tools.CodeNotFound, tools.CodeNotAFile, tools.CodeNotADirectory, tools.CodeIsBinary, tools.CodeTooLarge, tools.CodePathEscape,
	tools.CodePermissionDenied, tools.CodeTimeout, tools.CodeAborted, tools.CodeOutputLimit, tools.CodeMemoryLimit, tools.CodeDenied, tools.CodeIOError, tools.CodeStale}

// failureOf is what Details must hold of a failed call.
type failureOf struct {
	Error   tools.Code `json:"error"`
	Message string     `json:"message"`
}

// Holds checks what is true of every result: bounded, valid UTF-8, and a failure
// that says the same in its text and in its details. It returns the code, "" of
// a call that succeeded.
func Holds(t testing.TB, res tools.Result, err error, maxBytes int) tools.Code {
	t.Helper()
	require.NoError(t, err)
	require.True(t, utf8.ValidString(res.Text), "not valid UTF-8: %q", res.Text)
	require.LessOrEqual(t, len(res.Text), maxBytes+notice.Allowance, "text: %.300q...", res.Text)
	require.NotEmpty(t, strings.TrimSpace(res.Text), "nothing to see: %q", res.Text)
	data, err := json.Marshal(res.Details)
	require.NoError(t, err)
	var f failureOf
	require.NoError(t, json.Unmarshal(data, &f))
	if !res.IsError {
		require.Empty(t, f.Error, "an error in the details of a call that succeeded")
		return ""
	}
	require.Contains(t, codes, f.Error, res.Text)
	require.NotEmpty(t, f.Message)
	require.True(t, strings.HasPrefix(res.Text, string(f.Error)+": "+f.Message), "text %q, details %s", res.Text, data)
	return f.Error
}

// Encode is v as JSON.
func Encode(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// Normal is a text as read shows it: LF for CRLF, and U+FFFD for each byte that
// is part of no character.
func Normal(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(c)
	}
	return b.String()
}

// LinesOf divides a text as sed does: a final newline starts no line.
func LinesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// NoticeOf is the bracket at the end of a text, without the brackets, and what is
// before it and its blank line.
func NoticeOf(text string) (body, said string) {
	if !strings.HasSuffix(text, "]") {
		return text, ""
	}
	if i := strings.LastIndex(text, "\n\n["); i >= 0 && noticed.MatchString(text[i+3:]) {
		return text[:i+1], text[i+3 : len(text)-1] // the page's last newline stays
	}
	if strings.HasPrefix(text, "[") && noticed.MatchString(text[1:]) && !strings.Contains(text, "\n") {
		return "", text[1 : len(text)-1]
	}
	return text, ""
}

// noticed is how notices begin. Test content never looks like it.
var noticed = regexp.MustCompile(`^(Showing|The file |Use |Decoded |Not all of |Line|Some|Skipped|Ignored by git|Still|Only |\d+ more|\d+ (match|matches|files?|results?|entry|entries|lines?) |\d+ empty line|\d+(\.\d)?[KMG]?B limit|\d+ lines? limit)`)

// Sorted is a copy of list in order.
func Sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// DetailsOf are the details of a result as a host decodes them.
func DetailsOf(t *testing.T, res tools.Result) map[string]any {
	t.Helper()
	data, err := json.Marshal(res.Details)
	require.NoError(t, err)
	var details map[string]any
	require.NoError(t, json.Unmarshal(data, &details))
	return details
}

// RefusedAs checks the code of an error, and that it contains the text.
func RefusedAs(t *testing.T, err error, code tools.Code, text string) {
	t.Helper()
	require.Equal(t, code, tools.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, text)
}

// Tail is the end of a text, for a message.
func Tail(text string) string { return text[max(len(text)-600, 0):] }
