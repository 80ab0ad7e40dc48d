package gitdir

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

func configList(content string) []string {
	var list []string
	parseConfig(content, func(section, key, value string) bool {
		list = append(list, section+"."+key+"="+value)
		return true
	})
	return list
}

func TestParseConfig(t *testing.T) {
	tests := []struct {
		content string
		want    []string
	}{
		{"", nil},
		{"[core]\n\texcludesFile = ~/x\n", []string{"core.excludesfile=~/x"}},
		{"\xef\xbb\xbf[Core] IgnoreCase\r\n", []string{"core.ignorecase=true"}},
		{"[core]a=1\n[core]\nb=2", []string{"core.a=1", "core.b=2"}},
		{`[includeIf "gitdir:~/Work/"]` + "\npath = w\n", []string{"includeif.gitdir:~/Work/.path=w"}},
		{`[a "b\"c\\d\e"]` + "\nk=v\n", []string{`a.b"c\de.k=v`}},
		{"[A.B]\nk=v\n", []string{"a.b.k=v"}},
		{"[a]\nk = b  c \t# comment\nl = d;e\n", []string{"a.k=b  c", "a.l=d"}},
		{"[a]\nk = \"  b # c \" d\n", []string{"a.k=  b # c  d"}},
		{"[a]\nk = b\\\n c\nl = d\\n\\t\\\"\\\\e\n", []string{"a.k=b c", "a.l=d\n\t\"\\e"}},
		{"# x\n; y\n[a] ; z\n k = # none\n", []string{"a.k="}},
		{"[a]\nk = \"\" \n", []string{"a.k="}},
		// Malformed: what came before counts.
		{"[a]\nk=1\nl ! 2\nm=3\n", []string{"a.k=1"}},
		{"[a]\nk=1\nl=\"2\nm=3\n", []string{"a.k=1"}},
		{"[a]\nk=1\nl=\\x\n", []string{"a.k=1"}},
		{"[a]\nk=1\n[b\n", []string{"a.k=1"}},
		{"k=1\n", nil},
		{"[a \"b\nc\"]\nk=1\n", nil},
		{"[a]\n1k=1\n", nil},
		{"[]\n[a]\nk=1\n", nil},
		{"[a]\nk=1\nl", []string{"a.k=1", "a.l=true"}},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, configList(tt.content), "%q", tt.content)
	}
}

// TestParseConfigAgainstGit compares random files that git accepts.
func TestParseConfigAgainstGit(t *testing.T) {
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	home := testkit.IsolateGit(t)
	pieces := []string{"a", "B", "key", " ", "  ", "\t", "=", "=", " = ", "\n", "\n", "\r\n", "\\\n", "\\\"", "\\\\",
		"\\n", "\\t", "\"", "\"x y\"", "#", ";", "[b]\n", "[c \"D e\"]\n", "[f.G]", "-", "1", "~/", "é"}
	accepted := 0
	rounds, least := 300, 50
	if testing.Short() {
		rounds, least = 100, 10
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 3))
		content := "[core]\n"
		for range 1 + r.IntN(5) {
			if r.IntN(2) == 0 {
				content += []string{"k", "K-2 ", "path\t"}[r.IntN(3)] + []string{"=", " = ", ""}[r.IntN(3)]
			}
			for range r.IntN(6) {
				content += pieces[r.IntN(len(pieces))]
			}
			content += "\n"
		}
		file := filepath.Join(home, "config")
		testkit.WriteFile(t, file, content)
		out, err := exec.Command(path, "config", "--file", file, "--list", "-z").Output()
		if err != nil {
			continue // git refuses it
		}
		accepted++
		var want []string
		for variable := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if name, value, ok := strings.Cut(variable, "\n"); ok {
				want = append(want, name+"="+value)
			} else if name != "" {
				want = append(want, name+"=true")
			}
		}
		got := configList(content)
		for _, list := range [][]string{got, want} {
			for i := range list {
				// Before 2.45 git made a space of a tab, and kept one in front
				// of a continuation with nothing in it.
				list[i] = strings.TrimRight(strings.ReplaceAll(list[i], "\t", " "), " ")
			}
		}
		assert.Equal(t, want, got, "seed %d: %q\ngot  %q\nwant %q", seed, content, got, want)
	}
	require.GreaterOrEqual(t, accepted, least)
}

// match is a Matcher for patterns without special cases.
func match(pattern, path string, fold bool) bool {
	if fold {
		pattern, path = strings.ToLower(pattern), strings.ToLower(path)
	}
	return doublestar.MatchUnvalidated(pattern, path)
}

