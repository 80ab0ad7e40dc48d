package tools

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/truncation"
)

// Suite holds the tools of a workspace. Create one with [New]. It is safe for concurrent
// use.
type Suite struct {
	*shared
	memory  *memory       // views that are Apart have their own
	files   *change.Files // what memory knows of files
	cfg     config.Config // with every default filled in
	judge   part.Judge
	call    handler // runs a call through the hooks
	tools   *toolset
	library []*suiteTool // every built-in tool, in the suite or not
	shell   *shell
	closed  atomic.Bool
	outer   func() bool // reports whether the suite of a view is closed; nil for a suite

	sweeping sync.WaitGroup
	stop     chan struct{} // closed with the suite, to end the sweeps
}

// assemble makes a suite or a view. outer is nil for a suite.
func assemble(
	cfg config.Config, sh *shared, m *memory, judge part.Judge, state *session.State, outer func() bool,
) *Suite {
	s := &Suite{
		shared: sh, memory: m, files: sh.changing(cfg, m), cfg: cfg, judge: judge, tools: new(toolset), outer: outer,
	}
	jobs, calls := sh.started, &sh.calls
	if !selects(cfg, "bash") || !selects(cfg, "job") {
		jobs = nil
	}
	if jobs == nil {
		calls = nil // without bash no call can become a job
	}
	hooks := []hook{
		remember,
		identify(s, &sh.made, calls),
		observe(cfg.Observe, &sh.stats, &sh.running, sh.redact, m),
	}
	if cfg.Filter != nil {
		hooks = append(hooks, alter(cfg, sh.redact))
	}
	if jobs != nil {
		hooks = append(hooks, tellEnded(jobs, m, cfg.MaxBytes))
	}
	hooks = append(hooks, recovering(sh.redact))
	if !sh.redact.Off() {
		hooks = append(hooks, redact(sh.redact))
	}
	hooks = append(hooks, prepare(s.tools), admit(admission{judge, cfg.Guard, sh.redact, s.isClosed}))
	if sh.tracker != (part.Untracked{}) {
		hooks = append(hooks, trackAdded(sh.tracker))
	}
	s.call = through(hooks...)
	s.makeTools(state, jobs)
	s.tools.all = slices.DeleteFunc(slices.Clone(s.library), func(t *suiteTool) bool { return !selects(cfg, t.name) })
	return s
}

// isClosed reports whether the suite, or the suite of a view, is closed.
func (s *Suite) isClosed() bool { return s.closed.Load() || s.outer != nil && s.outer() }

// makeTools makes every built-in tool. state, if not nil, is what the first command starts with; jobs is nil without
// the tool job.
func (s *Suite) makeTools(state *session.State, jobs *job.Registry) {
	cfg, sh := s.cfg, s.shared
	s.shell = &shell{shared: sh, cfg: cfg, tools: s.tools, memory: s.memory, jobs: jobs}
	s.shell.state.Store(state)
	files := newPages(cfg, sh, s.memory, s.tools)
	search := &searches{cfg, sh.paths, s.tools, s.judge.Reads, &s.memory.told, s.files.SawPart}

	expand := func(text string) string { return fill(text, cfg) }
	tool := func(name, description string, maxBytes int, leaveOut ...string) spec {
		strategy := truncation.Head
		if known[name].effects.Executes {
			strategy = cfg.Bash.Strategy
		}
		return spec{name, expand(description), known[name].effects, strategy, maxBytes, leaveOut}
	}
	read := tool("read", readDescription, cfg.Read.MaxBytes)
	read.describeRead(sh.parts.Formats(), s.memory.receipts != nil)
	edit := tool("edit", editDescription+editEnd, cfg.Edit.MaxBytes, "cell", "edit_mode", "cell_type", "to_cell")
	if sh.parts.Edit() != nil {
		edit = tool("edit", editDescription+editCells+editEnd, cfg.Edit.MaxBytes)
	}
	bash := tool("bash", describeBash(cfg.Bash), cfg.Bash.MaxBytes, "background", "ready_when", "tty")
	if jobs != nil {
		bash = tool("bash", describeBash(cfg.Bash)+bashJobs, cfg.Bash.MaxBytes)
	}
	bash.description += sh.sandbox.Describe()
	c := &changes{cfg, sh.paths, s.tools, s.files, sh.parts.Edit()}
	s.library = []*suiteTool{
		bind(s.call, read, expand, files.read, files.foresee),
		bind(s.call, bash, expand, s.shell.bash, s.shell.foresee),
		bind(s.call, tool("grep", describeGrep(cfg.Grep), cfg.Grep.MaxBytes), expand, search.grep, search.foreseeGrep),
		bind(s.call, tool("find", findDescription, cfg.Find.MaxBytes), expand, search.find, search.foreseeFind),
		bind(s.call, tool("ls", lsDescription, cfg.Ls.MaxBytes), expand, search.ls, search.foreseeLs),
		bind(s.call, tool("write", writeDescription, cfg.Edit.MaxBytes), expand, c.write, c.foreseeWrite),
		bind(s.call, edit, expand, c.edit, c.foreseeEdit),
		bind(s.call, tool("job", jobDescription, cfg.Bash.MaxBytes), expand, s.shell.job, s.shell.foreseeJob),
	}
	if by := sh.parts.Changer(); by != nil {
		job := len(s.library) - 1
		made := c.ofPart(s.call, by, tool(by.Name(), by.Description(), cfg.Edit.MaxBytes), expand)
		s.library = slices.Insert(s.library, job, made)
	}
}

func (s *Suite) libraryTool(name string) *suiteTool {
	return s.library[slices.IndexFunc(s.library, func(t *suiteTool) bool { return t.name == name })]
}

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[A-Z][A-Za-z.]+(:ms)?\}`) })

// fill replaces option names in braces, such as {Grep.Limit} or {Bash.Timeout:ms} for milliseconds, by their values. A
// description then always states the limits in force.
func fill(text string, cfg config.Config) string {
	ends := cfg.Bash.Policy
	text = strings.NewReplacer("{first}", strconv.Itoa(ends.First), "{last}", strconv.Itoa(ends.Last)).Replace(text)
	return placeholder().ReplaceAllStringFunc(text, func(name string) string {
		name, ms := strings.CutSuffix(name[1:len(name)-1], ":ms")
		value, _, ok := cfg.Lookup(name)
		if d, err := time.ParseDuration(value); ok && ms && err == nil {
			return strconv.FormatInt(d.Milliseconds(), 10)
		}
		if !ok || ms {
			panic("tools: a description names the unknown option " + name)
		}
		return value
	})
}
