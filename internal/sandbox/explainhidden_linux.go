//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// maxNamed is how many hidden files a notice names.
const maxNamed = 3

// hiddenRefusals are what programs say of a hidden file that they could not change, and git of one that it must not
// add.
var hiddenRefusals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)EROFS|EBUSY|read-only file system|device or resource busy|clean filter 'hidden-`)
})

// explainHidden returns the notices for a command that could not change what is hidden, or not use git.
func (s *Sandbox) explainHidden(shown []string) (notices []notice.Notice) {
	s.mu.Lock()
	paths, kept := slices.Clone(s.cover.paths), slices.Clone(s.cover.kept)
	s.mu.Unlock()
	if len(paths) == 0 {
		return nil
	}
	for _, k := range kept {
		refused := func(text string) bool { return strings.Contains(text, refusal) || k.covered && gitless(text) }
		if slices.ContainsFunc(shown, refused) {
			notices = append(notices, notice.HiddenWithoutGit(k.root, k.why))
		}
	}
	var named []string
	for _, text := range shown {
		for line := range strings.Lines(text) {
			if !hiddenRefusals().MatchString(line) {
				continue
			}
			for _, path := range paths {
				if name := quote.Value(path); s.names(line, path) && !slices.Contains(named, name) {
					named = append(named, name)
				}
			}
		}
	}
	if more := len(named) - maxNamed; more > 0 {
		named = append(named[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return append(notices, notice.HiddenKept(named))
}

// gitless reports whether git says that it found no repository.
func gitless(text string) bool { return strings.Contains(text, "not a git repository") }

// names reports whether a line has a path, or one below it, and not just another that ends so.
func (s *Sandbox) names(line, path string) bool {
	for rest := line; ; {
		before, after, found := strings.Cut(rest, path)
		if !found {
			return false
		}
		before = strings.TrimSuffix(strings.TrimSuffix(before, "./"), s.policy.Workspace+"/")
		if (before == "" || !isNameByte(before[len(before)-1]) && !strings.HasSuffix(before, "/")) &&
			(after == "" || !isNameByte(after[0])) {
			return true
		}
		rest = after
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' || b >= 0x80
}
