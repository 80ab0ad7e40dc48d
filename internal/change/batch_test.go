package change

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// watched is a context that calls look whenever it is asked whether it has ended.
type watched struct {
	context.Context
	look func()
}

func (w watched) Err() error {
	w.look()
	return w.Context.Err()
}

// The error of a change that another one outlives names both files.
func TestNotUndone(t *testing.T) {
	dir, set, open := newSet(t)
	changes := []Change{{File: open("new"), Content: []byte("x\n")}, {File: open("b"), Content: []byte("y\n")}}
	ctx := watched{t.Context(), func() { // once new is there, it goes, and what is to become b too
		if os.Remove(filepath.Join(dir, "new")) == nil {
			temps, _ := filepath.Glob(filepath.Join(dir, ".spillway-*.tmp"))
			for _, temp := range temps {
				os.Remove(temp)
			}
		}
	}}
	_, err := set.Commit(ctx, changes...)
	bad, ok := errors.AsType[*NotUndoneError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "new", bad.Name)
	failed, ok := errors.AsType[*PathError](bad.Err)
	require.True(t, ok, "%v", bad.Err)
	require.Equal(t, "b", failed.Name)
}
