package files_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// /proc/kmsg calls itself a regular file, and a read of it waits for the kernel's next
// message.
func TestGrepOfAFileThatWaits(t *testing.T) {
	const file = "/proc/kmsg"
	f, err := os.Open(file)
	if err != nil {
		t.Skip(err)
	}
	f.Close()
	s := newSuite(t, config.Config{AllowOutsideWorkspace: true}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err = s.Grep(ctx, tools.GrepParams{Pattern: "no such message", Path: file})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, tools.CodeAborted, tools.CodeOf(err))
	require.Less(t, time.Since(begin), time.Minute)
	_, err = s.Read(ctx, tools.ReadParams{Path: file})
	require.Error(t, err)
}
