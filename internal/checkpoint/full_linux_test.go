package checkpoint_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
)

// If the disk of the store is full, what has no room is named as not covered. What has been kept is put back, and when
// there is room again, all is as before.
func TestFullStore(t *testing.T) {
	p := newPlace(t)
	p.write("a", strings.Repeat("a", 100_000))
	p.write("b", strings.Repeat("b", 200_000))
	p.store = testkit.SmallDisk(t, "256k")
	p.track(nil)
	step, before := p.take(), p.snapshot()
	p.write("a", "A")
	p.write("b", "B")
	p.look()
	plan := p.rewind(step)
	require.Equal(t, []string{"b"}, paths(plan.Lost))
	require.Equal(t, before["a"], p.snapshot()["a"])

	// Not even a step can be written: the tracker knows it, and the next one is written whole.
	fill := filepath.Join(p.store, "fill")
	p.fill(fill)
	p.write("a", "A")
	_, _, err := p.c.Look(t.Context(), checkpoint.By(strings.Repeat("long ", 10_000), "call"))
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, os.Remove(fill))
	p.write("a", "AA")
	last, _, err := p.c.Look(t.Context(), checkpoint.By("", "call"))
	require.NoError(t, err)
	require.NoError(t, p.c.Close())
	p.track(nil)
	p.resume()
	ids := make(map[string]bool)
	for _, s := range p.c.Steps() {
		ids[s.ID] = true
	}
	require.True(t, ids[last.ID], "it is known to another process")
}

// fill writes a file until there is no room.
func (p *place) fill(path string) {
	f, err := os.Create(path)
	require.NoError(p.t, err)
	defer f.Close()
	for _, n := range []int{4096, 1} {
		for block := bytes.Repeat([]byte("x"), n); err == nil; {
			_, err = f.Write(block)
		}
		err = nil
	}
}

// If the disk of the workspace becomes full in a rewind, nothing of it is done.
func TestFullWorkspace(t *testing.T) {
	failed := 0
	for seed := range uint64(testkit.Few(30)) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := newPlace(t)
		p.dir = testkit.SmallDisk(t, "1m")
		put := func(i int) {
			name := fmt.Sprintf("d%d/f%d", i%3, i)
			if r.IntN(4) == 0 {
				os.Remove(p.path(name))
				return
			}
			os.MkdirAll(filepath.Dir(p.path(name)), 0o755)
			os.WriteFile(p.path(name), bytes.Repeat([]byte("x"), r.IntN(8)*12_000), 0o644)
		}
		for i := range 16 {
			put(i)
		}
		p.track(nil)
		step := p.take()
		for i := range 16 {
			put(i)
		}
		p.look()
		plan := p.plan(step)
		p.fill(p.path(".git"))
		before := p.snapshot()
		_, err := p.c.Rewind(t.Context(), plan, plan.Others...)
		if err == nil {
			continue
		}
		require.True(t, maps.Equal(before, p.snapshot()), "seed %d: %v", seed, err)
		failed++
		require.NoError(t, os.Remove(p.path(".git")))
		p.rewind(step)
	}
	require.NotZero(t, failed)
}
