package files_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/stretchr/testify/require"
)

const asTheyAre = " matches nothing as a glob, so its brackets and braces were also taken literally"

// globbed are patterns that match nothing as globs, with what they mean.
var globbed = []struct {
	pattern, file string
	said          string // "" is asTheyAre
	unixOnly      bool
}{
	{"app/[id]/page.tsx", "app/[id]/page.tsx", "", false}, // google-gemini/gemini-cli#8596
	{"app/[id]/*.tsx", "app/[id]/page.tsx", "", false},
	{"app/[id]/*.{ts,tsx}", "app/[id]/page.tsx", "", false},
	{"app/[id]/[o-q]*.tsx", "app/[id]/page.tsx", "", false},
	{"**/[id]/**", "app/[id]/page.tsx", "", false},
	{"app/[...slug]/page.tsx", "app/[...slug]/page.tsx", "", false},
	{"app/[[...slug]]/page.tsx", "app/[[...slug]]/page.tsx", "", false},
	{"app/(group)/[id]/page.tsx", "app/(group)/[id]/page.tsx", "", false},
	{"{x}", "{x}", "", false},
	{"{x}/[a-b].txt", "{x}/a.txt", "", false},
	{"{a,b}.txt", "{a,b}.txt", "", false},
	{"q[1].txt", "q[1].txt", "", false},
	{"q[1]*", "deep/q[1].txt", "", false},
	{"@app/*.tsx", "app/page.tsx", "@app/*.tsx matches nothing, so app/*.tsx was used", false},
	{"@app/[id].tsx", "app/[id].tsx", "@app/[id].tsx matches nothing, so app/[id].tsx was used", false},
	{"`*.tsx`", "page.tsx", "`*.tsx` matches nothing, so *.tsx was used", false},
	{" page.tsx", "page.tsx", `" page.tsx" matches nothing, so page.tsx was used`, false},
	{"page.tsx:12", "page.tsx", "page.tsx:12 matches nothing, so page.tsx was used", false},
	{`app\*.tsx`, "app/page.tsx", `app\*.tsx matches nothing, so app/*.tsx was used`, true},
	{"it’s*.txt", "it's.txt", "it’s*.txt matches nothing, so names that look like it in quotes", false},
	{"it's*.txt", "sub/it’s.txt", "it's*.txt matches nothing, so names that look like it in quotes", false},
	{"cafe\u0301/*", "caf\u00e9/x", "matches nothing, so names that look like it in quotes", false},
	{"at 10 AM.png", "at 10\u202fAM.png", "at 10 AM.png matches nothing, so names that look like it in quotes", false},
	{"@it’s*.txt", "it's.txt", "@it’s*.txt matches nothing, so names that look like it in quotes", false},
}

// A glob that matches nothing means what its text names, in find and in grep alike.
func TestGlobsOfNames(t *testing.T) {
	t.Parallel()
	for _, tt := range globbed {
		if tt.unixOnly && runtime.GOOS == "windows" {
			continue
		}
		t.Run(tt.pattern, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{tt.file: "needle\n", "other/none.md": "needle\n"})
			if tt.said == "" {
				tt.said = tt.pattern + asTheyAre
			}
			for tool, args := range map[string]map[string]any{
				"find": {"pattern": tt.pattern}, "grep": {"pattern": "needle", "glob": tt.pattern},
			} {
				res := call(t, s, tool, args)
				if tool == "grep" && strings.HasPrefix(tt.pattern, " ") {
					continue // around the globs of a list, spaces mean nothing
				}
				require.False(t, res.IsError, res.Text)
				require.Contains(t, res.Text, tt.said, tool)
				require.True(t, strings.HasPrefix(res.Text, quote.Name(tt.file)), "%s: %s", tool, res.Text)
				require.NotContains(t, res.Text, "none.md", tool)
				require.NotContains(t, res.Text, "No ", tool)
			}
		})
	}
}

