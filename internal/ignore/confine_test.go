package ignore

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a repository supplies reaches nothing outside of it: not by a link, and not
// by a path. Each case would have "secret" ignored.
func TestConfined(t *testing.T) {
	link := func(t *testing.T, target, path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		os.Remove(path)
		if err := os.Symlink(target, path); err != nil {
			t.Skip(err)
		}
	}
	// outside holds a git directory, and root is a repository beside it.
	for kind, make := range map[string]func(t *testing.T, root, outside string){
		"info/exclude is a link": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "rules"), filepath.Join(root, ".git", "info", "exclude"))
		},
		"info is a link": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, ".git", "info"), filepath.Join(root, ".git", "info"))
		},
		"config is a link": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "config"), filepath.Join(root, ".git", "config"))
		},
		"the excludes file is a link": func(t *testing.T, root, outside string) {
			writeFile(t, filepath.Join(root, ".git", "config"), "[core]\nexcludesFile=rules\n")
			link(t, filepath.Join(outside, "rules"), filepath.Join(root, "rules"))
		},
		"the excludes file is outside": func(t *testing.T, root, outside string) {
			writeFile(t, filepath.Join(root, ".git", "config"), "[core]\nexcludesFile=../outside/rules\n")
		},
		"an include is outside": func(t *testing.T, root, outside string) {
			writeFile(t, filepath.Join(root, ".git", "config"), "[include]\npath=../../outside/config\n")
		},
		"a link leads to the git directory": func(t *testing.T, root, outside string) {
			os.RemoveAll(filepath.Join(root, ".git"))
			link(t, filepath.Join(outside, ".git"), filepath.Join(root, ".git"))
		},
		"a file leads to the git directory": func(t *testing.T, root, outside string) {
			os.RemoveAll(filepath.Join(root, ".git"))
			writeFile(t, filepath.Join(root, ".git"), "gitdir: ../outside/.git\n")
		},
		"the common directory": func(t *testing.T, root, outside string) {
			writeFile(t, filepath.Join(root, ".git", "commondir"), "../../outside/.git\n")
		},
		"a link is the .gitignore": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "rules"), filepath.Join(root, FileName))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			isolate(t)
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			root, outside := filepath.Join(dir, "root"), filepath.Join(dir, "outside")
			fakeRepository(t, root)
			fakeRepository(t, outside)
			writeFile(t, filepath.Join(outside, "rules"), "secret\n")
			writeFile(t, filepath.Join(outside, "config"), "[core]\nexcludesFile="+filepath.Join(outside, "rules")+"\n")
			writeFile(t, filepath.Join(outside, ".git", "info", "exclude"), "secret\n")
			writeFile(t, filepath.Join(root, "sub", FileName), "own\n")
			make(t, root, outside)
			d := mustTop(t, filepath.Join(root, "sub"), nil)
			if d.Ignored("secret", false) {
				t.Error("rules from outside are in force")
			}
			if !d.Ignored("own", false) {
				t.Error("its own rules are not in force")
			}
		})
	}
}

