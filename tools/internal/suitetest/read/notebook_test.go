package read_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// Images of a notebook come with the pages that their lines are on, eight at most.
func TestNotebookImages(t *testing.T) {
	t.Parallel()
	dot := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 2, 2))) })
	out := fmt.Sprintf(`{"data": {"image/png": %q}}`, base64.StdEncoding.EncodeToString([]byte(dot)))
	data := `{"cells": [{"cell_type": "code", "source": "plot()", "outputs": [` + strings.Repeat(out+",", 9) + out + `]}]}`
	s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": data, "b.txt": "text"})
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb"})
	require.NoError(t, err)
	require.Len(t, res.Images, 8)
	require.Equal(t, dot, string(res.Images[0].Data))
	require.Contains(t, res.Text, "\n\n[2 images left out for lack of room. Use offset=20 to see the first]")
	res, err = s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb", Offset: 20})
	require.NoError(t, err)
	require.Len(t, res.Images, 2)
	require.NotContains(t, res.Text, "[")
	res, err = s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb", Limit: 4})
	require.NoError(t, err)
	require.Len(t, res.Images, 1)
	require.Contains(t, res.Text, "\n\n[18 more lines in file. Use offset=5 to continue]")
	res, err = s.Read(t.Context(), tools.ReadParams{Paths: []string{"b.txt", "a.ipynb"}})
	require.NoError(t, err)
	require.Len(t, res.Images, 8)
	require.Contains(t, res.Text, "Use path=a.ipynb offset=20 to see the first")
}

// A large image of a notebook is scaled down.
func TestNotebookLargeImage(t *testing.T) {
	t.Parallel()
	wide := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 3000, 2))) })
	out := fmt.Sprintf(`{"data": {"image/png": %q}}`, base64.StdEncoding.EncodeToString([]byte(wide)))
	s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": `{"cells": [{"cell_type": "code", "source": "plot()", "outputs": [` + out + `]}]}`})
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb"})
	require.NoError(t, err)
	require.Len(t, res.Images, 1)
	shown, err := png.DecodeConfig(bytes.NewReader(res.Images[0].Data))
	require.NoError(t, err)
	require.Equal(t, 2000, shown.Width)
}

// Pages of a notebook, put together, are its cells.
func TestNotebookPages(t *testing.T) {
	t.Parallel()
	var cells []string
	for i := range 200 {
		cells = append(cells, fmt.Sprintf(`{"cell_type": "code", "source": "print(%d)", "outputs": [{"name": "stdout", "text": "%d\n"}]}`, i, i))
	}
	data := `{"cells": [` + strings.Join(cells, ",") + `]}`
	whole := newSuite(t, config.Config{ReadOnly: true}, map[string]string{"f.ipynb": data})
	want, err := whole.Read(t.Context(), tools.ReadParams{Path: "f.ipynb"})
	require.NoError(t, err)
	require.Zero(t, want.NextOffset)
	s := newSuite(t, config.Config{ReadOnly: true, MaxBytes: 1024}, map[string]string{"f.ipynb": data})
	require.Equal(t, want.Page, readPages(t, s, tools.ReadParams{Path: "f.ipynb"}, nil))
	last := call(t, s, "read", tools.ReadParams{Path: "f.ipynb", Offset: -1})
	require.Equal(t, "199\n", last.Text)
}