// A glob that matches something is taken at its word.
func TestGlobsThatMatch(t *testing.T) {
	t.Parallel()
	files := map[string]string{"app/i/page.tsx": "needle\n", "app/[id]/page.tsx": "needle\n", "@app/x": "needle\n",
		"app/x": "needle\n", "a-b": "needle\n", "a–b": "needle\n"}
	s := newSuite(t, config.Config{}, files)
	for pattern, want := range map[string]string{"app/[id]/page.tsx": "app/i/page.tsx", "@app/x": "@app/x", "a-b": "a-b"} {
		require.Equal(t, want, call(t, s, "find", map[string]any{"pattern": pattern}).Text)
		require.Equal(t, want, call(t, s, "grep", map[string]any{"pattern": "needle", "glob": pattern, "output_mode": "files_with_matches"}).Text)
	}
}

// Each glob of a list is read by itself, below a path and relative to the workspace.
func TestGlobsOfAFilter(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{
		"app/[id]/page.tsx": "needle\n", "app/x.ts": "needle\n", "app/y.md": "needle\n", "app/a,b.css": "needle\n", "app/q[1].go": "needle\n", "app/q1.go": "needle\n",
	})
	for _, tt := range []struct{ path, glob, want string }{
		{"", "*.ts,app/[id]/*.tsx", "app/[id]/page.tsx\napp/x.ts\n\n[app/[id]/*.tsx" + asTheyAre + "]"},
		{"app", "[id]/*.tsx", "app/[id]/page.tsx\n\n[[id]/*.tsx" + asTheyAre + "]"},
		{"app", "app/[id]/*.tsx", "app/[id]/page.tsx\n\n[app/[id]/*.tsx" + asTheyAre +
			". The glob was taken relative to the workspace: no file matches it relative to path]"},
		{"", "a,b.css", "app/a,b.css\n\n[a,b.css" + asTheyAre + "]"},
		{"", "*.ts,*.css", "app/a,b.css\napp/x.ts"},
		{"", "!*.md,!*.ts,!*.css,!q*", "app/[id]/page.tsx"},
		{"", "*.{md,tsx},!app/[id]/**", "app/y.md\n\n[!app/[id]/** also excludes names with its brackets and braces taken literally]"},
		{"app", "*.{md,tsx},!app/[id]/**", "app/y.md\n\n[!app/[id]/** also excludes names with its brackets and braces taken literally]"},
		{"app", "*.{md,tsx},![id]/", "app/y.md\n\n[![id]/ also excludes names with its brackets and braces taken literally]"},
		{"", "*.go,!q[1].go", notice.NoMatches + ". No file matches the glob *.go,!q[1].go\n\n[!q[1].go also excludes names with its brackets and braces taken literally]"},
		{"", "*.{md,ts},!@app/y.md", "app/x.ts\n\n[!@app/y.md matches nothing, so !app/y.md was used]"},
		{"", "*.{md,ts},!`*.md`", "app/x.ts\n\n[!`*.md` matches nothing, so !*.md was used]"},
		{"", "*.md,!vendr/**", "app/y.md\n\n[!vendr/** excludes nothing]"},
		{"", "*.md,!vendr/**,!app/[z]/**,!*.ts", "app/y.md\n\n[!vendr/**, !app/[z]/** exclude nothing]"},
		{"app", "*.md,!app/none/*", "app/y.md\n\n[!app/none/* excludes nothing]"},
		{"app", "*.md,!app/x.ts", "app/y.md"},
		{"", "*.md,!.git/**,!**/.git/*,!.git", "app/y.md"},
		{"", "*.none,!*.nil", notice.NoMatches + ". No file matches the glob *.none,!*.nil\n\n[!*.nil excludes nothing]"},
	} {
		args := map[string]any{"pattern": "needle", "glob": tt.glob, "path": tt.path, "output_mode": "files_with_matches"}
		require.Equal(t, tt.want, call(t, s, "grep", args).Text, "%s in %q", tt.glob, tt.path)
		s.Forget() // what was told once
	}
}