// TestSettings looks where core.excludesFile and core.ignoreCase come from.
func TestSettings(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string // below the home directory
		env   map[string]string // $HOME stands for the home directory
		want  string            // below the home directory, "" for none
		fold  bool
		// outside is what git reads instead, below the home directory if it does not begin with a slash
		outside string
	}{
		{name: "default", want: "xdg/git/ignore"},
		{name: "default without XDG", env: map[string]string{"XDG_CONFIG_HOME": ""}, want: ".config/git/ignore"},
		{name: "home", files: map[string]string{".gitconfig": "[core]\nexcludesFile=~/a\n"}, want: "a"},
		{name: "XDG", files: map[string]string{"xdg/git/config": "[core]\nexcludesFile=~/a\n"}, want: "a"},
		{name: "home after XDG", files: map[string]string{
			"xdg/git/config": "[core]\nexcludesFile=~/a\n", ".gitconfig": "[core]\nexcludesFile=~/b\n"}, want: "b"},
		{name: "repository last", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/b\n", "r/.git/config": "[core]\nexcludesFile=.git/c\nignoreCase\n"}, want: "r/.git/c", fold: true},
		{name: "repository: none", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/b\n", "r/.git/config": "[core]\nexcludesFile=\n"}},
		{name: "repository: the user's home", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/b\n", "r/.git/config": "[core]\nexcludesFile=~/c\n"}, outside: "c"},
		{name: "repository: a user's home", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/b\n", "r/.git/config": "[core]\nexcludesFile=~nobody/c\n"}, outside: "~nobody/c"},
		{name: "repository: outside, then inside", files: map[string]string{
			"r/.git/config": "[core]\nexcludesFile=~/c\nexcludesFile=c\n"}, want: "r/c"},
		{name: "repository: outside", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/b\n", "r/.git/config": "[core]\nexcludesFile=../c\nexcludesFile=/c\n"}, outside: "/c"},
		{name: "repository: included", files: map[string]string{
			"r/.git/config": "[include]\npath=../more\n", "r/more": "[core]\nexcludesFile=c\n"}, want: "r/c"},
		{name: "repository: included from outside", files: map[string]string{
			"r/.git/config": "[include]\npath=../../more\n[include]\npath=~/more\n[includeIf \"gitdir:**\"]\npath=../../more\n",
			"more":          "[core]\nexcludesFile=c\nignoreCase\n"}, want: "xdg/git/ignore", outside: "more"},
		{name: "relative to the root", files: map[string]string{"r/.git/config": "[core]\nexcludesFile=d/e\n"}, want: "r/d/e"},
		{name: "empty", files: map[string]string{".gitconfig": "[core]\nexcludesFile=\n"}},
		{name: "GIT_CONFIG_GLOBAL", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/b\n", "g": "[core]\nexcludesFile=~/c\n"},
			env: map[string]string{"GIT_CONFIG_GLOBAL": "$HOME/g"}, want: "c"},
		{name: "GIT_CONFIG_SYSTEM", files: map[string]string{"s": "[core]\nexcludesFile=~/c\n"},
			env: map[string]string{"GIT_CONFIG_SYSTEM": "$HOME/s", "GIT_CONFIG_NOSYSTEM": "0"}, want: "c"},
		{name: "GIT_CONFIG_NOSYSTEM", files: map[string]string{"s": "[core]\nexcludesFile=~/c\n"},
			env: map[string]string{"GIT_CONFIG_SYSTEM": "$HOME/s"}, want: "xdg/git/ignore"},
		{name: "GIT_CONFIG_COUNT", files: map[string]string{"r/.git/config": "[core]\nexcludesFile=~/c\n"},
			env: map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.excludesFile", "GIT_CONFIG_VALUE_0": "~/d"}, want: "d"},
		{name: "include", files: map[string]string{
			".gitconfig": "[core]\nexcludesFile=~/a\n[include]\npath=sub/more\n", "sub/more": "[core]\nexcludesFile=~/b\n"}, want: "b"},
		{name: "include, then set", files: map[string]string{
			".gitconfig": "[include]\npath=~/more\n[core]\nexcludesFile=~/a\n", "more": "[core]\nexcludesFile=~/b\n"}, want: "a"},
		{name: "include itself", files: map[string]string{".gitconfig": "[include]\npath=.gitconfig\n[core]\nignoreCase=on\n"},
			want: "xdg/git/ignore", fold: true},
		{name: "includeIf", files: map[string]string{
			".gitconfig": "[includeIf \"gitdir:~/r/\"]\npath=a\n[includeIf \"gitdir:~/x/\"]\npath=b\n[includeIf \"gitdir/i:R/.GIT\"]\npath=c\n",
			"a":          "[core]\nexcludesFile=~/in-a\n", "b": "[core]\nexcludesFile=~/in-b\n", "c": "[core]\nignoreCase=1\n"},
			want: "in-a", fold: true},
		{name: "includeIf, by the whole path", files: map[string]string{
			".gitconfig": "[includeIf \"gitdir:~/r/.git\"]\npath=a\n[includeIf \"gitdir:~/r\"]\npath=b\n",
			"a":          "[core]\nexcludesFile=~/in-a\n", "b": "[core]\nignoreCase=1\n"}, want: "in-a"},
		{name: "worktree", files: map[string]string{
			"r/.git/config":          "[extensions]\nworktreeConfig=true\n",
			"r/.git/config.worktree": "[core]\nexcludesFile=w\n"}, want: "r/w"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "repository: outside" && !filepath.IsAbs("/") {
				t.Skip("/c is relative to the repository here")
			}
			home := testkit.IsolateGit(t)
			root := filepath.Join(home, "r")
			testkit.FakeRepository(t, root)
			for name, content := range tt.files {
				testkit.WriteFile(t, filepath.Join(home, name), content)
			}
			for name, value := range tt.env {
				t.Setenv(name, os.ExpandEnv(value))
			}
			want := ""
			if tt.want != "" {
				want = filepath.Join(home, filepath.FromSlash(tt.want))
			}
			got := Open(root).Settings(t.Context(), match)
			require.Equal(t, want, got.ExcludesFile, "got %+v, want %q, %v", got, want, tt.fold)
			require.Equal(t, tt.fold, got.IgnoreCase, "got %+v, want %q, %v", got, want, tt.fold)
			var outside []string
			if tt.outside != "" {
				outside = []string{tt.outside}
				if !strings.ContainsAny(tt.outside[:1], "/~") {
					outside[0] = filepath.Join(home, tt.outside)
				}
			}
			require.Equal(t, outside, got.Outside)
		})
	}
}
