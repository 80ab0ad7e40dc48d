package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// flaky returns a step of tests of which one fails at the first run, with that output, and passes when it is run again.
func flaky(name, test, printed string) step {
	return step{name: name, tests: true, check: func(_ context.Context, out *output, only string) error {
		switch only {
		case "":
			fmt.Fprintf(out, "--- FAIL: %s (0.00s)\n%s", test, printed)
			return errors.New("exit status 1")
		case "^(" + test + ")$":
			return nil
		}
		return fmt.Errorf("%s was run again", only)
	}}
}

// passing counts how often it is run.
func passing(ran *atomic.Int32) step {
	return step{name: "passing", check: func(context.Context, *output, string) error {
		ran.Add(1)
		return nil
	}}
}

// TestRunAgain has a failed test pass at its second run, which is accepted once.
func TestRunAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir(filepath.Dir(once), 0o755))
	var ran atomic.Int32
	require.NoError(t, runSteps(t.Context(), io.Discard, []step{flaky("a", "TestA", ""), passing(&ran), flaky("b", "TestB", "")}))
	require.EqualValues(t, 1, ran.Load())
	fails := func(context.Context, *output, string) error { return errors.New("no") }
	for name, steps := range map[string][]step{
		"in two steps":   {flaky("a", "TestA", ""), flaky("b", "TestA", "")},
		"a data race":    {flaky("a", "TestA", "WARNING: DATA RACE\n")},
		"a panic":        {flaky("a", "TestA", "panic: oh\n")},
		"no test named":  {{name: "a", tests: true, check: fails}},
		"not a test":     {{name: "a", check: flaky("a", "TestA", "").check}},
		"fails again":    {flaky("a", "TestA", "--- FAIL: TestB (0.00s)\n")},
		"fails at first": {{name: "a", check: fails}, passing(&ran)},
	} {
		require.Error(t, runSteps(t.Context(), io.Discard, steps), name)
	}
	require.NoError(t, os.WriteFile(once, []byte("TestA\n"), 0o644))
	require.ErrorContains(t, runSteps(t.Context(), io.Discard, []step{flaky("a", "TestA", "")}), "not for the first time: TestA")
	require.NoError(t, runSteps(t.Context(), io.Discard, []step{flaky("b", "TestB", "")}))
}

// TestNamed chooses steps by their names and kinds.
func TestNamed(t *testing.T) {
	all := []step{{name: "quick", onlyAsked: true}, {name: "race:a"}, {name: "race:b"}, {name: "check"}, {name: "386:a", nightly: true}}
	for _, tt := range []struct {
		asked, want []string
	}{
		{nil, []string{"race:a", "race:b", "check"}},
		{[]string{"race"}, []string{"race:a", "race:b"}},
		{[]string{"check", "race:b"}, []string{"race:b", "check"}},
		{[]string{"quick"}, []string{"quick"}},
		{[]string{"nightly"}, []string{"386:a"}},
		{[]string{"nightly", "check"}, []string{"check", "386:a"}},
		{[]string{"all"}, []string{"race:a", "race:b", "check", "386:a"}},
		{[]string{"386"}, []string{"386:a"}},
	} {
		steps, err := named(all, tt.asked)
		require.NoError(t, err)
		var names []string
		for _, s := range steps {
			names = append(names, s.name)
		}
		require.Equal(t, tt.want, names)
	}
	_, err := named(all, []string{"check", "races"})
	require.EqualError(t, err, "there is no step races; .ci/run -list names them")
}
