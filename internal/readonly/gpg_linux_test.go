package readonly_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// signed is a script that makes a signed commit and a signed tag, and has git check them by run.sh.
const signed = `
	git config gpg.program ./run.sh
	signature='-----BEGIN PGP SIGNATURE-----\n%s\n%sx\n%s-----END PGP SIGNATURE-----\n'
	{ printf 'tree %s\nparent %s\nauthor x <x@x> 1 +0000\ncommitter x <x@x> 1 +0000\ngpgsig ' $(git rev-parse HEAD: HEAD)
		printf -- "$signature" ' ' ' ' ' '; printf '\nsigned\n'; } >new
	git reset -q --hard $(git hash-object -w -t commit new)
	{ printf 'object %s\ntype commit\ntag s\ntagger x <x@x> 1 +0000\n\nm\n' $(git rev-parse HEAD)
		printf -- "$signature" '' '' ''; } >new
	git update-ref refs/tags/s $(git hash-object -w -t tag new)`

// TestNoGPG gives each option of git that takes a value one that has git check signatures.
func TestNoGPG(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs hundreds of programs")
	}
	p := newPlace(t)
	if out, err := p.run(signed, nil); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ran := filepath.Join(p.tree, "ran.txt")
	runs := func(line string) bool {
		os.Remove(ran)
		p.run(line, nil)
		_, err := os.Stat(ran)
		return err == nil
	}
	require.True(t, runs("git log '--format=%G?'"), "git runs nothing to check a signature")
	require.True(t, runs("git show --show-signature s"), "git runs nothing to check a signature")
	for _, l := range readonly.Table() {
		if !strings.HasPrefix(l.Command, "git ") || l.Does != "" || l.Takes == "flag" {
			continue
		}
		for _, value := range []string{"%GK", "signature"} {
			line := l.Command + " " + l.Option + "=" + value + " HEAD"
			if len(l.Option) == 2 {
				line = l.Command + " " + l.Option + value + " HEAD"
			}
			assert.False(t, readonly.Check(words(line)) == "" && runs(line), "%s runs gpg", line)
		}
	}
}
