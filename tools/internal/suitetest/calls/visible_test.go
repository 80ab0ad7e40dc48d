package calls_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// unseen are texts without a visible character, and what models get behind them. Providers refuse a block of text
// like that, and with it each further request of the conversation: earendil-works/pi#8720.
var unseen = []struct{ text, want string }{
	{"", "(empty result)"},
	{"\n", "[1 empty line]"},
	{"\n\n\n", "[3 empty lines]"},
	{"\r\n\r\n", "[2 empty lines]"},
	{"  \n", "[Only white space: 3 bytes]"},
	{"\t", "[Only white space: 1 byte]"},
	{"\v\f\u0085", "[Only white space: 4 bytes]"},
	{"\u00a0", "[Only white space: 2 bytes]"},
	{"\u1680\u2003\u2028\u2029\u202f\u205f\u3000\n", "[Only white space: 22 bytes]"},
	{"\ufeff", "[Only invisible characters: 3 bytes]"},
	{"\u200b\u200c\u200d\u2060\n", "[Only invisible characters: 13 bytes]"},
	{"\x01\x1b\x7f", "[Only invisible characters: 3 bytes]"},
	{"\u202e \u2069", "[Only invisible characters: 7 bytes]"},
	{"\ufe0f\u034f\u3164\U000e0041", "[Only invisible characters: 12 bytes]"},
	{"\u2800", "[Only invisible characters: 3 bytes]"},
}

// shows is a text with what is said behind it.
func shows(text, said string) string {
	switch {
	case text == "":
		return said
	case strings.HasSuffix(text, "\n"):
		return text + "\n" + said
	}
	return text + "\n\n" + said
}

// seen are texts that stay as they are.
var seen = []string{".", "\n.", " \u00a0x", "\u200bа\n", "\u0301", "\u2400", "\ufffd", "\ue000", "👍🏽", "\u0600"}

// No text without a visible character comes from an added tool, a wrapped one or the host, or in an error.
func TestTextsAreVisible(t *testing.T) {
	t.Parallel()
	text, fails, filtered := "", false, false
	s := newSuite(t, config.Config{
		Filter: func(_ context.Context, e config.Event) (string, error) {
			if filtered {
				return text, nil
			}
			return e.Text, nil
		},
	}, map[string]string{"a": "a\n"})
	tool := fake{"theirs", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: text, IsError: fails}, nil }}
	require.NoError(t, s.Add(tool))
	inside := inSuite(t, s, fake{"wrapped", tool.call}, truncation.Policy{})
	require.NoError(t, s.Add(tools.Func("function", "d", func(context.Context, struct{}) (string, error) { return text, nil })))
	view, err := s.With(tools.View{ReadOnly: false})
	require.NoError(t, err)
	check := func(want string) {
		for _, s := range []*tools.Suite{s, view} {
			for _, name := range []string{"theirs", "wrapped", "function"} {
				require.Equal(t, want, call(t, s, name, nil).Text, "%s of %q", name, text)
			}
		}
		for _, tool := range []tools.Tool{tools.Truncate(tool, truncation.Policy{}), inside} {
			res, err := tool.Call(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, want, res.Text)
		}
	}
	for _, tt := range unseen {
		text = tt.text
		tt.want = shows(tt.text, tt.want)
		check(tt.want)
		fails = true
		res := call(t, s, "theirs", nil)
		require.Equal(t, tt.want, res.Text)
		require.True(t, res.IsError)
		fails, filtered = false, true
		require.Equal(t, tt.want, call(t, s, "read", map[string]any{"path": "a"}).Text)
		require.Equal(t, tt.want, call(t, s, "read", map[string]any{"path": "none"}).Text)
		r, err := s.Read(t.Context(), tools.ReadParams{Path: "a"})
		require.NoError(t, err)
		require.Equal(t, tt.want, r.Text)
		require.Equal(t, "a\n", r.Page)
		_, err = s.Read(t.Context(), tools.ReadParams{Path: "none"})
		require.EqualError(t, err, "not_found: "+tt.want)
		filtered = false
	}
	for _, text = range seen {
		check(text)
	}
}

// What the observer gets is what the model does, and what a program gets of a file or an output stays what it is.
func TestVisibleTextsOfTheSuite(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var last config.Event
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) { last = e }},
		map[string]string{"lines": "\n\n\n", "blank": "  \n\t\n", "nbsp": "\u00a0\n", "zero": "\u200b\n", "dir/ ": "", "spaces/  /a": ""})
	for name, said := range map[string]string{
		"lines": "[3 empty lines]", "blank": "[Only white space: 5 bytes]", "nbsp": "[Only white space: 3 bytes]",
		"zero": "[Only invisible characters: 4 bytes]",
	} {
		want := call(t, s, "read", map[string]any{"path": name}).Text
		require.Equal(t, "\n\n"+said, want[len(want)-len(said)-2:])
		require.Equal(t, want, last.Text)
	}
	r, err := s.Read(t.Context(), tools.ReadParams{Path: "lines"})
	require.NoError(t, err)
	require.Equal(t, "\n\n\n\n[3 empty lines]", r.Text)
	require.Equal(t, "\n\n\n", r.Page)
	require.Equal(t, 3, r.TotalLines)
	b, err := s.Bash(t.Context(), tools.BashParams{Command: `printf '\r\n'`})
	require.NoError(t, err)
	require.Equal(t, "\n\n[1 empty line]", b.Text)
	require.Equal(t, "\n", b.Output)
	require.Equal(t, `" "`, call(t, s, "ls", map[string]any{"path": "dir"}).Text)
	require.Equal(t, `"  "/`, call(t, s, "ls", map[string]any{"path": "spaces"}).Text)
	require.Equal(t, "a", call(t, s, "ls", map[string]any{"path": `spaces/"  "`}).Text, "the name that it gave")
}

// A result with images alone says how many they are.
func TestVisibleTextsOfImages(t *testing.T) {
	t.Parallel()
	s, images := newSuite(t, config.Config{}, nil), 1
	require.NoError(t, s.Add(fake{"draw", func(json.RawMessage) (res tools.Result, err error) {
		for range images {
			res.Images = append(res.Images, tools.Image{MIMEType: "image/png", Data: []byte("x")})
		}
		return res, nil
	}}))
	res := call(t, s, "draw", nil)
	require.Equal(t, "(1 image)", res.Text)
	require.Len(t, res.Images, 1)
	images = 2
	require.Equal(t, "(2 images)", call(t, s, "draw", nil).Text)
}

// A program reads what a view that is Apart returns, so it gets every text as it is.
func TestTextsForProgramsStay(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"lines": "\n\n\n"})
	text := ""
	require.NoError(t, s.Add(fake{"theirs", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: text}, nil }}))
	view, err := s.With(tools.View{Apart: true})
	require.NoError(t, err)
	for _, tt := range unseen {
		text = tt.text
		require.Equal(t, text, call(t, view, "theirs", nil).Text)
	}
	require.Equal(t, "\n\n\n", call(t, view, "read", map[string]any{"path": "lines"}).Text)
}

// An error of an added tool has its code, and with it something to see.
func TestErrorsAreVisible(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	require.NoError(t, s.Add(fake{"fails", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: "\n"}, errors.New(" ") }}))
	require.Contains(t, call(t, s, "fails", nil).Text, "io_error: fails failed")
}
