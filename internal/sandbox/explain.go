package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

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
	return notice.CommandsSandboxed(places, s.readOnly(), s.policy.Network, s.hosts())
}

// hosts returns what commands may reach by name, for the model.
func (s *Sandbox) hosts() (names []string) {
	all := s.policy.Hosts
	for _, name := range all[:min(len(all), maxHosts)] {
		names = append(names, quote.Value(name))
	}
	if n := len(all) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return names
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
		names := func(text string) bool { return strings.Contains(text, s.shared) }
		switch {
		case s.shared == "":
		case slices.ContainsFunc(shown, locked):
			notices = append(notices, notice.RefsKept(quote.Value(s.shared)))
		case failed && s.sharedDir != nil && slices.ContainsFunc(shown, names):
			notices = append(notices, notice.SharedKept(quote.Value(s.shared)))
		}
	}
	if failed {
		notices = append(notices, s.explainSigning(shown)...)
	}
	notices = append(notices, s.explainHidden(shown)...)
	led, followed := s.undone()
	return append(notices, notice.Undone(s.shownNames(led)), notice.Unfollowed(s.shownNames(followed)))
}

// shownNames returns what the model reads for paths.
func (s *Sandbox) shownNames(paths []string) (names []string) {
	for _, path := range paths {
		names = append(names, quote.Value(workspace.ShownFrom(s.policy.Workspace, path)))
	}
	return names
}

// explain returns the notices for a command that failed at what may have been refused.
func (s *Sandbox) explain(shown []string) []notice.Notice {
	p := s.policy
	notices := []notice.Notice{notice.Sandboxed(s.Engine, p.Network, s.hosts(), len(s.Writable), len(p.Readable) > 0)}
	if slices.ContainsFunc(shown, RefusedReadOnly) {
		notices = append(notices, notice.ReadOnlyRoots(s.readOnly()))
	}
	if s.gitDir != "" && strings.Contains(strings.Join(shown, "\n"), s.gitDir) {
		notices = append(notices, notice.GitDirReadOnly(quote.Value(s.gitDir)))
	}
	return notices
}

var (
	gpgFailures = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)gpg failed to sign the data|can't connect to the (gpg-)?agent|` +
			`gpg: signing failed: No (agent running|secret key)`)
	})
	sshFailures = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`No private key found for public key|(?i)couldn't (sign|get agent|connect to agent)|` +
			`error connecting to agent|could not open a connection to your authentication agent`)
	})
)

// explainSigning returns the notices for a command that failed to sign something, since it could not reach the agent
// that has the key. There is none for an agent that is named in Bash.Services, unless it is gpg that cannot lock its
// files.
func (s *Sandbox) explainSigning(shown []string) (notices []notice.Notice) {
	p := s.policy
	isGPG := func(socket string) bool { return strings.Contains(filepath.Base(socket), "gpg-agent") }
	if named := slices.ContainsFunc(p.Services, isGPG); slices.ContainsFunc(shown, gpgFailures().MatchString) {
		if s.Engine == "landlock" || !named {
			notices = append(notices, notice.SigningGPG(named, s.Engine == "landlock"))
		}
	}
	if slices.ContainsFunc(shown, sshFailures().MatchString) {
		socket, err := filepath.EvalSymlinks(os.Getenv("SSH_AUTH_SOCK"))
		if err != nil || !slices.Contains(p.Services, socket) {
			notices = append(notices, notice.SigningSSH)
		}
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
