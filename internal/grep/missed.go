package grep

import (
	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// missed records what the globs of a search would select if written differently, until one selects a file.
type missed []*hint.Missed

// mostMissed is the number of globs that are corrected, because each costs a few matches for every file.
const mostMissed = 4

func newMissed(patterns []string, start workspace.Path, ws *workspace.Workspace) (list missed) {
	for _, pattern := range patterns[:min(len(patterns), mostMissed)] {
		if g, err := glob.Compile(pattern); err == nil {
			list = append(list, hint.NewMissed(g, pattern, start, ws.Resolve))
		}
	}
	return list
}

// hint returns the first hint, to follow a sentence; or "".
func (list missed) hint() string {
	for _, m := range list {
		if hint := m.Hint("glob"); hint != "" {
			return hint
		}
	}
	return ""
}

// noting returns a selection that records the files which the globs miss. It skips files that other globs exclude, or
// that may not be read, because no spelling would find them.
func (s *Search) noting(selected func(dir, name string) bool) func(dir, name string) bool {
	prefix, met := s.path.Prefix(), false
	return func(dir, name string) bool {
		wanted := selected(dir, name)
		if met = met || wanted; met {
			return wanted
		}
		if s.MayRead != nil {
			if may, _ := s.MayRead(prefix + dir + name); !may {
				return false
			}
		}
		shownDir, shownName := s.Place.Shown(prefix, dir, name)
		if s.files.Excludes(shownDir, shownName) {
			return false
		}
		for _, m := range s.missed {
			m.Add(shownDir, shownName, func() string { return quote.Name(prefix + dir + name) })
		}
		return false
	}
}
