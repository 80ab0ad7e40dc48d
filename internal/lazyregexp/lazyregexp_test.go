package lazyregexp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNew(t *testing.T) {
	re := New(`^(a+)(b)?$`)
	require.True(t, re.MatchString("aab"))
	require.False(t, re.Match([]byte("ba")))
	require.Equal(t, []string{"aa", "aa", ""}, re.FindStringSubmatch("aa"))
	invalid := New(`(`)
	require.Panics(t, func() { invalid.MatchString("a") }, "only its use fails")
}
