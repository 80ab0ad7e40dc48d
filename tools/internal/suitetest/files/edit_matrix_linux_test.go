package files_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

var systemMeta = []metaCase{
	{"an extended attribute", func(t *testing.T, file string) string {
		if err := unix.Setxattr(file, "user.kept", []byte("yes"), 0); err != nil {
			t.Skip("no extended attributes here: ", err)
		}
		return filepath.Base(file)
	}, func(t *testing.T, file string) {
		value := make([]byte, 10)
		n, err := unix.Getxattr(file, "user.kept", value)
		require.NoError(t, err)
		require.Equal(t, "yes", string(value[:n]))
	}},
	{"another owner", func(t *testing.T, file string) string {
		if err := unix.Chown(file, 12345, 23456); err != nil {
			t.Skip("no right to give files away: ", err)
		}
		return filepath.Base(file)
	}, func(t *testing.T, file string) {
		var stat unix.Stat_t
		require.NoError(t, unix.Stat(file, &stat))
		require.Equal(t, [2]uint32{12345, 23456}, [2]uint32{stat.Uid, stat.Gid})
	}},
}
