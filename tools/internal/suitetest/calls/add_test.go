package calls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// described is a tool that says of itself what it is told to.
type described struct{ name, description, schema string }

func (d described) Name() string            { return d.name }
func (d described) Description() string     { return d.description }
func (d described) Schema() json.RawMessage { return json.RawMessage(d.schema) }
func (d described) Call(context.Context, json.RawMessage) (tools.Result, error) {
	return tools.Result{Text: "done"}, nil
}

const anySchema = `{"type":"object"}`

// schemaOfBytes returns a schema of exactly n bytes.
func schemaOfBytes(n int) string {
	const before, after = `{"type":"object","title":"`, `"}`
	return before + strings.Repeat("x", n-len(before)-len(after)) + after
}

func TestAddBoundsDescriptions(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Tools: []string{config.NoTools}}, nil)
	for name, tool := range map[string]described{
		"name":        {strings.Repeat("n", 128), "", anySchema},
		"description": {"described", strings.Repeat("d", 32<<10), anySchema},
		"schema":      {"schema", "", schemaOfBytes(128 << 10)},
	} {
		require.NoError(t, s.Add(tool), name)
	}
	properties := &strings.Builder{}
	for i := range 100_000 {
		fmt.Fprintf(properties, `"p%d":{},`, i)
	}
	for want, tool := range map[string]described{
		"the name of the tool nnnnn":                                                   {strings.Repeat("n", 1<<20), "", anySchema},
		"has 129 bytes, over the limit of 128":                                         {strings.Repeat("n", 129), "", anySchema},
		`the name of the tool "a\nb" has characters that cannot be printed`:            {"a\nb", "", anySchema},
		`the name of the tool "\377" has`:                                              {"\xff", "", anySchema},
		"the description of the tool talks has 3145728 bytes, over the limit of 32768": {"talks", strings.Repeat("d", 3<<20), anySchema},
		"the description of the tool talk has 32769 bytes":                             {"talk", strings.Repeat("d", 32<<10+1), anySchema},
		"the schema of the tool deep has 131073 bytes, over the limit of 131072":       {"deep", "", schemaOfBytes(128<<10 + 1)},
		"the schema of the tool wide has 1188913 bytes, over the limit of 131072":      {"wide", "", `{"properties":{` + properties.String() + `"p":{}}}`},
	} {
		err := s.Add(tool)
		require.ErrorContains(t, err, want)
		require.Less(t, len(err.Error()), 400, want)
	}
	require.Len(t, s.Tools(), 3)
}

func TestAddBoundsTheNumberOfTools(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Tools: []string{config.NoTools}}, nil)
	var many []tools.Tool
	for i := range 1000 {
		many = append(many, described{fmt.Sprintf("tool%d", i), "", anySchema})
	}
	require.NoError(t, s.Add(many...))
	require.EqualError(t, s.Add(described{"one-more", "", anySchema}), "tools: the tool one-more is one too many: a suite has at most 1000")
}

// pictured is a tool that returns images.
func pictured(images ...tools.Image) fake {
	return fake{"look", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: "seen", Images: images}, nil }}
}

func pictureOf(n int) tools.Image {
	return tools.Image{MIMEType: "image/png", Data: bytes.Repeat([]byte("x"), n)}
}

func manyImages(n int) (list []tools.Image) {
	for range n {
		list = append(list, pictureOf(1))
	}
	return list
}

// The images of a tool that was added are bounded, and those that are left out are named.
func TestAddBoundsImages(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		images []tools.Image
		shown  int
		notice string
	}{
		"none":            {nil, 0, ""},
		"as many as may":  {manyImages(64), 64, ""},
		"one more":        {manyImages(65), 64, "1 image left out (1B): a result holds at most 64 images, together 1KB"},
		"as large as may": {[]tools.Image{pictureOf(1000), pictureOf(24)}, 2, ""},
		"too large":       {[]tools.Image{pictureOf(1000), pictureOf(25), pictureOf(3047), pictureOf(24)}, 2, "2 images left out (3KB): a result holds at most 64 images, together 1KB"},
		"types": {[]tools.Image{{MIMEType: "image/svg+xml"}, {MIMEType: "image/png\nX: y"}, {MIMEType: "text/html"}, {MIMEType: strings.Repeat("x", 1<<20)}, {}}, 1,
			`4 images left out for a MIME type that is not an image's: "image/png\nX: y"`},
	}
	for name, test := range tests {
		tool := pictured(test.images...)
		s := newSuite(t, config.Config{Read: config.Read{MaxImageBytes: 1024}}, nil)
		require.NoError(t, s.Add(tool))
		res, err := s.Call(t.Context(), "look", nil)
		require.NoError(t, err)
		require.Len(t, res.Images, test.shown, name)
		want := "seen"
		if test.notice != "" {
			want += "\n\n[" + test.notice + "]"
		}
		require.Equal(t, want, res.Text, name)
		require.Equal(t, test.notice != "", res.Shown().More, name)
		require.Len(t, tool.images(t), len(test.images), "the tool's own list is left alone")
	}
}

func (f fake) images(t *testing.T) []tools.Image {
	res, err := f.call(nil)
	require.NoError(t, err)
	return res.Images
}

// The notice about images does not add to a text that is as long as it may be.
func TestAddBoundsImagesAndText(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{MaxBytes: 1024}, nil)
	require.NoError(t, s.Add(far{fake{"look", func(json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: strings.Repeat("line\n", 2048/5), Images: manyImages(65)}, nil
	}}}))
	res, err := s.Call(t.Context(), "look", nil)
	require.NoError(t, err)
	require.Contains(t, res.Text, "1 image left out")
	require.NotEmpty(t, res.Details.(tools.TruncatedDetails).FullOutputPath)
	require.LessOrEqual(t, len(res.Text), 2048)
}

// far is a tool whose text has the notices of another suite.
type far struct{ fake }

func (far) HasNotices() bool { return true }

// Bounded alone keeps to the defaults.
func TestBoundedBoundsImages(t *testing.T) {
	t.Chdir(t.TempDir())
	res, err := tools.Truncate(pictured(pictureOf(5<<20), pictureOf(1)), truncation.Policy{Strategy: truncation.Head, Unmarked: true}).Call(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, res.Images, 1)
	require.Equal(t, "seen\n\n[1 image left out (1B): a result holds at most 64 images, together 5MB]", res.Text)
}
