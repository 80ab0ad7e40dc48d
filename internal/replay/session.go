package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// session is a suite of the record, built again for a pass.
type session struct {
	why       string // it cannot be; "" if it is
	cfg       config.Config
	workspace string
	spills    *spill.Dir // of the workspace; nil if it is elsewhere
	suite     *tools.Suite
	last      config.Event // of the suite
}

// begin builds the suite of a session, unless there is one. A session begins again in each file of a record.
func (p *pass) begin(line *record.Line) {
	if p.sessions[line.Session] != nil || len(p.sessions) == maxSessions {
		return
	}
	s := &session{workspace: filepath.Clean(line.Workspace)}
	p.sessions[line.Session] = s
	if err := s.open(line, p.changes, p.files); err != nil {
		s.why = "its suite cannot be built again: " + quote.Value(err.Error())
	}
}

func (s *session) open(line *record.Line, changes []Change, files bool) (err error) {
	if !filepath.IsAbs(line.Workspace) {
		return errors.New("the record names no workspace")
	}
	if s.cfg, err = recordedConfig(line.Options, files); err != nil {
		return err
	}
	for _, c := range changes {
		if s.cfg, err = s.cfg.Set(c.Name, c.Value, c.Source); err != nil {
			return err
		}
	}
	dir := s.cfg.Spill.Dir
	if !files && !filepath.IsLocal(dir) && dir != "" {
		s.cfg.Spill.Dir = ""
	}
	resolved, err := s.cfg.Resolved()
	if err == nil {
		err = bounded(resolved)
	}
	if err != nil {
		return err
	}
	if dir = resolved.Spill.Dir; filepath.IsLocal(dir) {
		s.spills = spill.NewDirBelow(s.workspace, filepath.Clean(dir))
	}
	return s.build(toolsOf(line.Options), resolved)
}

// build makes the suite. It has only the tools that look; what else the recorded one had has its name alone, as texts
// say what other tools can do.
func (s *session) build(had []string, resolved config.Config) (err error) {
	cfg := s.cfg
	cfg.Workspace, cfg.ReadOnly, cfg.Spill.SweepInterval = s.workspace, true, -1
	cfg.Observe = func(_ context.Context, e config.Event) {
		if e.Job == 0 {
			s.last = e
		}
	}
	var named []tools.Tool
	for _, name := range had {
		if slices.Contains(looking, name) {
			cfg.Tools = append(cfg.Tools, name)
			continue
		}
		named = append(named, tools.Func(name, "", func(context.Context, struct{}) (string, error) {
			return "", errors.New("a replay does not call it")
		}))
	}
	if len(cfg.Tools) == 0 {
		cfg.Tools = []string{config.NoTools}
	}
	if s.suite, err = tools.New(cfg, all.Parts()...); err != nil {
		return err
	}
	s.cfg = resolved
	return s.suite.Add(named...)
}

// spillDir returns the directory in which the suite would keep full outputs.
func (s *session) spillDir() string {
	if s.spills != nil {
		return s.spills.Path()
	}
	return s.cfg.Spill.Dir
}

func (s *session) close() {
	if s.suite != nil {
		s.suite.Close()
	}
}

// look makes a call that changes nothing.
func (s *session) look(ctx context.Context, line *record.Line) (again *record.Line, why string) {
	limited, cancel := context.WithTimeout(tools.WithConversation(ctx, line.Conversation), maxCall)
	defer cancel()
	if _, err := s.suite.Call(limited, line.Tool, line.Args); err != nil {
		return nil, whyAborted
	}
	e, c := s.last, *line
	c.Text, c.Code, c.ShownBytes, c.ShownLines = e.Text, e.Code, e.BytesShown, e.LinesShown
	c.ProducedBytes, c.ProducedLines = e.BytesProduced, e.LinesProduced
	c.Truncated, c.TruncatedBy, c.LimitReached, c.LinesCut = e.Truncated, e.TruncatedBy, e.LimitReached, e.LinesCut
	c.Strategy, c.CharsRemoved, c.Images = e.Strategy, e.CharsRemoved, e.Images
	c.Facts = record.FactsOf(e)
	c.Standout, c.StandoutMore = e.StandoutLines, e.Standout-len(e.StandoutLines)
	return &c, ""
}

