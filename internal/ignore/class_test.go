package ignore

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestClassesAgainstGit tries random bracket expressions on every byte there is.
func TestClassesAgainstGit(t *testing.T) {
	g := newGit(t)
	const count = 60
	seeds := 8 * max(1, uint64(*decisions)/50_000)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 4))
		n := &round{g: g, files: map[rulesFile][]string{}, ignoreCase: seed%2 == 1}
		n.join = func(lines []string) string { return strings.Join(lines, "\n") }
		var lines []string
		for i := range count {
			line := randomClass(r, byte(' '+r.IntN(0x60)))
			if i < len(posixClasses) {
				line = "[[:" + posixClasses[i] + ":]]"
			}
			line = fmt.Sprintf("%02d%s", i, line)
			lines = append(lines, line)
			for c := 1; c < 256; c++ {
				if c != '/' {
					n.tree = append(n.tree, entry{path: line[:2] + string([]byte{byte(c)})})
				}
			}
		}
		n.files[""] = lines
		for range 3 {
			path, _, _ := n.wrong()
			if path == "" {
				break
			}
			i, _ := strconv.Atoi(path[:2])
			t.Errorf("seed %d: %q with ignoreCase %v: ours and git's differ for %q", seed, lines[i][2:], n.ignoreCase, path[2:])
			lines[i] = "none"
		}
	}
}
