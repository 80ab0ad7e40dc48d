package leftout

import (
	"testing"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/stretchr/testify/require"
)

// What an aborted call says may not arrive, so it is said again.
func TestAbortedCallHasNotTold(t *testing.T) {
	large := Notes{
		Skipped: notice.Skipped{Large: 1, LargeFirst: []string{"a"}, MaxBytes: 1024}, Sets: Sets{Large: told.SetOf("a")},
	}
	var store told.Store
	to := func(kind string, set told.Set) bool {
		return store.First(told.Message{Path: "/", Kind: kind, Set: set})
	}
	const room = 1000
	said := large.Found(to, false, true, room)
	require.NotEmpty(t, said)
	require.Equal(t, said, large.Found(to, false, true, room))
	require.Equal(t, said, large.None(to, false))
	require.Equal(t, said, large.Found(to, true, false, room))
	require.Empty(t, large.Found(to, true, false, room))
	require.Empty(t, large.Found(to, true, true, 0), "there is no room")
	require.Equal(t, said, large.None(to, true))
}
