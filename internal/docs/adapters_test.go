package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// minimum is how go.mod names the oldest version of an SDK; `.ci/run minimum` tests it.
	minimum = regexp.MustCompile(`(?m)^\s*(?:require )?(\S+) (v\S+) // minimum (v\S+)$`)
	needsGo = regexp.MustCompile(`(?m)^go (\S+)$`)
)

// The manual says of every adapter which versions of its SDK are tested, and which Go they need.
func TestVersionsOfAdapters(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/adapters.md"))
	require.NoError(t, err)
	adapters, err := filepath.Glob(filepath.Join(root, "examples/adapters/*tools"))
	require.NoError(t, err)
	require.Len(t, adapters, 10)
	for _, dir := range adapters {
		file := filepath.Join(dir, "go.mod")
		if filepath.Base(dir) == "mcptools" {
			file = filepath.Join(root, "go.mod")
		}
		module, err := os.ReadFile(file)
		require.NoError(t, err)
		m, needs := minimum.FindSubmatch(module), needsGo.FindSubmatch(module)
		require.NotNil(t, m, "%s names no minimum", file)
		row := fmt.Sprintf("| %s | `%s` | %s | %s | %s |\n", filepath.Base(dir), m[1], m[3], m[2], strings.TrimSuffix(string(needs[1]), ".0"))
		require.Contains(t, string(page), row)
	}
}