// An exclusion of what git ignores is none that excludes nothing; and it is told of once.
func TestExclusionsAreToldOfOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{".gitignore": "node_modules/\n", "node_modules/x/a.js": "needle\n", "b.js": "needle\n"})
	grep := func(glob string) string {
		return call(t, s, "grep", map[string]any{"pattern": "needle", "glob": glob}).Text
	}
	for _, glob := range []string{"!node_modules", "!node_modules/", "!node_modules/**", "!**/node_modules/**"} {
		require.NotContains(t, grep(glob), "excludes", glob)
	}
	require.Contains(t, grep("!nodemodules/"), "[!nodemodules/ excludes nothing]")
	require.NotContains(t, grep("!nodemodules/"), "excludes")
	require.Contains(t, grep("!modules/"), "[!modules/ excludes nothing]")
}

// A glob that matches nothing is corrected in grep as a pattern is in find: anthropics/claude-code#30486 and the like.
func TestGlobsThatMatchNothing(t *testing.T) {
	t.Parallel()
	const folds = runtime.GOOS == "windows" // Foo.TS is *.ts there
	files := map[string]string{
		"a/b/conf/x.yml": "needle\n", "Foo.TS": "needle\n", "p/.github/workflows/ci.yaml": "needle\n", "p/q/settings.ini": "needle\n",
		"build/odd.XYZ": "needle\n", ".gitignore": "build/\n", "secret/KEY.PEM": "needle\n",
	}
	s := newSuite(t, config.Config{Rules: config.Rules{Deny: []string{"read(secret/**)"}}}, files)
	for _, tt := range []struct{ path, glob, hint string }{
		{"", "conf/*.yml", "Try **/conf/*.yml"},
		{"", "./conf/*.yml", "Try **/conf/*.yml"},
		{"a", "conf/*.yml", "Try **/conf/*.yml"},
		{"", "*.ts", "Case matters: there is Foo.TS"},
		{"", "A/B/**/*.YML", "Case matters: there is a/b/conf/x.yml"},
		{"", "*.ini|*.cfg", "It is a glob, not a regular expression: try {*.ini,*.cfg}"},
		{"", "*.(ini|cfg)", "It is a glob, not a regular expression: try *.{ini,cfg}"},
		{"", "p/@(q|r)/*|a/*.x", "It is a glob, not a regular expression: try {p/{q,r}/*,a/*.x}"},
		{"", ".github/workflows/*.{yml,yaml}", "Try **/.github/workflows/*.{yml,yaml}"},
		{"", "settings", "The pattern is a whole name: try *settings*"},
		{"", "*.none", ""},
		{"", "*.xyz", ""}, // git ignores it
		{"", "*.|", ""},
	} {
		if folds && strings.HasPrefix(tt.hint, "Case") {
			continue
		}
		for tool, args := range map[string]map[string]any{
			"find": {"pattern": tt.glob, "path": tt.path}, "grep": {"pattern": "needle", "glob": tt.glob, "path": tt.path},
		} {
			want := "No files found matching pattern"
			if tool == "grep" {
				want = notice.NoMatches + ". No file matches the glob " + tt.glob
			}
			if tt.hint != "" {
				want += ". " + tt.hint
			}
			text, _, _ := strings.Cut(call(t, s, tool, args).Text, "\n")
			require.Equal(t, want, text, "%s %s", tool, tt.glob)
		}
	}
	// Of several globs it is the first that can be corrected. What another one excludes, or rules do not let grep read, is no help.
	for glob, hint := range map[string]string{
		"*.none,conf/*.yml,settings": ". Try **/conf/*.yml", "conf/*.yml,!b/**,!**/b/**": "", "!Foo.TS,*.ts": "", "*.pem": "",
	} {
		text, _, _ := strings.Cut(call(t, s, "grep", map[string]any{"pattern": "needle", "glob": glob}).Text, "\n")
		require.Equal(t, notice.NoMatches+". No file matches the glob "+glob+hint, text)
	}
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "none", "glob": "*.TS"}).Text, "glob", "a file matches")
}
