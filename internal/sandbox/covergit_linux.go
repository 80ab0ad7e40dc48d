//go:build linux && (amd64 || arm64)

package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/gitmask"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// refusing is a configuration with which git does nothing but say so, and name refusal.
const (
	refusing = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\t" + refusal + " = 1\n"
	refusal  = "cannot-keep-hidden-files-in-this-sandbox"
)

// repository is a repository with what is hidden in it.
type repository struct {
	*gitdir.Repository
	hidden []gitmask.Path
}

// repositories returns the repositories that have hidden files. What is in a hidden directory counts to the repository
// that the directory is in: git cannot see another one there.
func repositories(hidden []workspace.HiddenEntry) (repos []repository) {
	of := make(map[string]int) // by directory; -1 is none
	var find func(dir string) int
	find = func(dir string) int {
		n, ok := of[dir]
		if ok {
			return n
		}
		if repo := gitdir.Open(dir); repo != nil {
			repos = append(repos, repository{Repository: repo})
			n = len(repos) - 1
		} else if above := filepath.Dir(dir); above != dir {
			n = find(above)
		} else {
			n = -1
		}
		of[dir] = n
		return n
	}
	for _, e := range hidden {
		n := find(filepath.Dir(e.Path))
		if n < 0 {
			continue
		}
		if name, ok := workspace.Under(repos[n].Root, e.Path); ok {
			repos[n].hidden = append(repos[n].hidden, gitmask.Path{Name: filepath.ToSlash(name), Dir: e.Dir})
		}
	}
	return repos
}

// maskGit returns the options by which git in a repository takes hidden files for unchanged, and adds the stand-ins of
// those that it tracks. If that cannot be, git is kept from the repository.
func (s *Sandbox) maskGit(r repository, tracked map[string]standIn) ([]string, error) {
	c := &s.cover
	if !s.shows(r.Common) || !s.shows(r.Own) || r.hides(r.Common) || r.hides(r.Own) {
		return nil, nil // git finds no repository there
	}
	if c.filter == "" {
		c.filter = "hidden-" + strings.ToLower(rand.Text())
	}
	mask, err := gitmask.Of(r.Repository, c.filter, r.hidden)
	if err == nil {
		err = r.standIns(mask.Tracked, tracked)
	}
	if err == nil {
		err = s.prepareInfo(r.Common)
	}
	if err != nil {
		return s.withoutGit(r, err), nil
	}
	return s.bindTexts(r,
		text{"config", mask.Config}, text{"info/attributes", mask.Attributes}, text{"info/exclude", mask.Exclude})
}

// text is a file of a git directory.
type text struct{ name, content string }

// bindTexts binds files with these contents over those of a git directory.
func (s *Sandbox) bindTexts(r repository, texts ...text) (args []string, err error) {
	for _, t := range texts {
		place := filepath.Join(r.Common, t.name)
		path, err := s.cover.ins.putText(place, t.content)
		if err != nil {
			return nil, err
		}
		args = append(args, "--ro-bind", path, place)
	}
	return args, nil
}

// withoutGit returns the options that keep git from a repository, and notes why.
func (s *Sandbox) withoutGit(r repository, why error) []string {
	if !s.shows(r.Common) || r.hides(r.Common) {
		return nil
	}
	root := quote.Value(workspace.ShownFrom(s.policy.Workspace, r.Root))
	k := kept{root: root, why: quote.Inline(why.Error())}
	defer func() { s.cover.kept = append(s.cover.kept, k) }()
	info, err := os.Lstat(filepath.Join(r.Common, "config"))
	if err == nil && info.Mode().IsRegular() && s.cover.ins != nil {
		if args, err := s.bindTexts(r, text{"config", refusing}); err == nil {
			return args
		}
	}
	k.covered = true
	return []string{"--tmpfs", r.Common, "--remount-ro", r.Common}
}

// hides reports whether a path is hidden.
func (r repository) hides(path string) bool {
	return slices.ContainsFunc(r.hidden, func(h gitmask.Path) bool {
		return workspace.Within(filepath.Join(r.Root, filepath.FromSlash(h.Name)), path)
	})
}

// shows reports whether commands see what is at a path, and not something else.
func (s *Sandbox) shows(path string) bool {
	in := func(dirs ...string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return workspace.Within(dir, path) })
	}
	switch {
	case in(slices.Concat(s.Writable, []string{s.policy.Workspace}, s.shown)...):
		return true
	case in("/tmp", "/dev", "/proc") || in("/run") && len(s.policy.Services) > 0:
		return false
	}
	return len(s.policy.Readable) == 0 || in(systemDirs...)
}

// prepareInfo makes the files of a git directory that are bound, unless they exist. Empty, they mean nothing to git.
func (s *Sandbox) prepareInfo(common string) error {
	root, err := os.OpenRoot(common)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Mkdir("info", 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range []string{"config", "info/exclude", "info/attributes"} {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			var f *os.File
			if f, err = root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666); err == nil {
				info, err = f.Stat()
				f.Close()
			}
		}
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("its %s is not a plain file", name)
		}
	}
	if info, err := root.Lstat("info"); err != nil || !info.IsDir() {
		return errors.New("its info is not a directory")
	}
	return nil
}

// standIns adds what stands in the work tree for hidden files that the index has and the user has not removed.
func (r repository) standIns(entries []gitindex.Entry, tracked map[string]standIn) error {
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range entries {
		name := filepath.FromSlash(e.Path)
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || workspace.Missing(err) {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("its index has the path %s", quote.Value(e.Path))
		}
		is := standIn{size: e.Size, mode: standInMode | fs.FileMode(e.Mode)&0o111}
		switch e.Mode & gitindex.ModeKind {
		case gitindex.ModeModule:
			is = standIn{mode: fs.ModeDir} // to git, an empty one is a submodule that was not checked out
		case gitindex.ModeLink:
			if err != nil || info.Mode().Type() != fs.ModeSymlink {
				return fmt.Errorf("%s is hidden, and a link to git, but not here", quote.Value(e.Path))
			}
			target, err := root.Readlink(name)
			if err != nil || blobName(target, len(e.Object)) != e.Object {
				return fmt.Errorf("%s is hidden, and a link to something else than git has", quote.Value(e.Path))
			}
			is = standIn{link: target}
		}
		tracked[filepath.Join(r.Root, name)] = is
	}
	return nil
}

// blobName returns the bytes of a hash by which git names a content.
func blobName(content string, size int) string {
	h := gitindex.Format(size).BlobHash(int64(len(content)))
	io.WriteString(h, content)
	return string(h.Sum(nil))
}
