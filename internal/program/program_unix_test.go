//go:build unix

package program

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// TestFind looks for a shell, which is where PATH does not lead to.
func TestFind(t *testing.T) {
	planted := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(planted, "sh"), nil, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(planted, "spillway-no-such"), nil, 0o700))
	t.Setenv("PATH", planted)
	path, err := Find("sh")
	require.NoError(t, err)
	require.Contains(t, dirs, filepath.Dir(path))
	_, err = Find("sh", planted)
	require.NoError(t, err)
	real := testkit.Must(t, filepath.EvalSymlinks, path)
	for _, root := range []string{"/", filepath.Dir(path), path, real} {
		_, err = Find("sh", planted, root)
		require.EqualError(t, err, fmt.Sprintf("the program sh is %s, which sandboxed commands could replace: they may write to %s", path, root))
	}
	_, err = Find("spillway-no-such")
	require.ErrorIs(t, err, ErrNotFound)
	require.NotContains(t, filepath.SplitList(Path()), planted)
	require.Contains(t, filepath.SplitList(Path()), filepath.Dir(path))
}

// TestFindOthers takes the first program of a list of directories that others cannot change, and
// says why it takes none.
func TestFindOthers(t *testing.T) {
	was := dirs
	defer func() { dirs = was }()
	dir := t.TempDir()
	for i, name := range []string{"1", "2", "3"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
		if i > 0 {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name, "spillway-test"), nil, 0o700))
		}
	}
	dirs = []string{filepath.Join(dir, "1"), filepath.Join(dir, "2")}
	require.NoError(t, os.Chmod(dirs[1], 0o777))
	_, err := Find("spillway-test")
	require.EqualError(t, err, fmt.Sprintf("the program %[1]s/spillway-test cannot be used: others than its owner may write to %[1]s", dirs[1]))
	require.NotErrorIs(t, err, ErrNotFound)
	require.Equal(t, dirs[0], Path())
	dirs = append(dirs, filepath.Join(dir, "3"))
	path, err := Find("spillway-test")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "3", "spillway-test"), path)
}

func TestFollow(t *testing.T) {
	for name, test := range map[string]struct {
		make func(dir string) error // of what is in dir, which has the program "p" and the directory "sub" with another one
		want string                 // in the error; "" if there is none
	}{
		"own":                  {func(string) error { return nil }, ""},
		"link":                 {func(dir string) error { return relink(dir, "sub/p") }, ""},
		"absolute link":        {func(dir string) error { return relink(dir, dir+"/sub/p") }, ""},
		"link upwards":         {func(dir string) error { return relink(dir, "sub/../sub/./p") }, ""},
		"dangling":             {func(dir string) error { return relink(dir, "nothing") }, "no such file"},
		"circle":               {func(dir string) error { return relink(dir, "p") }, "too many levels of symbolic links"},
		"directory":            {func(dir string) error { return relink(dir, "sub") }, "it is no file that can be executed"},
		"no program":           {func(dir string) error { return os.Chmod(dir+"/p", 0o644) }, "it is no file that can be executed"},
		"written by the group": {func(dir string) error { return os.Chmod(dir+"/p", 0o770) }, "/p"},
		"written by all":       {func(dir string) error { return os.Chmod(dir+"/p", 0o702) }, "/p"},
		"sticky file":          {func(dir string) error { return os.Chmod(dir+"/p", 0o722|fs.ModeSticky) }, "/p"},
		"directory of a group": {func(dir string) error { return os.Chmod(dir, 0o770) }, "others than its owner may write to "},
		"sticky directory":     {func(dir string) error { return os.Chmod(dir, 0o777|fs.ModeSticky) }, ""},
		"link through a directory of all": {func(dir string) error {
			err := os.Symlink("../p2", dir+"/sub/link")
			if err == nil {
				err = os.Rename(dir+"/p", dir+"/p2")
			}
			if err == nil {
				err = os.Symlink("sub/link", dir+"/p")
			}
			if err == nil {
				err = os.Chmod(dir+"/sub", 0o777)
			}
			return err
		}, "/sub"},
		"another user's":           {func(dir string) error { return os.Lchown(dir+"/p", 4321, -1) }, "/p belongs to the user 4321"},
		"another user's directory": {func(dir string) error { return os.Lchown(dir, 4321, -1) }, " belongs to the user 4321"},
		"another user's link": {func(dir string) error {
			if err := relink(dir, "sub/p"); err != nil {
				return err
			}
			return os.Lchown(dir+"/p", 4321, -1)
		}, "/p belongs to the user 4321"},
		"nobody's": {func(dir string) error { return os.Lchown(dir+"/p", overflow, -1) }, "/p belongs to the user 65534"},
	} {
		t.Run(name, func(t *testing.T) {
			if os.Geteuid() != 0 && strings.Contains(test.want, "belongs") {
				t.Skip("it takes root to give a file away")
			}
			dir := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
			require.NoError(t, os.Mkdir(dir+"/sub", 0o700))
			for _, path := range []string{"/p", "/sub/p"} {
				require.NoError(t, os.WriteFile(dir+path, nil, 0o700))
			}
			require.NoError(t, test.make(dir))
			steps, err := follow(dir + "/p")
			if test.want != "" {
				require.ErrorContains(t, err, test.want)
				return
			}
			require.NoError(t, err)
			require.Contains(t, steps, "/")
			require.Contains(t, steps, dir+"/p")
			real := testkit.Must(t, filepath.EvalSymlinks, dir+"/p")
			require.Equal(t, real, steps[len(steps)-1])
		})
	}
}

func relink(dir, target string) error {
	if err := os.Remove(dir + "/p"); err != nil {
		return err
	}
	return os.Symlink(target, dir+"/p")
}
