//go:build unix

package commandline_test

import (
	"os/exec"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/need"
)

// operands are lines that show a word, and whether it is known not to begin with a dash.
var operands = map[string]bool{
	`x=$(git rev-parse HEAD); show "$x"`:                                          true,
	`x="$(git rev-parse HEAD)"; show "$x"`:                                        true,
	`x=$(git merge-base HEAD main) && show "${x}..HEAD"`:                          true,
	`x=$(git rev-parse HEAD) || true; show "$x:a.txt"`:                            true,
	"x=`git rev-parse HEAD`; if true; then show \"$x\"; fi":                       true,
	`x=$(git rev-parse --short HEAD 2>/dev/null); for i in 1; do show "$x"; done`: true,
	`show "$(git merge-base HEAD main)"`:                                          true,
	`show "$(git merge-base HEAD main)..HEAD"`:                                    true,
	`x=$(git rev-parse HEAD); y=$(git rev-parse main); show "$x$y"`:               true,
	`for x in a.txt 'b c'; do show "$x"; done`:                                    true,
	`for x in ./*; do show "$x"; done`:                                            true,
	`for x in a; do printf '%s\n' "$x"; show "$x"; done`:                          true,
	`x=$(git rev-parse HEAD); y=-o; show "$x"`:                                    true,

	`x=$(git rev-parse HEAD); show $x`:                          true,
	`show $(git rev-list -1 HEAD)`:                              true,
	`show main..$(git rev-list HEAD | head -n 1)`:               true,
	`for x in $(git rev-list HEAD); do show $x; done`:           true,
	`show "$(git log -1 --format=%h)"`:                          true,
	`git log --format=%h | while read -r x; do show "$x"; done`: true,
	`git rev-list HEAD | while read x; do show $x; done`:        true,
	`git rev-list HEAD | xargs true; show "$(pwd)"`:             true,
	`show "$(git rev-parse --show-toplevel)"`:                   true,

	`IFS=a; show $(git rev-list -1 HEAD)`:                                      false,
	`show $(git log -1 --format=%h)`:                                           false,
	`show "$(git log -1 --format=%s)"`:                                         false,
	`show $(git rev-list HEAD | head 1)`:                                       false,
	`show "$(pwd | tail -1)"`:                                                  false,
	`show $(git rev-list HEAD)$x`:                                              false,
	`show a$(git rev-list HEAD).$x`:                                            false,
	`show $(git rev-list --boundary HEAD)`:                                     false,
	`show "$x"`:                                                                false,
	`x=$(git rev-parse HEAD); show "$x-o"`:                                     false,
	`x=$(git rev-parse HEAD); show "$x"'-o'`:                                   false,
	`x=$(git rev-parse HEAD); show "$x$y"`:                                     false,
	`x=$(git rev-parse HEAD); show "$y$x"`:                                     false,
	`x=$(git rev-parse HEAD); show "$x$((0 - 5))"`:                             false,
	`x=$(git rev-parse HEAD); show "$x"*`:                                      false,
	`x=$(git rev-parse HEAD); show "$x"{-o,b}`:                                 false,
	`x=$(git rev-parse HEAD); show "${x:--o}"`:                                 false,
	`x=$(git rev-parse HEAD); show "${x#a}"`:                                   false,
	`x=$(git rev-parse HEAD); x=-o; show "$x"`:                                 false,
	`x=$(git rev-parse HEAD); x+=-o; show "$x"`:                                false,
	`false && x=$(git rev-parse HEAD); show "$x"`:                              false,
	`true || x=$(git rev-parse HEAD) && show "$x"`:                             false,
	`x=$(git rev-parse HEAD) | true; show "$x"`:                                false,
	`x=$(git rev-parse HEAD) & show "$x"`:                                      false,
	`x=$(git rev-parse HEAD) && true & show "$x"`:                              false,
	`(x=$(git rev-parse HEAD)); show "$x"`:                                     false,
	`if false; then x=$(git rev-parse HEAD); fi; show "$x"`:                    false,
	`for i in; do x=$(git rev-parse HEAD); done; show "$x"`:                    false,
	`show "$x"; x=$(git rev-parse HEAD)`:                                       false,
	`x=$(git rev-parse HEAD) show "$x"`:                                        false,
	`x=$(git rev-parse HEAD) >/nowhere/x; show "$x"`:                           false,
	`x=$(git rev-parse HEAD); read -r x <<< -o; show "$x"`:                     false,
	`x=$(git rev-parse HEAD); printf -vx %s -o; show "$x"`:                     false,
	`x=$(git rev-parse HEAD); v=x; printf -v"$v" %s -o; show "$x"`:             false,
	`x=$(git rev-parse HEAD); eval 'x=-o'; show "$x"`:                          false,
	`x=$(git rev-parse HEAD); unset x; show "${x=-o}"`:                         false,
	`x=$(git rev-parse HEAD); : $((x=-5)); show "$x"`:                          false,
	`x=$(git rev-parse HEAD); let x=-5; show "$x"`:                             false,
	`x=$(git rev-parse HEAD); declare x=-o; show "$x"`:                         false,
	`x=$(git rev-parse HEAD); for x in -o; do show "$x"; done`:                 false,
	`x=$(git rev-parse HEAD); select x in -o; do show "$x"; break; done <<< 1`: false,
	`git() { echo -o; }; x=$(git rev-parse HEAD); show "$x"`:                   false,
	`git() { echo -o; }; show "$(git rev-parse HEAD)"`:                         false,
	`eval 'git() { echo -o; }'; show "$(git rev-parse HEAD)"`:                  false,
	`x=$(git rev-parse --abbrev-ref HEAD); show "$x"`:                          false,
	`x=$(git rev-parse -- -o); show "$x"`:                                      false,
	`x=$(git rev-parse -o); show "$x"`:                                         false,
	`x=$(git merge-base --git-completion-helper); show "$x"`:                   false,
	`x=$(git rev-parse "$y"); show "$x"`:                                       false,
	`x=$(git rev-parse HEAD; echo -o); show "$x"`:                              false,
	`x=$(true | git rev-parse HEAD); show "$x"`:                                false,
	`x=-o$(git rev-parse HEAD); show "$x"`:                                     false,
	`x=$(echo -o); show "$x"`:                                                  false,
	`for x in a -o; do show "$x"; done`:                                        false,
	`for x in "$y"; do show "$x"; done`:                                        false,
	`for x in *; do show "$x"; done`:                                           false,
	`for x in 'a -o'; do show $x; done`:                                        false,
	`for x in a; do x=-o; show "$x"; done`:                                     false,
	`for x in ; do :; done; show "$x"`:                                         false,
	`for x in a; do for x in -o; do show "$x"; done; done`:                     false,
	`for x in a; do :; done; show "$x"`:                                        false,
	`for x in a; do f() { show "$x"; }; done; x=-o; f`:                         false,
	`for x in a; do trap 'show "$x"' EXIT; done; x=-o`:                         false,
	`for x in a; do bash -c 'show "$x"'; done`:                                 false,
	`for x; do show "$x"; done`:                                                false,
	`for x in {-o,a}; do show "$x"; done`:                                      false,
	`set -- a; for x in "$@"; do show "$x"; done`:                              false,
	`while true; do show "$x"; x=$(git rev-parse HEAD); break; done`:           false,
}

