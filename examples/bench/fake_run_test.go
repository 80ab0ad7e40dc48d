package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// quick are options for a server that answers at once.
func quick(t *testing.T) options {
	scratch, err := os.MkdirTemp(scratchDir(), "bench") // in memory: there are many files
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(scratch)) })
	return options{scratch: scratch, patience: 20 * time.Second, rest: 3 * time.Second, rounds: 1}
}

// loaded returns the cases that match, but for those that take a gigabyte or a second.
func loaded(t *testing.T, pattern string) []*benchCase {
	list, err := loadCases(embedded, regexp.MustCompile(pattern))
	require.NoError(t, err)
	heavy := regexp.MustCompile(`^speed/|long-line-|sparse|endless|no-newline`)
	return slices.DeleteFunc(list, func(c *benchCase) bool { return heavy.MatchString(c.Name) })
}

// failures are the cases that a suite fails.
func failures(t *testing.T, cases []*benchCase, s *suite) (names []string, why []string) {
	r, err := measure(t.Context(), cases, []*suite{s}, quick(t), io.Discard)
	require.NoError(t, err)
	for _, one := range r.Results {
		require.NotEqual(t, skipped, one.Status, "%s: %s", one.Case, one.Why)
		if one.Status == failed {
			names = append(names, one.Case)
			why = append(why, one.Failed...)
		}
	}
	return names, why
}

// A suite without a fault passes all cases.
func TestPerfect(t *testing.T) {
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			names, why := failures(t, loaded(t, "^"+family+"/"), newFake(""))
			require.Empty(t, names, why)
		})
	}
}

// A server over HTTP serves all cases, and needs the header that is given.
func TestHTTP(t *testing.T) {
	o := quick(t)
	o.workspace = t.TempDir()
	w := &world{root: t.TempDir(), dir: o.workspace, base: o.workspace}
	require.NoError(t, os.Mkdir(w.temp(), 0o755))
	_, server := serving(w, "")
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer x" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer listening.Close()
	cases := loaded(t, `^edits/|^paging/(log|list)|^tasks/(menu|slow)`)
	_, err := measure(t.Context(), cases, []*suite{served(listening.URL, nil, nil)}, o, io.Discard)
	require.ErrorContains(t, err, "is not ready")
	r, err := measure(t.Context(), cases, []*suite{served(listening.URL, nil, http.Header{"Authorization": {"Bearer x"}})}, o, io.Discard)
	require.NoError(t, err)
	for _, one := range r.Results {
		require.Equal(t, passed, one.Status, "%s: %s %v", one.Case, one.Why, one.Failed)
	}
}