// toolsOf returns the tools of the library that a suite had.
func toolsOf(options map[string]string) (had []string) {
	asked := strings.Split(options["Tools"], ", ")
	for _, name := range config.ToolNames() {
		if asked[0] != "" && !slices.Contains(asked, name) || asked[0] == "" && name == "apply_patch" {
			continue
		}
		if options["ReadOnly"] == "true" && !slices.Contains(looking, name) {
			continue
		}
		had = append(had, name)
	}
	return had
}

// changeable are the options that decide about texts and may be changed, by name or by the part before the dot.
var changeable = []string{
	"MaxLines", "MaxBytes", "MaxFileBytes", "Read", "Grep", "Find", "Ls", "Bash.MaxLines", "Bash.MaxBytes", "Bash.Strategy",
	"Bash.Policy", "Bash.NoStandout",
}

// kept are the other options of a record that a suite is built with.
var kept = []string{"Rules", "Spill.Dir", "Bash.SplitStreams", "Redact"}

// wider are those that let it read more.
var wider = []string{"AllowedRoots", "WritableRoots", "AllowOutsideWorkspace"}

func among(list []string, option string) bool {
	part, _, _ := strings.Cut(option, ".")
	return slices.Contains(list, option) || slices.Contains(list, part)
}

// recordedConfig returns the options of a record that decide about texts. What an option has from another one that may
// be changed, such as Grep.MaxBytes from MaxBytes, it does not keep.
func recordedConfig(options map[string]string, files bool) (cfg config.Config, err error) {
	for _, o := range config.Options() {
		value := options[o.Name]
		switch {
		case value == "", !among(changeable, o.Name) && !among(kept, o.Name) && !(files && among(wider, o.Name)):
			continue
		case options[o.Default] == value:
			continue
		case o.Name == "Bash.MaxBytes" && options["Bash.Strategy"] == string(truncation.Digest) && value == digestBytes():
			continue
		}
		if cfg, err = cfg.Set(o.Name, value, "the record"); err != nil {
			return cfg, err
		}
	}
	return cfg, readOldPolicy(&cfg, options)
}

// readOldPolicy reads the options of an older record that are one today.
func readOldPolicy(cfg *config.Config, options map[string]string) (err error) {
	old := map[string]json.RawMessage{}
	for name, key := range map[string]string{
		"Bash.MaxChars": "chars", "Bash.FirstLines": "first", "Bash.LastLines": "last", "Bash.Threshold": "threshold", "Bash.Marker": "marker",
	} {
		if value := options[name]; value != "" {
			old[key] = json.RawMessage(value)
		}
	}
	if len(old) > 0 {
		text, _ := json.Marshal(old) // what is not JSON is no policy
		*cfg, err = cfg.Set("Bash.Policy", string(text), "the record")
	}
	return err
}

// digestBytes is the Bash.MaxBytes of the strategy digest, unless it is set.
var digestBytes = sync.OnceValue(func() string {
	cfg, _ := config.Config{Bash: config.Bash{Strategy: truncation.Digest}}.Resolved()
	return cfg.Values()["Bash.MaxBytes"]
})

// bounded refuses limits that allow results of any size.
func bounded(cfg config.Config) error {
	for _, most := range []int{
		cfg.MaxBytes, cfg.Read.MaxBytes, cfg.Bash.MaxBytes, cfg.Grep.MaxBytes, cfg.Find.MaxBytes, cfg.Ls.MaxBytes,
	} {
		if most > maxResult {
			return errors.New("a limit allows results of more than 16MB, the most that a replay holds")
		}
	}
	return nil
}

// Changes reports whether a replay can change an option.
func Changes(option string) bool { return among(changeable, option) }

// Check returns the error for changes that cannot be made: of an option that is not known, has another value, or decides
// about no text.
func Check(changes []Change) error {
	var cfg config.Config
	var err error
	for _, c := range changes {
		if cfg, err = cfg.Set(c.Name, c.Value, c.Source); err != nil {
			return err
		}
		if !slices.ContainsFunc(config.Options(), func(o config.Option) bool {
			return Changes(o.Name) && strings.EqualFold(o.Name, strings.ReplaceAll(c.Name, "_", ""))
		}) {
			return fmt.Errorf("%s: a replay cannot change %s, which does not decide how a recorded output is cut. It changes "+
				"MaxLines, MaxBytes, MaxFileBytes, those of read, grep, find and ls, and which part of a command's output is shown",
				c.Source, c.Name)
		}
	}
	resolved, err := cfg.Resolved()
	if err == nil {
		err = bounded(resolved)
	}
	return err
}