// TestOperands runs those that are known with hostile variables around them.
func TestOperands(t *testing.T) {
	need.Program(t, "bash", "git")
	repository := t.TempDir()
	testkit.Git(t, repository, "init", "-q", "-b", "main")
	testkit.Git(t, repository, "commit", "-q", "--allow-empty", "-m", "one")
	for line, want := range operands {
		parsed := commandline.Parse(line)
		got, shown := true, 0
		for _, c := range parsed.Commands {
			if len(c.Words) > 1 && c.Words[0].Text == "show" {
				shown++
				begin := c.Words[1].Prefix
				got = got && (c.Words[1].Operand || begin != "" && begin[0] != '-')
			}
		}
		require.Equal(t, want, got && shown > 0 && parsed.Unknown == "", line)
		if !want {
			continue
		}
		cmd := exec.Command("bash", "-c", `show() { for w; do case $w in -*) echo "an option: $w"; esac; done; echo shown; }
			`+line)
		cmd.Dir = repository
		cmd.Env = []string{"x=-o", "y=-o", "PATH=/usr/local/bin:/usr/bin:/bin"}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", line, out)
		require.Contains(t, string(out), "shown", line)
		require.NotContains(t, string(out), "an option", line)
	}
}

// TestDirs knows the words that end in a slash.
func TestDirs(t *testing.T) {
	for line, want := range map[string]bool{
		`for d in */; do find "$d"; done`:                true,
		`for d in */ a -b/; do find "${d}"; done`:        true,
		`for d in */; do find $d; done`:                  false,
		`for d in */; do find "$d"x; done`:               false,
		`for d in */; do find "x$d"; done`:               false,
		`for d in *; do find "$d"; done`:                 false,
		`for d in */ -o; do find "$d"; done`:             false,
		`for d in */ "$x"; do find "$d"; done`:           false,
		`for d in */; do d=-o; find "$d"; done`:          false,
		`for d in */; do find "${d%/}"; done`:            false,
		`for d in */; do :; done; find "$d"`:             false,
		`for d in */; do sh -c 'find "$d"'; done`:        false,
		`for d in -x/*/ ; do read -r d; find "$d"; done`: false,
	} {
		commands := commandline.Parse(line).Commands
		got := false
		for _, c := range commands {
			got = got || len(c.Words) > 1 && c.Words[0].Text == "find" && c.Words[1].Dir
		}
		require.Equal(t, want, got, line)
	}
}
