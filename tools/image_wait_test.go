package tools

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// TestImagesOneAtATime has a call wait for another one's image, and give up when its
// context ends.
func TestImagesOneAtATime(t *testing.T) { synctest.Test(t, oneAtATime) }

func oneAtATime(t *testing.T) {
	dir := t.TempDir()
	picture, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.gif"), picture, 0o600))
	s, err := New(config.Config{Workspace: dir})
	require.NoError(t, err)
	defer s.Close()

	s.scaling <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error, 1)
	go func() {
		_, err := s.Read(ctx, ReadParams{Path: "a.gif"})
		got <- err
	}()
	synctest.Wait()
	require.Empty(t, got)
	cancel()
	require.Equal(t, CodeAborted, CodeOf(<-got))

	<-s.scaling
	res, err := s.Read(t.Context(), ReadParams{Path: "a.gif"})
	require.NoError(t, err)
	require.Len(t, res.Images, 1)
	require.Empty(t, s.scaling)
}
