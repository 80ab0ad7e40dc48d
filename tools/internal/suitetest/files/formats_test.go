package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// byEnding is a format of the files whose names end so.
type byEnding struct {
	ending string
	render func(ctx context.Context, w tools.FormatWriter, data []byte) error
}

func (f byEnding) Describe() string { return "a file *" + f.ending + " as something else" }

func (f byEnding) Is(name string, _ []byte) bool { return strings.HasSuffix(name, f.ending) }

func (f byEnding) Render(ctx context.Context, w tools.FormatWriter, data []byte) error {
	return f.render(ctx, w, data)
}

// formatted returns a suite that shows files of such an ending so.
func formatted(t *testing.T, cfg config.Config, files map[string]string, formats ...tools.Format) *tools.Suite {
	cfg.Workspace = t.TempDir()
	for name, content := range files {
		testkit.WriteFile(t, cfg.Workspace+"/"+name, content)
	}
	parts := []tools.Part{tools.Formats(formats...)}
	if cfg.Redact != "" {
		parts = append(parts, all.Parts()...)
	}
	s, err := tools.New(cfg, parts...)
	need.Built(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func says(text string) func(context.Context, tools.FormatWriter, []byte) error {
	return func(_ context.Context, w tools.FormatWriter, _ []byte) error {
		_, err := w.Write([]byte(text))
		return err
	}
}

// Files in a format of the program's own are shown as it says, with the limits and notices of read.
func TestFormats(t *testing.T) {
	t.Parallel()
	broken := func(_ context.Context, w tools.FormatWriter, _ []byte) error {
		w.Write([]byte("half"))
		return errors.New("row 7\nends early")
	}
	many := func(_ context.Context, w tools.FormatWriter, _ []byte) (err error) {
		for i := 0; err == nil && i < 1_000_000; i++ {
			_, err = fmt.Fprintln(w, "a line of a file that is much longer than it looks")
		}
		return err
	}
	files := map[string]string{
		"a.x": "a\x00b", "a.txt": "text\n", "broken.y": "source\n", "broken.bin": "a\x00b", "empty.x": "", "large.x": strings.Repeat("\x00", 3000),
		"many.y": "source\n", "many.bin": "a\x00b", "nothing.x": "\x00", "panic.bin": "a\x00b", "invalid.bin": "a\x00b", "long.bin": "a\x00b",
	}
	s := formatted(t, config.Config{MaxFileBytes: 2048, Tools: []string{"read", "edit"}}, files,
		byEnding{"nothing.x", says("")},
		byEnding{".x", says("one\ntwo\n")},
		byEnding{"broken.y", broken}, byEnding{"broken.bin", broken},
		byEnding{"many.y", many}, byEnding{"many.bin", many},
		byEnding{"panic.bin", func(context.Context, tools.FormatWriter, []byte) error { panic("no") }},
		byEnding{"invalid.bin", says("caf\xe9\n")},
		byEnding{"long.bin", says(strings.Repeat("x", 1500) + "\n")},
	)
	for _, tt := range []struct {
		name string
		p    tools.ReadParams
		want string
	}{
		{"a page", tools.ReadParams{Path: "a.x"}, "one\ntwo\n"},
		{"with a limit", tools.ReadParams{Path: "a.x", Limit: 1}, "one\n\n[1 more line in file. " + suitetest.Next(2) + "]"},
		{"from the end", tools.ReadParams{Path: "a.x", Offset: -1}, "two\n"},
		{"beyond the end", tools.ReadParams{Path: "a.x", Offset: 3}, "invalid_input: Offset 3 is beyond end of file (2 lines total)"},
		{"a digest", tools.ReadParams{Path: "a.x", Show: "digest"}, "one\ntwo\n"},
		{"the file itself", tools.ReadParams{Path: "a.x", Raw: true}, "is_binary: a.x is a binary file of 3B, not text, and no tool of this suite shows it. Look for a text version with ls or find"},
		{"in an encoding", tools.ReadParams{Path: "broken.y", Encoding: "windows-1252"}, "source\n"},
		{"another file", tools.ReadParams{Path: "a.txt"}, "text\n"},
		{"several", tools.ReadParams{Paths: []string{"a.x", "a.txt"}}, "==> a.x <==\none\ntwo\n\n==> a.txt <==\ntext\n"},
		{"nothing in it", tools.ReadParams{Path: "nothing.x"}, "(empty file)"},
		{"an empty file", tools.ReadParams{Path: "empty.x"}, "(empty file)"},
		{"over the limit", tools.ReadParams{Path: "large.x"}, "is_binary: large.x is a binary file of 2.9KB, not text"},
		{"text that cannot be shown", tools.ReadParams{Path: "broken.y"}, "source\n\n[Shown as plain text, because row 7 ends early]"},
		{"a file that cannot be shown", tools.ReadParams{Path: "broken.bin"}, "is_binary: broken.bin cannot be shown: row 7 ends early"},
		{"text of too much", tools.ReadParams{Path: "many.y"}, "source\n\n[Shown as plain text, because as text it is over the limit of 2KB for a whole file]"},
		{"a file of too much", tools.ReadParams{Path: "many.bin"}, "too_large: many.bin cannot be shown: as text it is over the limit of 2KB for a whole file"},
		{"a panic", tools.ReadParams{Path: "panic.bin"}, "internal: "},
		{"not UTF-8", tools.ReadParams{Path: "invalid.bin"}, "caf\ufffd\n\n[Not all of this is valid utf-8: \ufffd marks invalid bytes]"},
		{"a piece of a line", tools.ReadParams{Path: "long.bin", Column: 1499}, "xx\n"},
	} {
		res := call(t, s, "read", tt.p)
		require.Contains(t, res.Text, tt.want, tt.name)
		require.Equal(t, strings.Contains(tt.want, ": ") && !strings.Contains(tt.want, "["), res.IsError, tt.name)
		if !res.IsError && tt.p.Show == "" && !strings.Contains(tt.want, "[") {
			require.Equal(t, tt.want, res.Text, tt.name)
		}
	}
	for _, tool := range s.Tools() {
		if tool.Name() == "read" {
			require.Contains(t, tool.Description(), "files as images, a file *nothing.x as something else, ")
			require.Contains(t, tool.Description(), ", and a file *long.bin as something else.")
		}
	}
	require.Contains(t, call(t, s, "edit", tools.EditParams{Path: "broken.y", OldString: "source", NewString: "x"}).Text, "Edited broken.y")
}

// What a format shows is masked, its images are shown with the pages of their lines, and its notice below the last.
func TestFormatsShown(t *testing.T) {
	t.Parallel()
	dot := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 2, 2))) })
	s := formatted(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"a.doc": "a\x00b"},
		byEnding{".doc", func(_ context.Context, w tools.FormatWriter, _ []byte) error {
			fmt.Fprintf(w, "token %s\nfigure 1", suitetest.TokenValue)
			w.Image("image/png", []byte(dot))
			fmt.Fprint(w, "\nfigure 2\n")
			w.Image("image/png", []byte("none"))
			w.Notice("Pages 3 to 9 are left out")
			return nil
		}})
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.doc", Limit: 2})
	require.NoError(t, err)
	require.Contains(t, res.Text, "token [redacted: GitHub token]")
	require.NotContains(t, res.Text, "left out")
	require.Len(t, res.Images, 1)
	require.Equal(t, 1, res.Redacted)
	require.Equal(t, "utf-8", res.Encoding)
	res, err = s.Read(t.Context(), tools.ReadParams{Path: "a.doc", Offset: 3})
	require.NoError(t, err)
	require.Equal(t, "figure 2\n\n[1 image cannot be decoded. Pages 3 to 9 are left out]", res.Text)
	require.Empty(t, res.Images)
	res, err = s.Read(t.Context(), tools.ReadParams{Path: "a.doc", Show: "digest"})
	require.NoError(t, err)
	require.NotContains(t, res.Text, suitetest.TokenValue)
}
