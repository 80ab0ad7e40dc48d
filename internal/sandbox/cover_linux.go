//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// cover is what takes the place of hidden files, so that programs can read them but find nothing in them, and git takes
// them for unchanged.
type cover struct {
	ins    *standIns // nil until something is hidden
	filter string    // the name of git's filter: see package gitmask
	paths  []string  // what was hidden when the last command started, by the names that programs give it
	kept   []kept    // from which repositories git was kept
}

// kept is a repository that git is kept from.
type kept struct {
	root, why string
	covered   bool // there is no repository to git: otherwise git says that it is refused
}

// covers returns the options of bubblewrap that cover what is hidden now.
func (s *Sandbox) covers() (args []string) {
	c := &s.cover
	c.paths, c.kept = nil, nil
	if s.policy.Hidden == nil {
		return nil
	}
	hidden := s.policy.Hidden()
	if len(hidden) == 0 {
		return nil
	}
	repos := repositories(hidden)
	c.paths = s.namesOf(hidden, repos)
	args, err := s.coverAll(hidden, repos)
	if err != nil { // something has changed the directory of the stand-ins, or it could not be made
		c.ins.close()
		c.ins = nil
		args, err = s.coverAll(hidden, repos)
	}
	if err != nil {
		return s.coverBare(hidden, repos, err)
	}
	c.ins.sweep()
	return args
}

// namesOf returns what programs call hidden files, and what git calls them where that differs.
func (s *Sandbox) namesOf(hidden []workspace.HiddenEntry, repos []repository) (names []string) {
	for _, e := range hidden {
		names = append(names, workspace.ShownFrom(s.policy.Workspace, e.Path))
	}
	for _, r := range repos {
		for _, h := range r.hidden {
			if r.Root != s.policy.Workspace {
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// coverAll covers hidden files with stand-ins.
func (s *Sandbox) coverAll(hidden []workspace.HiddenEntry, repos []repository) (args []string, err error) {
	c := &s.cover
	if c.ins != nil && !isAt(c.ins.held) {
		c.ins = nil
	}
	if c.ins == nil {
		if c.ins, err = newStandIns(); err != nil {
			return nil, err
		}
	}
	tracked := make(map[string]standIn) // by absolute path
	for _, r := range repos {
		more, err := s.maskGit(r, tracked)
		if err != nil {
			return nil, err
		}
		args = append(args, more...)
	}
	shadows, err := c.shadows(hidden, tracked)
	if err != nil {
		return nil, err
	}
	for _, e := range hidden {
		switch in := c.ins.nameOf(e.Path); {
		case !e.Dir:
			is, ok := tracked[e.Path]
			if !ok {
				is.mode = standInMode
			}
			if err := c.ins.put(in, is); err != nil {
				return nil, err
			}
			args = append(args, "--ro-bind", in, e.Path)
		case shadows[e.Path]:
			args = append(args, "--ro-bind", in, e.Path)
		default:
			args = append(args, "--tmpfs", e.Path, "--remount-ro", e.Path)
		}
	}
	return args, nil
}

// shadows makes the stand-ins in hidden directories, and returns those that have any. The index may have a file that the
// user has removed: it is missing to git here, too.
func (c *cover) shadows(hidden []workspace.HiddenEntry, tracked map[string]standIn) (map[string]bool, error) {
	dirs := make(map[string]bool)
	for _, e := range hidden {
		dirs[e.Path] = e.Dir
	}
	shadows := make(map[string]bool)
	for path, is := range tracked {
		dir := filepath.Dir(path)
		for len(dir) > 1 && !dirs[dir] {
			dir = filepath.Dir(dir)
		}
		if !dirs[dir] {
			continue
		}
		shadows[dir] = true
		if err := c.ins.put(c.ins.nameOf(dir)+strings.TrimPrefix(path, dir), is); err != nil {
			return nil, err
		}
	}
	return shadows, nil
}

// coverBare covers hidden files without stand-ins, because of an error, and keeps git from all repositories that have
// some.
func (s *Sandbox) coverBare(hidden []workspace.HiddenEntry, repos []repository, err error) (args []string) {
	for _, e := range hidden {
		if e.Dir {
			args = append(args, "--tmpfs", e.Path, "--remount-ro", e.Path)
		} else {
			args = append(args, "--ro-bind", os.DevNull, e.Path)
		}
	}
	for _, r := range repos {
		args = append(args, s.withoutGit(r, err)...)
	}
	return args
}
