package ignore

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// place is where a case of TestWithin is made: a directory of which all may be read, one of which nothing may, and a
// repository in the first.
type place struct {
	*git
	ws, out, repo string
}

func (p place) write(path, content string) { testkit.WriteFile(p.t, path, content) }

func (p place) config(key, value string) { p.run(p.repo, nil, "config", key, value) }

func (p place) link(target, path string) {
	os.MkdirAll(filepath.Dir(path), 0o777)
	os.Remove(path)
	if err := os.Symlink(target, path); err != nil {
		p.t.Skip(err)
	}
}

// commit makes a commit, without which there is no linked worktree.
func (p place) commit() {
	p.run(p.repo, nil, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "a")
}

// What a repository's configuration and git directory say is read as git reads it in the directory that may be read.
// What git reads elsewhere is named and not read. Each case has git ignore "secret".
func TestWithin(t *testing.T) {
	separate := func(dir func(p place) string) func(p *place) string {
		return func(p *place) string {
			p.repo = filepath.Join(p.ws, "apart")
			p.run(p.ws, nil, "init", "-q", "--separate-git-dir", dir(*p), p.repo)
			p.write(filepath.Join(dir(*p), "info", "exclude"), "secret\n")
			return dir(*p)
		}
	}
	for kind, make := range map[string]func(p *place) (outside string){
		"excludesFile in the work tree": func(p *place) string {
			p.write(filepath.Join(p.repo, "d", "rules"), "secret\n")
			p.config("core.excludesFile", "d/rules")
			return ""
		},
		"excludesFile beside the work tree": func(p *place) string {
			p.write(filepath.Join(p.ws, "rules"), "secret\n")
			p.config("core.excludesFile", filepath.Join(p.ws, "rules"))
			return ""
		},
		"excludesFile above the work tree": func(p *place) string {
			p.write(filepath.Join(p.ws, "rules"), "secret\n")
			p.config("core.excludesFile", "../rules")
			return ""
		},
		"excludesFile below a home that may be read": func(p *place) string {
			p.t.Setenv("HOME", p.ws)
			p.write(filepath.Join(p.ws, "rules"), "secret\n")
			p.config("core.excludesFile", "~/rules")
			return ""
		},
		"excludesFile is a link to one beside the work tree": func(p *place) string {
			p.write(filepath.Join(p.ws, "rules"), "secret\n")
			p.link("../rules", filepath.Join(p.repo, "rules"))
			p.config("core.excludesFile", "rules")
			return ""
		},
		"an include beside the work tree": func(p *place) string {
			p.write(filepath.Join(p.repo, "rules"), "secret\n")
			p.write(filepath.Join(p.ws, "more"), "[core]\nexcludesFile=rules\n")
			p.config("include.path", filepath.Join(p.ws, "more"))
			return ""
		},
		"info/exclude is a link to one beside the work tree": func(p *place) string {
			p.write(filepath.Join(p.ws, "rules"), "secret\n")
			p.link("../../../rules", filepath.Join(p.repo, ".git", "info", "exclude"))
			return ""
		},
		"a separate git directory": func(p *place) string {
			separate(func(p place) string { return filepath.Join(p.ws, "elsewhere") })(p)
			return ""
		},
		"the configuration of a separate git directory": func(p *place) string {
			dir := separate(func(p place) string { return filepath.Join(p.ws, "elsewhere") })(p)
			os.Remove(filepath.Join(dir, "info", "exclude"))
			p.write(filepath.Join(dir, "rules"), "secret\n")
			p.config("core.excludesFile", filepath.Join(dir, "rules"))
			return ""
		},
		"a linked worktree": func(p *place) string {
			p.write(filepath.Join(p.repo, ".git", "info", "exclude"), "secret\n")
			p.commit()
			p.run(p.repo, nil, "worktree", "add", "-q", filepath.Join(p.ws, "linked"))
			p.repo = filepath.Join(p.ws, "linked")
			return ""
		},
		"a linked worktree of a separate git directory": func(p *place) string {
			separate(func(p place) string { return filepath.Join(p.ws, "elsewhere") })(p)
			p.commit()
			p.run(p.repo, nil, "worktree", "add", "-q", filepath.Join(p.ws, "linked"))
			p.repo = filepath.Join(p.ws, "linked")
			return ""
		},
		"a linked worktree of a repository elsewhere": func(p *place) string {
			p.repo = filepath.Join(p.out, "main")
			p.run(p.out, nil, "init", "-q", p.repo)
			p.write(filepath.Join(p.repo, ".git", "info", "exclude"), "secret\n")
			p.commit()
			p.run(p.repo, nil, "worktree", "add", "-q", filepath.Join(p.ws, "linked"))
			p.repo = filepath.Join(p.ws, "linked")
			return "" // which leads back
		},
		"config.worktree": func(p *place) string {
			p.config("extensions.worktreeConfig", "true")
			p.commit()
			p.run(p.repo, nil, "worktree", "add", "-q", filepath.Join(p.ws, "linked"))
			p.repo = filepath.Join(p.ws, "linked")
			p.write(filepath.Join(p.ws, "rules"), "secret\n")
			p.run(p.repo, nil, "config", "--worktree", "core.excludesFile", filepath.Join(p.ws, "rules"))
			return ""
		},

		"excludesFile elsewhere": func(p *place) string {
			p.config("core.excludesFile", filepath.Join(p.out, "rules"))
			return filepath.Join(p.out, "rules")
		},
		"excludesFile above all": func(p *place) string {
			p.config("core.excludesFile", "../../out/rules")
			return filepath.Join(p.out, "rules")
		},
		"excludesFile in the home": func(p *place) string {
			p.t.Setenv("HOME", p.out)
			p.config("core.excludesFile", "~/rules")
			return filepath.Join(p.out, "rules")
		},
		"excludesFile is a link": func(p *place) string {
			p.link(filepath.Join(p.out, "rules"), filepath.Join(p.repo, "rules"))
			p.config("core.excludesFile", "rules")
			return filepath.Join(p.repo, "rules")
		},
		"an include elsewhere": func(p *place) string {
			p.write(filepath.Join(p.repo, "rules"), "secret\n")
			p.write(filepath.Join(p.home, "xdg", "git", "ignore"), "") // it is not known that git does not read that
			p.write(filepath.Join(p.out, "more"), "[core]\nexcludesFile=rules\n")
			p.config("include.path", filepath.Join(p.out, "more"))
			return filepath.Join(p.out, "more")
		},
		"info/exclude is a link": func(p *place) string {
			p.link(filepath.Join(p.out, "rules"), filepath.Join(p.repo, ".git", "info", "exclude"))
			return filepath.Join(p.repo, ".git", "info", "exclude")
		},
		"a separate git directory elsewhere": separate(func(p place) string { return filepath.Join(p.out, "elsewhere") }),
	} {
		t.Run(kind, func(t *testing.T) {
			g := newGit(t)
			g.t = t
			dir, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			p := place{git: g, ws: filepath.Join(dir, "ws"), out: filepath.Join(dir, "out")}
			p.repo = filepath.Join(p.ws, "repo")
			p.write(filepath.Join(p.out, "rules"), "secret\n")
			p.write(filepath.Join(g.home, "xdg", "git", "ignore"), "users\n")
			os.Mkdir(p.ws, 0o777)
			g.run(p.ws, nil, "init", "-q", p.repo)
			outside := make(&p)
			p.write(filepath.Join(p.repo, FileName), "/own\n")
			for _, name := range []string{"secret", "users", "own", "shown", "sub/secret", "sub/users", "sub/shown"} {
				p.write(filepath.Join(p.repo, name), "")
			}
			for _, start := range []string{p.repo, filepath.Join(p.repo, "sub"), p.ws} {
				var told []string
				d, err := Top(t.Context(), start, Options{Within: p.ws, Outside: func(file string) { told = append(told, file) }})
				require.NoError(t, err)
				at, nested := d, map[string]*Dir{}
				if start == p.ws {
					walk(t, d, p.ws, "", nested)
					at = nested[p.repo]
				}
				got := walk(t, at, max(start, p.repo), "", map[string]*Dir{})
				want := g.listFiles(max(start, p.repo))
				require.False(t, slices.ContainsFunc(want, func(f string) bool { return filepath.Base(f) == "secret" }), "git does not ignore it")
				if outside != "" {
					want = append(want, "secret")
					if filepath.Base(max(start, p.repo)) != "sub" {
						want = append(want, "sub/secret")
					}
					slices.Sort(want)
				}
				compareLists(t, start, got, want)
				if outside != "" && !slices.Equal(told, []string{outside}) || outside == "" && told != nil {
					t.Errorf("told %q, want %q", told, outside)
				}
			}
		})
	}
}