// A repository whose git directory leads back to its work tree has its rules, and a
// .git that leads elsewhere still is the root of a repository.
func TestLeadsBack(t *testing.T) {
	isolate(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, elsewhere := filepath.Join(dir, "root"), filepath.Join(dir, "elsewhere")
	fakeRepository(t, elsewhere)
	git := filepath.Join(elsewhere, ".git")
	writeFile(t, filepath.Join(git, "info", "exclude"), "exclude\n")
	writeFile(t, filepath.Join(root, ".git"), "gitdir: ../elsewhere/.git\n")
	writeFile(t, filepath.Join(root, FileName), "/sub/own\n")
	writeFile(t, filepath.Join(root, "sub", "x"), "")
	for _, tt := range []struct {
		name, content string
		want          bool
	}{
		{"config", "", false},
		{"config", "[core]\nworktree=../../other\n", false},
		{"config", "[core]\nworktree=../../root\n", true},
		{"config.worktree", "[core]\nworktree=" + filepath.ToSlash(root) + "\n", true},
		{"gitdir", filepath.Join(root, ".git") + "\n", true},
		{"gitdir", filepath.Join(root, "git") + "\n", false},
		{"gitdir", filepath.Join(dir, "other", ".git") + "\n", false},
	} {
		writeFile(t, filepath.Join(git, tt.name), tt.content)
		d := mustTop(t, filepath.Join(root, "sub"), nil)
		if d.Ignored("exclude", false) != tt.want || !d.Ignored("own", false) {
			t.Errorf("%s %q: rules of the git directory are in force: %v", tt.name, tt.content, !tt.want)
		}
		os.Remove(filepath.Join(git, tt.name))
	}
}

// Files that include themselves ten times over are ten to the tenth power.
func TestIncludesAreBounded(t *testing.T) {
	home := isolate(t)
	root := filepath.Join(home, "r")
	fakeRepository(t, root)
	again := "[include]\n" + strings.Repeat("path=config\n", 10)
	writeFile(t, filepath.Join(root, ".git", "config"), again+"[core]\nignoreCase\n")
	within(t, 30*time.Second, func() {
		if !mustTop(t, root, nil).tree.fold {
			t.Error("what follows the includes is not read")
		}
	})
	// Two of the user's and the repository's own come before, and one behind.
	for n, want := range map[int]bool{maxConfigFiles - 4: true, maxConfigFiles - 3: false} {
		writeFile(t, filepath.Join(root, ".git", "config"),
			"[include]\n"+strings.Repeat("path=empty\n", n)+"path=last\n")
		writeFile(t, filepath.Join(root, ".git", "empty"), "")
		writeFile(t, filepath.Join(root, ".git", "last"), "[core]\nignoreCase\n")
		if got := mustTop(t, root, nil).tree.fold; got != want {
			t.Errorf("the file behind %d others is read: %v", n, got)
		}
	}
	// A file may be so many includes away.
	for n, want := range map[int]bool{maxIncludes: true, maxIncludes + 1: false} {
		for i := range n {
			writeFile(t, filepath.Join(root, ".git", cmp.Or(strings.Repeat("x", i), "config")), "[include]\npath="+strings.Repeat("x", i+1)+"\n")
		}
		writeFile(t, filepath.Join(root, ".git", strings.Repeat("x", n)), "[core]\nignoreCase\n")
		if got := mustTop(t, root, nil).tree.fold; got != want {
			t.Errorf("the file that is %d includes away is read: %v", n, got)
		}
	}
	// So it is with bytes.
	writeFile(t, filepath.Join(root, ".git", "config"), "[include]\npath=large\npath=large\npath=last\n")
	for size, want := range map[int64]bool{maxConfig/2 - 100: true, maxConfig/2 + 1: true, maxConfig/2 - 25: false} {
		writeFile(t, filepath.Join(root, ".git", "large"), "")
		if err := os.Truncate(filepath.Join(root, ".git", "large"), size); err != nil {
			t.Fatal(err)
		}
		if got := mustTop(t, root, nil).tree.fold; got != want {
			t.Errorf("the file behind twice %d bytes is read: %v", size, got)
		}
	}
}

// A configuration is read in time in proportion to its size, and to its end only as
// long as the context lasts.
func TestHostileConfiguration(t *testing.T) {
	home := isolate(t)
	root := filepath.Join(home, "r")
	fakeRepository(t, root)
	half := maxConfig/2 - 100
	for kind, content := range map[string]string{
		"a long section":   "[s \"" + strings.Repeat("x", half) + "\"]\n" + strings.Repeat("k\n", half/2),
		"a long condition": "[includeIf \"gitdir:" + strings.Repeat("*x", half/2) + "\"]\n" + strings.Repeat("path=a\n", half/7),
		"conditions":       strings.Repeat("[includeIf \"gitdir:**/x\"]\npath=a\n", half/33),
		"excludes":         "[core]\n" + strings.Repeat("excludesFile=a/b\n", half/17),
	} {
		t.Run(kind, func(t *testing.T) {
			writeFile(t, filepath.Join(root, ".git", "config"), content+"[core]\nignoreCase\n")
			within(t, time.Minute, func() {
				if !mustTop(t, root, nil).tree.fold {
					t.Error("it is not read to its end")
				}
			})
		})
	}
	variables := 0
	parseConfig("[a]\nb\nc\nd\n", func(string, string, string) bool { variables++; return variables < 2 })
	if variables != 2 {
		t.Errorf("%d variables are read", variables)
	}
}

func TestTopEnds(t *testing.T) {
	isolate(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Top(ctx, t.TempDir(), nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// Rules over the bounds are passed over, and told of.
func TestCut(t *testing.T) {
	home := isolate(t)
	root := filepath.Join(home, "r")
	line := strings.Repeat("x", 99) + "\n"
	for kind, tt := range map[string]struct {
		rules string
		lines int // that count
		whole bool
	}{
		"all lines":      {strings.Repeat("#\n", maxLines-1) + "last\n", maxLines, true},
		"too many lines": {strings.Repeat("#\n", maxLines) + "last\n", maxLines, false},
		"all bytes":      {strings.Repeat(line, maxBytes/100-1) + "last\n", maxBytes / 100, true},
		"too many bytes": {strings.Repeat(line, maxBytes/100) + "##\n" + line + "last\n", maxBytes/100 + 1, false},
		"one long line":  {strings.Repeat("x", maxBytes) + "\nlast\n", 0, false},
	} {
		t.Run(kind, func(t *testing.T) {
			writeFile(t, filepath.Join(root, FileName), tt.rules)
			var told []string
			lines := -1
			o := func(file string, n int) { told, lines = append(told, file), n }
			d := mustTop(t, root, o)
			if d.Ignored("last", false) != tt.whole || (len(told) == 0) != tt.whole {
				t.Errorf("the last line counts: %v; told of %q", !tt.whole, told)
			}
			if !tt.whole && (lines != tt.lines || told[0] != filepath.Join(d.tree.root, FileName)) {
				t.Errorf("told of %d lines in %q", lines, told)
			}
			// The same file further down has what room is left, which is none.
			told = nil
			sub := d.Enter("sub", []byte(tt.rules), false)
			if sub.Ignored("last", false) != tt.whole || len(told) == 0 {
				t.Errorf("further down: told of %q", told)
			}
		})
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		content string
		room    size
		want    string
		lines   int
	}{
		{"a\nb\nc\n", size{6, 3}, "a\nb\nc\n", 3},
		{"a\nb", size{3, 1}, "a\nb", 1}, // the end of the last line is not counted
		{"a\nb\nc\n", size{6, 2}, "a\nb\n", 2},
		{"a\nb\nc\n", size{5, 3}, "a\nb\n", 2},
		{"a\nb\nc\n", size{1, 3}, "", 0},
		{"a\nb\nc\n", size{0, 0}, "", 0},
	} {
		got, lines, whole := fit([]byte(tt.content), tt.room)
		if string(got) != tt.want || lines != tt.lines || whole != (tt.want == tt.content) {
			t.Errorf("%q in %v: %q, %d lines, whole %v", tt.content, tt.room, got, lines, whole)
		}
	}
}
