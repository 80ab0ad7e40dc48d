package permission

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/definitions"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/footprint"
	"github.com/spillway-go/spillway/internal/late"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/rules"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/internal/shellpath"
	"github.com/spillway-go/spillway/internal/workspace"
)

// shell parses command lines.
type shell struct {
	name         string // of the shell that runs them
	workspace    *workspace.Workspace
	coversHidden func() bool
}

func newShell(cfg config.Config, ws *workspace.Workspace, coversHidden func() bool) part.Shell {
	return &shell{proc.ShellName(cfg.Bash.Shell), ws, coversHidden}
}

func (s *shell) Read(c part.Command) part.Line {
	l := &line{Command: c, shell: s, finder: sync.OnceValue(func() shellpath.Finder { return shellpath.New(c.Dir, c.Env) })}
	l.parsed = sync.OnceValue(func() *commandline.Line {
		parsed := commandline.ParseFor(s.name, c.Text)
		footprint.Redefined(&parsed, c.Earlier)
		return &parsed
	})
	return l
}

func (s *shell) Defined(printed string) (session.Definitions, notice.Notice) {
	kept, lost := definitions.Read(printed, environ.Reserved)
	return kept, notice.NotDefined(lost, proc.MaxDefined)
}

func (s *shell) Forgotten(command string) notice.Notice {
	return notice.NotHandedOn(definitions.In(command))
}

// line is a command line, parsed when that is needed.
type line struct {
	part.Command
	shell  *shell
	parsed func() *commandline.Line
	finder func() shellpath.Finder
}

func (l *line) Commands() ([]config.Command, string) {
	parsed := l.parsed()
	return footprint.Described(parsed.Commands), parsed.Unknown
}

func (l *line) Uses(ctx context.Context) []config.PathUse {
	return footprint.Uses(ctx, l.finder(), l.parsed().Commands, l.shell.workspace.Shown)
}

func (l *line) HiddenNamed(ctx context.Context) error {
	return footprint.HiddenNamed(ctx, l.shell.workspace, l.finder(), l.Text, l.parsed().Commands, l.shell.coversHidden)
}

// readers allow what is known to change no file, and nothing else.
var readers = sync.OnceValue(func() *rules.Set { return rules.New([]string{"bash(readonly)", "bash(readonly network)"}, nil, nil) })

func (l *line) ReadsOnly(ctx context.Context) bool {
	c := rules.Call{Tool: "bash"}
	l.judged(ctx, &c)
	return readers().Judge(c).Decision == rules.Allowed
}

// judged fills in what rules judge of the line.
func (l *line) judged(ctx context.Context, c *rules.Call) {
	ws := l.shell.workspace
	c.Line, c.Terminal, c.LocalGo = l.parsed(), l.Terminal, slices.Contains(l.Env, commandline.LocalGo)
	c.ReadOnly, c.Protected = ws.ProtectedNames(), ws.Protecting
	c.Place = func(from, path string) (string, bool) {
		if ctx.Err() != nil {
			return "", false
		}
		find := func(context.Context) (string, error) { return l.finder().Find(from, path), nil }
		abs, err := late.Leave(ctx, late.Patience, find)
		return ws.Shown(abs), err == nil && abs != ""
	}
	if !slices.ContainsFunc(l.Env, func(e string) bool { return strings.HasPrefix(e, "CDPATH=") }) { // cd src may lead elsewhere
		c.Holds = l.holds
	}
}

// holds reports whether a directory of the workspace has an entry, as far as that is known soon.
func (l *line) holds(dir, entry string) bool {
	look := func(context.Context) (bool, error) {
		_, err := os.Lstat(filepath.Join(l.shell.workspace.Dir(), filepath.FromSlash(dir), entry))
		return !errors.Is(err, fs.ErrNotExist), nil
	}
	has, err := late.Leave(context.Background(), late.Patience, look)
	return has || err != nil
}
