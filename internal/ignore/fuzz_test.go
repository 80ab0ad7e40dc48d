package ignore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// FuzzRules compares a file of rules with files of one line each, of which the last
// that matches decides.
func FuzzRules(f *testing.F) {
	for _, idiom := range idioms {
		f.Add(idiom+"\n!a*\n*.o/", "a/b/c.o", false)
	}
	f.Add("a[!b-\\]]?\r\n!/x\\ \n**/é*/**\n", "x/\xff/a c", true)
	f.Fuzz(func(t *testing.T, content, path string, fold bool) {
		if len(content) > 200 || len(path) > 40 || strings.ContainsRune(path, 0) {
			t.Skip()
		}
		for name := range strings.SplitSeq(path, "/") {
			if name == "" || lower(name) == ".git" {
				t.Skip()
			}
		}
		for _, p := range []string{path, path + "/"} {
			got := ignoredAt(dirOf(content, fold), p)
			want := false
			for line := range strings.SplitSeq(strings.TrimPrefix(content, "\xef\xbb\xbf"), "\n") {
				rest, negated := strings.CutPrefix(line, "!")
				if negated && strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "!") {
					rest = `\` + rest
				}
				if ignoredAt(dirOf("\n"+rest, fold), p) { // no byte order mark counts there
					want = !negated
				}
			}
			assert.Equal(t, want, got, "%q, %q (fold %v): %v, one by one %v", content, p, fold, got, want)
		}
		// Whatever the name, there is a pattern for it.
		quoted := quote(path)
		if !fold && !ignoredAt(dirOf(content+"\n/"+quoted, false), path) {
			t.Errorf("%q does not match what it quotes", quoted)
		}
	})
}

func quote(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] == '\n' || path[i] == '\r' {
			b.WriteByte('?') // no line can hold the one, or end in the other
			continue
		}
		if path[i] != '/' {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}
