package match

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A pattern that can be compiled lacks nothing, and is left as it is.
func FuzzPerl(f *testing.F) {
	for _, seed := range []string{`[(?=]\Q(?!\E[]\K][[:alpha:](?<=]`, `\(?=a++`, `(?P<a>b)(?i:c)*?\\1`, `a{1,2}?\Q\1`, `(?<=a)(?#(?>`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if len(pattern) > 1000 {
			t.Skip()
		}
		lacks, meant := Perl(pattern)
		if _, err := Compile(pattern, Options{}); err != nil {
			return
		}
		require.Empty(t, lacks, pattern)
		require.Equal(t, pattern, meant)
	})
}
