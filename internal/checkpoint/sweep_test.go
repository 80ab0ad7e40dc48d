package checkpoint_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
)

// age makes all that is kept older.
func (p *place) age(by time.Duration) {
	p.t.Helper()
	entries, err := os.ReadDir(p.store)
	require.NoError(p.t, err)
	for _, e := range entries {
		path := filepath.Join(p.store, e.Name())
		info, err := os.Stat(path)
		require.NoError(p.t, err)
		require.NoError(p.t, os.Chtimes(path, time.Time{}, info.ModTime().Add(-by)))
	}
}

// other returns another tracker of the same workspace, with the same store.
func (p *place) other() *place {
	o := &place{t: p.t, dir: p.dir, store: p.store}
	o.track(nil)
	return o
}

// What no step names any more goes, and what is of use stays: of the tracker that sweeps and of those that live.
func TestSweep(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one b")
	p.track(nil)
	step := p.take()
	p.write("a", "two")
	p.look()
	p.write("a", "three")
	require.NoError(t, os.Remove(p.path("b")))
	p.look()
	testkit.WriteFile(t, filepath.Join(p.store, "new-half"), "written")
	p.age(100 * time.Hour)
	logs, err := filepath.Glob(filepath.Join(p.store, "log-*"))
	require.NoError(t, err)
	began := fmt.Sprintf("log-%016x-then.jsonl", time.Now().Add(-110*time.Hour).UnixNano())
	require.NoError(t, os.Rename(logs[0], filepath.Join(p.store, began)))

	o := p.other() // p lives
	o.look()
	o.age(2 * time.Hour)
	require.NoError(t, o.c.Sweep(24*time.Hour))
	require.NoFileExists(t, filepath.Join(p.store, "new-half"))
	require.Empty(t, p.plan(step).Lost)

	require.NoError(t, p.c.Close()) // and now it has ended, but its log is young enough
	require.NoError(t, o.c.Sweep(200*time.Hour))
	require.EqualValues(t, len("one")+len("one b")+len("two")+len("three"), o.kept())
	o.resume()
	require.NoError(t, o.c.Sweep(24*time.Hour))
	require.NotEmpty(t, o.c.Steps(), "it has just resumed them, by which they are its own")
	require.EqualValues(t, len("one")+len("one b")+len("two")+len("three"), o.kept())

	p.track(nil)
	p.look()
	require.NoError(t, o.c.Close())
	require.NoError(t, p.c.Sweep(24*time.Hour))
	require.EqualValues(t, len("three"), p.kept(), "what the file holds")
	changes, _ := p.look()
	require.Empty(t, changes)
}

// Old steps of a tracker go, with what only they name. What there was no room for has room then.
func TestSweepOwn(t *testing.T) {
	p := newPlace(t)
	p.write("a", strings.Repeat("a", 300_000))
	p.track(func(o *checkpoint.Options) { o.MaxBytes = 500_000 })
	p.look()
	p.write("a", "small")
	p.look()
	p.write("b", strings.Repeat("b", 300_000))
	_, uncovered := p.look()
	require.Equal(t, 1, uncovered.Large)
	p.age(2 * time.Hour)
	require.NoError(t, p.c.Sweep(0))
	require.Empty(t, p.c.Steps())
	changes, uncovered := p.look()
	require.Empty(t, changes)
	require.Zero(t, uncovered.Large)
	step := p.take()
	p.write("b", "small")
	p.look()
	require.Empty(t, p.rewind(step).Lost)
}

// TestTogether has two trackers of one workspace and one store change, look, sweep and rewind at the same time. What
// each has changed is not lost: it is put back in the end.
func TestTogether(t *testing.T) {
	for seed := range uint64(testkit.Few(10)) {
		p := newPlace(t)
		for i := range 6 {
			p.write(fmt.Sprint("a", i), "one")
			p.write(fmt.Sprint("b", i), "one")
		}
		p.track(nil)
		o := p.other()
		step, want := p.take(), p.snapshot()
		o.look()
		var both sync.WaitGroup
		for i, one := range []*place{p, o} {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			prefix := []string{"a", "b"}[i]
			both.Go(func() {
				for range 20 {
					os.WriteFile(one.path(prefix+fmt.Sprint(r.IntN(8))), fmt.Append(nil, r.IntN(20)), 0o644)
					one.c.Look(t.Context(), checkpoint.By("", prefix))
					one.c.Sweep(time.Hour)
				}
			})
		}
		both.Wait()
		plan := p.plan(step)
		require.Empty(t, plan.Lost)
		_, err := p.c.Rewind(t.Context(), plan, plan.Others...)
		require.NoError(t, err)
		p.same(want, nil)
		o.resume()
		o.look()
		third := p.other()
		third.resume()
		require.Empty(t, third.plan(step).Changes)
	}
}

// A store that is full for a process has what it needs all the same, if another one has kept that before.
func TestFullAlready(t *testing.T) {
	p := newPlace(t)
	p.write("a", strings.Repeat("a", 300_000))
	full := func(o *checkpoint.Options) { o.MaxBytes = 500_000 }
	p.track(full)
	p.look()
	p.write("b", strings.Repeat("b", 300_000))
	p.track(full)
	_, uncovered := p.look()
	require.Equal(t, 1, uncovered.Large)
	require.Equal(t, "b", uncovered.First)
	require.EqualValues(t, 300_000, p.kept())
}
