package readonly_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/testkit"
)

var (
	helpGNU = regexp.MustCompile(`(?m)^ +(?:(-[A-Za-z0-9])(?:, +| ))?(--[a-z][a-z0-9-]+)(\[=|=| <|\[<)?`)
	helpGit = regexp.MustCompile(`(?m)^ +(?:(-[A-Za-z0-9]), )?(--(?:\[no-\])?[a-z][a-z0-9-]+)(\[=| <|\[<)?`)
)

// TestTakes compares with what programs say of themselves: an option that takes a value, and of which the table does
// not know it, would swallow a "--", and what follows would not be operands.
func TestTakes(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs programs")
	}
	p := newPlace(t)
	takes := map[string]map[string]string{}
	for _, l := range readonly.Table() {
		if l.Does == "" {
			if takes[l.Command] == nil {
				takes[l.Command] = map[string]string{}
			}
			takes[l.Command][l.Option] = l.Takes
		}
	}
	compared := 0
	for command, options := range takes {
		name, _, _ := strings.Cut(command, " ")
		if name == "fd" {
			name, command = "fdfind", "fdfind"
		}
		if name == "awk" || name == "find" || name == "npm" {
			continue
		}
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		help, pattern := " --help", helpGNU
		if name == "git" {
			help, pattern = " -h", helpGit
		}
		out, _ := p.run(command+help, nil)
		for _, m := range pattern.FindAllStringSubmatch(out, -1) {
			says := map[string]string{"": "flag", "=": "value", " <": "value", "[=": "optional", "[<": "optional"}[m[3]]
			for _, o := range []string{m[1], strings.Replace(m[2], "[no-]", "", 1)} {
				if table, ok := options[o]; o != "" && ok {
					// sort has two lines for --check, and git takes the --merged behind which nothing is.
					known := o == "--check" || o == "-C" || strings.HasSuffix(o, "merged")
					if compared++; table != says && says == "value" && !known {
						t.Errorf("%s %s: the table says %s, it says %s: %s", command, o, table, says, m[0])
					}
				}
			}
		}
	}
	if t.Log(compared, "options compared"); compared < 300 {
		t.Error("too few")
	}
}
