package tools

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
)

type toolset struct {
	mu  sync.RWMutex
	all []*suiteTool
}

// list returns the tools. The slice is never changed: add makes a new one.
func (ts *toolset) list() []*suiteTool {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	return ts.all
}

// maxTools is how many tools a suite may have.
const maxTools = 1000

// add adds all of the tools, or returns an error and adds none.
func (ts *toolset) add(tools []*suiteTool) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	all := slices.Clone(ts.all)
	for _, t := range tools {
		if len(all) == maxTools {
			return fmt.Errorf("tools: the tool %s is one too many: a suite has at most %d", show(t.name), maxTools)
		}
		if slices.ContainsFunc(all, func(other *suiteTool) bool { return other.name == t.name }) {
			return fmt.Errorf("tools: there is a tool %s already", show(t.name))
		}
		all = append(all, t)
	}
	ts.all = all
	return nil
}

func (ts *toolset) tool(name string) *suiteTool {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	for _, t := range ts.all {
		if t.name == name {
			return t
		}
	}
	return nil
}

func (ts *toolset) has(name string) bool { return ts.tool(name) != nil }

func (ts *toolset) names() string {
	var names []string
	for _, t := range ts.list() {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}

func (ts *toolset) without(name string) *Error {
	return errorf(CodeDenied, "this suite does not have the tool %s; it has %s", name, ts.names())
}

// selects reports whether a configuration asks for a built-in tool.
func selects(cfg config.Config, name string) bool {
	asked := slices.Contains(cfg.Tools, name) || len(cfg.Tools) == 0 && name != "apply_patch"
	return asked && !(cfg.ReadOnly && known[name].effects.Writes)
}

type about struct {
	title   string // its name for people
	effects config.Effects
}

var reads, changesFiles = config.Effects{Reads: true}, config.Effects{Reads: true, Writes: true}

var known = map[string]about{
	"read":        {"Read file", reads},
	"bash":        {"Run command", everything},
	"grep":        {"Search in files", reads},
	"find":        {"Find files", reads},
	"ls":          {"List directory", reads},
	"write":       {"Write file", changesFiles},
	"edit":        {"Edit file", changesFiles},
	"apply_patch": {"Apply patch", changesFiles},
	"job":         {"Control job", everything},
}

type libraryTool struct{ *suiteTool }

func (t libraryTool) Title() string { return known[t.name].title }

func (t libraryTool) Idempotent() bool {
	return !t.effects.Writes && !t.effects.Executes || t.name == "write"
}

func (t libraryTool) MaxResult() int { return t.maxBytes + notice.Allowance }

func (b *suiteTool) public() Tool {
	if b.wraps == nil {
		return libraryTool{b}
	}
	return b
}
