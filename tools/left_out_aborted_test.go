package tools

import (
	"testing"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/stretchr/testify/require"
)

// What an aborted call says may not arrive, so it is said again.
func TestAbortedCallHasNotTold(t *testing.T) {
	large := leftOut{Skipped: notice.Skipped{Large: 1, LargeFirst: []string{"a"}, MaxBytes: 1024}, stats: search.Stats{LargeSet: told.SetOf("a")}}
	to := telling{store: &told.Store{}, path: "/"}
	const room = 1000
	said := large.found(to, false, true, room)
	require.NotEmpty(t, said)
	require.Equal(t, said, large.found(to, false, true, room))
	require.Equal(t, said, large.none(to, false))
	require.Equal(t, said, large.found(to, true, false, room))
	require.Empty(t, large.found(to, true, false, room))
	require.Empty(t, large.found(to, true, true, 0), "there is no room")
	require.Equal(t, said, large.none(to, true))
}
