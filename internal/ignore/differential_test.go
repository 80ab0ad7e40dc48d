package ignore

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	gitignore "github.com/sabhiram/go-gitignore"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

var (
	decisions = flag.Int("ignore.decisions", 50_000, "how many decisions to compare with those of git")
	firstSeed = flag.Uint64("ignore.seed", 1, "the seed of the first random tree")
)

// git runs git where no configuration of the user's reaches it.
type git struct {
	t     *testing.T
	path  string
	home  string
	root  string // of the repository
	newer bool   // 2.52 or later
}

// newGit makes a repository, or skips the test where git is not installed.
func newGit(t *testing.T) *git {
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	g := &git{t: t, path: path, home: testkit.IsolateGit(t), root: t.TempDir()}
	g.run(g.root, nil, "init", "-q")
	version := regexp.MustCompile(`(\d+)\.(\d+)`).FindStringSubmatch(g.run(g.root, nil, "version"))
	if version != nil {
		major, _ := strconv.Atoi(version[1])
		minor, _ := strconv.Atoi(version[2])
		g.newer = major > 2 || major == 2 && minor >= 52
	}
	return g
}

func (g *git) run(dir string, stdin []byte, args ...string) string {
	g.t.Helper()
	cmd := exec.Command(g.path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 || stderr.Len() > 0) {
		g.t.Fatalf("git %q in %s: %v\n%s", args, dir, err, stderr.Bytes())
	}
	return string(out)
}

// ignored asks git for the paths that are ignored. "./" keeps it from taking a
// colon in front for pathspec magic.
func (g *git) ignored(paths []string) map[string]bool {
	out := g.run(g.root, []byte("./"+strings.Join(paths, "\x00./")+"\x00"), "check-ignore", "--no-index", "-z", "--stdin")
	set := map[string]bool{}
	for p := range strings.SplitSeq(out, "\x00") {
		if p != "" {
			set[p[len("./"):]] = true
		}
	}
	return set
}

// misread matches the patterns that git before 2.52 took wrongly: a path with a
// literal beginning that ends in "**".
var misread = regexp.MustCompile(`^!?/?[^*?\[\\]*[^*?\[\\/]\*\*+(/|\\/|\s*$|\s*\x00)`)

func (g *git) accepts(line string) bool {
	return !strings.Contains(line, "\n") && (g.newer || !misread.MatchString(line))
}

// rulesFile names a file of rules as it is in a round: that of a directory
// ("" is the root), or one of those outside of the tree.
type rulesFile string

const (
	infoExclude rulesFile = ":exclude"
	userExclude rulesFile = ":user"
)

// round is one set of files of rules over a tree.
type round struct {
	g          *git
	tree       []entry
	files      map[rulesFile][]string
	join       func(lines []string) string
	ignoreCase bool
}

func (n *round) where(f rulesFile) string {
	switch f {
	case infoExclude:
		return filepath.Join(n.g.root, ".git", "info", "exclude")
	case userExclude:
		return filepath.Join(n.g.home, "xdg", "git", "ignore")
	}
	return filepath.Join(n.g.root, string(f), FileName)
}

func (n *round) write() {
	for f, lines := range n.files {
		testkit.WriteFile(n.g.t, n.where(f), n.join(lines))
	}
	config := fmt.Sprintf("[core]\n\tignoreCase = %v\n", n.ignoreCase)
	testkit.WriteFile(n.g.t, filepath.Join(n.g.home, ".gitconfig"), config)
}

func (n *round) remove() {
	for f := range n.files {
		require.NoError(n.g.t, os.Remove(n.where(f)))
	}
}

// decide walks the tree in memory and returns what is ignored, and how many
// entries the rules were asked about.
func (n *round) decide() (ignored map[string]bool, asked int) {
	top, err := Top(n.g.t.Context(), n.g.root, Options{})
	require.NoError(n.g.t, err)
	ignored = map[string]bool{}
	dirs := map[string]*Dir{"": top}
	for _, e := range n.tree {
		parent, name := "", e.path
		if i := strings.LastIndexByte(e.path, '/'); i >= 0 {
			parent, name = e.path[:i], e.path[i+1:]
		}
		d := dirs[parent]
		if d == nil {
			ignored[e.path] = true // below an ignored directory
			continue
		}
		asked++
		if d.Ignored(name, e.dir) {
			ignored[e.path] = true
		} else if e.dir {
			var content []byte
			if lines, ok := n.files[rulesFile(e.path)]; ok {
				content = []byte(n.join(lines))
			}
			dirs[e.path] = d.Enter(name, content, false)
		}
	}
	return ignored, asked
}

