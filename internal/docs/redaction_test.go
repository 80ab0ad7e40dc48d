package docs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/redact"
)

// TestKinds has the page about redaction list the kinds: those that are keys, those that are tokens, and the others.
func TestKinds(t *testing.T) {
	var keys, tokens, others []string
	for _, name := range redact.KindNames() {
		if key, ok := strings.CutSuffix(name, " key"); ok {
			keys = append(keys, key)
		} else if token, ok := strings.CutSuffix(name, " token"); ok {
			tokens = append(tokens, token)
		} else {
			others = append(others, name)
		}
	}
	text := fmt.Sprintf("**Keys**: %s. **Tokens**: %s. **Others**: %s.\n",
		strings.Join(keys, ", "), strings.Join(tokens, ", "), strings.Join(others, ", "))
	generated(t, filepath.Join(root, "docs", "redaction.md"), "kinds", wrapped(text))
}
