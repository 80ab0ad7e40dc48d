package adaptertest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// Call is a call of bash. The ID is the SDK's.
type Call struct{ ID, Args string }

// Both makes two calls at once, for an adapter that makes those of one message in turn.
func Both(calls [2]Call, one func(Call)) {
	var made sync.WaitGroup
	for _, call := range calls {
		made.Go(func() { one(call) })
	}
	made.Wait()
}

// Identified has the adapter make two calls at once, none of which ends before the other has begun. What the suite's
// guard, updates and events say of a call must have its ID, or, if hasID is false, one that the other has not.
func Identified(t *testing.T, hasID bool, makeBoth func(ctx context.Context, suite *tools.Suite, calls [2]Call)) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	h := hearing{dir: t.TempDir(), guarded: map[string]string{}, updated: map[string]string{}, ended: map[string]string{}}
	suite, err := tools.New(config.Config{Workspace: h.dir, Guard: h.guard, Observe: h.observe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { check(suite.Close()) })
	var calls [2]Call
	for i, name := range names {
		command := "echo " + name + "; until [ -e go ]; do sleep 0.01; done"
		calls[i] = Call{ID: "id_of_" + name, Args: Encoded(map[string]string{"command": command})}
	}
	makeBoth(tools.WithProgress(t.Context(), h.update), suite, calls)
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, name := range names {
		want := calls[i].ID
		if !hasID {
			want = h.guarded[name]
		}
		for what, heard := range map[string]map[string]string{"guard": h.guarded, "event": h.ended, "update": h.updated} {
			if id, ok := heard[name]; id != want && (ok || what != "update") {
				t.Errorf("%s: %q is the id for the %s, not %q", name, id, what, want)
			}
		}
	}
	if h.guarded[names[0]] == h.guarded[names[1]] {
		t.Errorf("%q is the id of both calls", h.guarded[names[0]])
	}
}

// names are what the two commands print.
var names = [2]string{"alpha", "beta"}

// hearing is what was heard of calls: their ids, by the name that is in the command.
type hearing struct {
	dir                     string
	mu                      sync.Mutex
	guarded, updated, ended map[string]string
}

// hear notes an id. The commands go on once both have been heard of, by updates where these come.
func (h *hearing) hear(heard map[string]string, in, id string, enough bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range names {
		if strings.Contains(in, name) {
			heard[name] = id
		}
	}
	if enough && len(heard) == 2 {
		check(os.WriteFile(filepath.Join(h.dir, "go"), nil, 0o600))
	}
}

func (h *hearing) guard(ctx context.Context, c config.Call) error {
	h.hear(h.guarded, string(c.Args), c.ID, tools.Progress(ctx) == nil)
	return nil
}

func (h *hearing) update(u tools.Update) { h.hear(h.updated, u.Tail, u.ID, true) }

func (h *hearing) observe(_ context.Context, e config.Event) {
	h.hear(h.ended, string(e.Args), e.ID, false)
}
