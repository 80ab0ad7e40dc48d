package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Describe returns what the model is told before it runs a command.
func (s *Sandbox) Describe() string {
	places := []string{"the workspace", "$TMPDIR"}
	for _, path := range s.Writable {
		places = append(places, quote.Value(path))
	}
	return notice.CommandsSandboxed(places, s.readOnly(), s.policy.Network)
}

// maxReadOnly is how many of ReadOnlyRoots the model is told.
const maxReadOnly = 3

// readOnly names what commands cannot change, for the model.
func (s *Sandbox) readOnly() (names []string) {
	roots := s.policy.ReadOnlyRoots
	for _, root := range roots[:min(len(roots), maxReadOnly)] {
		names = append(names, quote.Value(root))
	}
	if n := len(roots) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return names
}

// Notices returns those for a command that has ended and whose output is shown: what the sandbox may have refused, if
// it failed or could not delete a ref, after which git goes on; and what Undo has removed.
func (s *Sandbox) Notices(failed bool, shown ...string) (notices []notice.Notice) {
	if slices.ContainsFunc(shown, isRefusal) {
		if failed {
			notices = s.explain(shown)
		}
		locked := func(text string) bool { return locks(s.shared, text) }
		if s.shared != "" && slices.ContainsFunc(shown, locked) {
			notices = append(notices, notice.RefsKept(quote.Value(s.shared)))
		}
	}
	removed := s.undone()
	for i, path := range removed {
		removed[i] = quote.Value(workspace.ShownFrom(s.policy.Workspace, path))
	}
	return append(notices, notice.Undone(removed))
}

// explain returns the notices for a command that failed at what may have been refused.
func (s *Sandbox) explain(shown []string) []notice.Notice {
	p := s.policy
	notices := []notice.Notice{notice.Sandboxed(s.Engine, p.Network, len(s.Writable), len(p.Readable) > 0)}
	if slices.ContainsFunc(shown, RefusedReadOnly) {
		notices = append(notices, notice.ReadOnlyRoots(s.readOnly()))
	}
	if s.gitDir != "" && strings.Contains(strings.Join(shown, "\n"), s.gitDir) {
		notices = append(notices, notice.GitDirReadOnly(quote.Value(s.gitDir)))
	}
	return notices
}

// locks reports whether git says in a text that it could not make a lock right in a directory.
func locks(dir, text string) bool {
	for rest, found := text, true; found; {
		if _, rest, found = strings.Cut(rest, "Unable to create '"+dir+"/"); !found {
			break
		}
		if name, _, _ := strings.Cut(rest, "'"); strings.HasSuffix(name, ".lock") && !strings.Contains(name, "/") {
			return true
		}
	}
	return false
}
