package read_test

import (
	"context"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// What a file is made of is told to each reader once, until that is forgotten or changes.
func TestFormatIsToldOnce(t *testing.T) {
	t.Parallel()
	s, write := rewritable(t, config.Config{})
	read := func(ctx context.Context, encoding string) string {
		res, err := s.Read(ctx, tools.ReadParams{Path: "f", Encoding: encoding})
		require.NoError(t, err)
		return res.Text
	}
	ann, ben := tools.WithConversation(t.Context(), "ann"), tools.WithConversation(t.Context(), "ben")
	nobody := tools.WithoutConversation(t.Context(), "")
	write("a\r\nb\r\n")
	const first = "a\nb\n\n[The file has CRLF line endings, which edit keeps]"
	require.Equal(t, first, read(ann, ""))
	require.Equal(t, "a\nb\n", read(ann, ""))
	require.Equal(t, first, read(ben, ""))
	require.Equal(t, first, read(nobody, ""))
	require.Equal(t, first, read(nobody, ""))
	s.ForgetConversation("ann")
	require.Equal(t, first, read(ann, ""))
	require.Equal(t, "a\nb\n", read(ben, ""))
	write("caf\xe9\r\n")
	require.Equal(t, "café\n", read(ann, "windows-1252"), "it has been told of the line endings")
	require.Equal(t, "café\n\n[The file looks like windows-1252 and was decoded from it; edit keeps that. "+
		"Use encoding=NAME if it is another. It has CRLF line endings]", read(ann, ""))
	require.Equal(t, "café\n", read(ann, ""))
}

// Of several files, each says it; a later call does not.
func TestFormatOfSeveral(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "1\r\n", "b": "2\r\n"})
	res, err := s.Read(t.Context(), tools.ReadParams{Paths: []string{"a", "b", "a"}})
	require.NoError(t, err)
	const said = "\n\n[The file has CRLF line endings, which edit keeps]"
	require.Equal(t, "==> a <==\n1"+said+"\n\n==> b <==\n2"+said+"\n\n==> a <==\n1"+said, res.Text)
	res, err = s.Read(t.Context(), tools.ReadParams{Paths: []string{"a", "b"}})
	require.NoError(t, err)
	require.Equal(t, "==> a <==\n1\n\n==> b <==\n2\n", res.Text)
}