// wrong compares with git, and returns the first path for which it decides otherwise.
// theirs is what git ignores.
func (n *round) wrong() (path string, asked int, theirs map[string]bool) {
	n.write()
	defer n.remove()
	ours, asked := n.decide()
	paths := make([]string, len(n.tree))
	for i, e := range n.tree {
		paths[i] = e.path
	}
	theirs = n.g.ignored(paths)
	for _, p := range paths {
		if ours[p] != theirs[p] {
			return p, asked, theirs
		}
	}
	return "", asked, theirs
}

// others compares go-gitignore with git, in the directories that git does not ignore. It
// reads one file of rules, and knows no core.ignoreCase.
func (n *round) others(theirs map[string]bool) (asked, wrong int) {
	if len(n.files) > 1 || n.ignoreCase {
		return 0, 0
	}
	rules := gitignore.CompileIgnoreLines(strings.Split(n.join(n.files[""]), "\n")...)
	for _, e := range n.tree {
		if dir := path.Dir(e.path); theirs[dir] {
			continue
		}
		p := e.path
		if e.dir {
			p += "/"
		}
		if asked++; rules.MatchesPath(p) != theirs[e.path] {
			wrong++
		}
	}
	return asked, wrong
}

func (n *round) String() string {
	var b strings.Builder
	for f, lines := range n.files {
		fmt.Fprintf(&b, "rules %q: %q\n", string(f), n.join(lines))
	}
	fmt.Fprintf(&b, "ignoreCase: %v", n.ignoreCase)
	return b.String()
}

// TestAgainstGit compares decisions with those of git over random trees and random
// rules, and logs how often go-gitignore decides otherwise. -ignore.decisions says how
// many; a million takes half a minute.
func TestAgainstGit(t *testing.T) {
	g := newGit(t)
	total, wrong, others, othersWrong := 0, 0, 0, 0
	most := *decisions
	if testing.Short() {
		most /= 10
	}
	for seed := *firstSeed; total < most && wrong < 5; seed++ {
		r := rand.New(rand.NewPCG(seed, 0))
		tree := randomTree(r, 300)
		makeTree(t, g.root, tree, r)
		for i := 0; i < 25 && total < most; i++ {
			n := randomRound(r, g, tree)
			path, asked, theirs := n.wrong()
			total += asked
			asked, differs := n.others(theirs)
			others, othersWrong = others+asked, othersWrong+differs
			if path == "" {
				continue
			}
			wrong++
			n.write()
			why := g.run(g.root, []byte("./"+path), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
			n.remove()
			t.Errorf("seed %d round %d: %q: ignored by git: %v, %q\n%s", seed, i, path, theirs[path], why, n)
			break
		}
		clearTree(t, g.root)
	}
	t.Logf("%d of %d decisions differ from git's; of go-gitignore's, by one file, %d of %d",
		wrong, total, othersWrong, others)
}

func randomRound(r *rand.Rand, g *git, tree []entry) *round {
	n := &round{g: g, tree: tree, files: map[rulesFile][]string{}, ignoreCase: oneIn(r, 3)}
	style := r.Uint64()
	n.join = func(lines []string) string { return file(rand.New(rand.NewPCG(style, 1)), lines) }
	n.files[""] = randomLines(r, tree, "", g.accepts)
	if oneIn(r, 4) {
		return n
	}
	for range 4 {
		if e := pick(r, tree); e.dir {
			n.files[rulesFile(e.path)] = randomLines(r, tree, e.path, g.accepts)
		}
	}
	for _, f := range []rulesFile{infoExclude, userExclude} {
		if oneIn(r, 3) {
			n.files[f] = randomLines(r, tree, "", g.accepts)
		}
	}
	return n
}

// makeTree makes the tree on the disk. Some entries that are not directories
// are symbolic links to one, or to nothing.
func makeTree(t *testing.T, root string, tree []entry, r *rand.Rand) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("a file system that takes names of any bytes is needed")
	}
	for _, e := range tree {
		p := filepath.Join(root, filepath.FromSlash(e.path))
		var err error
		switch {
		case e.dir:
			err = os.Mkdir(p, 0o777)
		case oneIn(r, 10):
			err = os.Symlink(pick(r, []string{".", "nothing"}), p)
		default:
			err = os.WriteFile(p, nil, 0o666)
		}
		require.NoError(t, err)
	}
}

// clearTree removes all but .git.
func clearTree(t *testing.T, root string) {
	t.Helper()
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != ".git" {
			require.NoError(t, os.RemoveAll(filepath.Join(root, e.Name())))
		}
	}
}
