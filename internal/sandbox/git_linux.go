//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/workspace"
)

// commitParts are the directories that a commit changes in what the worktrees of a repository
// share. They do not hold configuration or hooks. packed-refs does not either, but git replaces it
// by a file that it makes beside them: who may make files there may put one in the place of config.
// sharedDir lets commands do so. Without it refs cannot be deleted.
var commitParts = []string{"objects", "refs", "logs", "reftable", "rr-cache"}

// openGitDir opens what a commit in the workspace changes in a git directory elsewhere, if
// Policy.WriteGitDir is set. visible is that git directory, which commands may read even
// without WriteGitDir. The workspace may come from an archive that also holds a git directory
// beside it, so openGitDir follows no link and opens no directory of another user.
func (s *Sandbox) openGitDir() (parts []*os.File, visible []string, err error) {
	repo := gitdir.Open(s.policy.Workspace)
	if repo == nil || s.writes(repo.Own) && s.writes(repo.Common) {
		return nil, nil, nil
	}
	own, common, leadsBack := repo.Own, repo.Common, repo.LeadsBack()
	if leadsBack {
		visible = []string{common, own}
	}
	if !s.policy.WriteGitDir {
		s.gitDir = common
		return nil, visible, nil
	}
	if !leadsBack {
		return nil, nil, fmt.Errorf("%w: %s does not name %s as its worktree (git worktree repair makes it do so)",
			errGitDir, own, s.policy.Workspace)
	}
	if s.writes(own) || s.writes(common) {
		return nil, nil, fmt.Errorf("%w: part of %s is where commands write", errGitDir, common)
	}
	for _, root := range s.policy.ReadOnly {
		if workspace.Within(root.Dir, common) || workspace.Within(common, root.Dir) {
			return nil, nil, fmt.Errorf("%w: ReadOnlyRoots has %s", errGitDir, root.Dir)
		}
	}
	paths := []string{own}
	if own != common {
		if err := s.makeLogs(common); err != nil {
			return nil, nil, err
		}
		paths = append(existing(join(common, commitParts...)...), own)
		s.shared = common
	}
	for _, path := range paths {
		part, err := openOwn(path)
		if err != nil {
			closeAll(parts)
			return nil, nil, err
		}
		parts = append(parts, part)
	}
	return parts, visible, nil
}

// makeLogs makes the directory logs. git writes there for the worktree of a bare repository, but
// does not make it with the repository.
func (s *Sandbox) makeLogs(common string) error {
	dir, err := openOwn(common)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := unix.Mkdirat(int(dir.Fd()), "logs", 0o777); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("%w: %s/logs: %w", errGitDir, common, err)
	}
	return nil
}

// writes reports whether commands may write to a path even without WriteGitDir.
func (s *Sandbox) writes(path string) bool {
	dirs := append([]string{s.policy.Workspace, s.temp, "/dev/shm"}, s.policy.Writable...)
	return slices.ContainsFunc(dirs, func(dir string) bool { return workspace.Within(dir, path) })
}

// openOwn opens a directory that belongs to the user, by a path without links.
func openOwn(path string) (*os.File, error) {
	fd, err := unix.Open("/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	for name := range strings.SplitSeq(path[1:], "/") {
		if err != nil {
			break
		}
		parent := fd
		fd, err = unix.Openat(parent, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		unix.Close(parent)
	}
	if errors.Is(err, unix.ENOTDIR) {
		return nil, fmt.Errorf("%w: %s is a link, or no directory", errGitDir, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errGitDir, path, err)
	}
	f := os.NewFile(uintptr(fd), path)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || int(info.Uid) != os.Geteuid() {
		f.Close()
		return nil, fmt.Errorf("%w: %s belongs to another user", errGitDir, path)
	}
	return f, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// names returns the paths by which files were opened.
func names(files []*os.File) (paths []string) {
	for _, f := range files {
		paths = append(paths, f.Name())
	}
	return paths
}
