package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/rules"
)

// TestCheck names what a rule must be.
func TestCheck(t *testing.T) {
	for rule, want := range map[string]string{
		"edit":                                   "",
		"*":                                      "",
		"my_tool":                                "",
		"mcp__server__tool-1.x":                  "",
		" edit(src/**) ":                         "",
		"edit(a b/(c)/*.go)":                     "",
		"edit({a,b}/**)":                         "",
		"read(~/.ssh/**)":                        "",
		"read(/etc/**)":                          "",
		"find(src)":                              "",
		"bash(readonly)":                         "",
		"bash(readonly network)":                 "",
		"bash(readonly x)":                       "",
		"bash(readonly net)":                     "or bash(readonly network) for those that read from the network",
		"bash(*)":                                "",
		"bash(git log *)":                        "",
		"bash(awk '{print $1}' \"a b\" c\\ d *)": "",
		"":                                       "a tool, such as edit, or tool(pattern)",
		"(x)":                                    "a tool, such as edit, or tool(pattern)",
		"git log":                                "a tool, such as edit, or tool(pattern)",
		"e*":                                     "a tool, such as edit, or tool(pattern)",
		"Bash(ls)":                               "the name of a tool: bash",
		"Read":                                   "the name of a tool: read",
		"edit(src":                               "a closing parenthesis at its end: edit(src)",
		"edit()":                                 "edit alone, or with a pattern",
		"bash( )":                                "bash alone, or with a pattern",
		"job(1)":                                 "job alone",
		"my_tool(x)":                             "other tools have their name alone",
		"*(x)":                                   "other tools have their name alone",
		"edit([)":                                "a glob",
		"edit({a)":                               "a glob",
		"edit(../x)":                             "without ..",
		"bash(git 'log)":                         "balanced quotes",
		"bash(git \"log)":                        "balanced quotes",
		`bash(git \)`:                            `do not end in \`,
		"bash(git log:*)":                        "bash(git log *), not bash(git log:*)",
		"bash(git\tlog)":                         "on one line, without control characters",
		"edit(a\nb)":                             "on one line, without control characters",
		"edit(\xff)":                             "in UTF-8",
		"edit(" + strings.Repeat("a", 5000) + ")": "at most 4096 bytes",
	} {
		err := rules.Check(rule)
		if want == "" {
			require.NoError(t, err, rule)
		} else {
			require.ErrorContains(t, err, want, rule)
		}
	}
	require.NoError(t, rules.CheckStrict("bash(rm *)"))
	require.ErrorContains(t, rules.CheckStrict("bash("), "parenthesis")
	require.ErrorContains(t, rules.CheckStrict("bash(readonly)"), "can only allow")
	require.ErrorContains(t, rules.CheckStrict("bash(readonly network)"), "can only allow")
}

func use(name string) rules.Path    { return rules.Path{Name: name} }
func change(name string) rules.Path { return rules.Path{Name: name, Writes: true} }

// TestTools judges calls of other tools than bash.
func TestTools(t *testing.T) {
	t.Setenv("HOME", home)
	edit := func(names ...string) rules.Call {
		c := rules.Call{Tool: "edit"}
		for _, name := range names {
			c.Paths = append(c.Paths, change(name))
		}
		return c
	}
	read := func(tool, name string) rules.Call {
		return rules.Call{Tool: tool, ReadsOnly: true, Paths: []rules.Path{use(name)}}
	}
	for _, test := range []struct {
		rules string
		call  rules.Call
		want  string
		why   string
	}{
		{"", edit("a.go"), "ask", "no rule allows a change of a.go"},
		{"", read("read", "a.go"), "allow", ""},
		{"", rules.Call{Tool: "job"}, "ask", "no rule allows the tool job"},
		{"", rules.Call{Tool: "job", ReadsOnly: true}, "allow", ""},
		{"", rules.Call{Tool: "mine", Paths: []rules.Path{change("a")}}, "ask", "no rule allows the tool mine"},
		{"allow *", edit("a.go"), "allow", ""},
		{"allow edit", edit("a.go"), "allow", ""},
		{"allow write", edit("a.go"), "allow", ""},
		{"allow apply_patch", edit("a.go"), "allow", ""},
		{"allow read", edit("a.go"), "ask", "no rule allows a change of a.go"},
		{"allow job", rules.Call{Tool: "job"}, "allow", ""},
		{"allow job", rules.Call{Tool: "mine"}, "ask", "no rule allows the tool mine"},
		{"allow edit(src/**)", edit("src/a/b.go"), "allow", ""},
		{"allow write(src/*)", edit("src/a.go"), "allow", ""},
		{"allow edit(src/**)", edit("src/a.go", "b.go"), "ask", "no rule allows a change of b.go"},
		{"allow edit(src/**)", edit("a.go", "b.go", "c.go"), "ask", "no rule allows a change of a.go, and 2 more"},
		{"allow edit(**)", edit("/etc/passwd"), "ask", "no rule allows a change of /etc/passwd"},
		{"allow edit(/etc/**)", edit("/etc/passwd"), "allow", ""},
		{"allow edit(~/x)", edit(home + "/x"), "allow", ""},
		{"allow edit(./a.go)", edit("a.go"), "allow", ""},
		{"allow edit; deny edit(src/**)", edit("src/a.go"), "deny",
			"the rule deny edit(src/**) refuses a change of src/a.go"},
		{"allow edit; deny read(**/.env)", edit("a/.env"), "deny", "the rule deny read(**/.env) refuses a change of a/.env"},
		{"allow edit; deny read(**/.env)", edit("/other/.env"), "deny", "refuses a change of /other/.env"},
		{"allow edit; ask edit(go.mod)", edit("go.mod"), "ask", "the rule ask edit(go.mod) asks about a change of go.mod"},
		{"allow edit; ask read(go.mod); deny edit(go.*)", edit("go.mod"), "deny", "the rule deny edit(go.*)"},
		{"deny edit(src/**)", read("read", "src/a"), "allow", ""},
		{"deny read(src/**)", read("read", "src/a"), "deny", "the rule deny read(src/**) refuses read of src/a"},
		{"deny grep(src/**)", read("read", "src/a"), "deny", "the rule deny grep(src/**) refuses read of src/a"},
		{"deny read(src/**)", read("grep", "src"), "deny", "refuses grep of src"},
		{"deny read(src/**)", read("ls", "src"), "allow", ""},
		{"deny ls(src/**)", read("ls", "src"), "deny", "refuses ls of src"},
		{"deny find(src/**)", read("ls", "src"), "deny", "refuses ls of src"},
		{"deny ls(src/**)", read("read", "src"), "allow", ""},
		{"deny read", read("read", "a"), "deny", "the rule deny read refuses the tool read"},
		{"deny read", read("grep", "a"), "deny", "the rule deny read refuses the tool grep"},
		{"deny grep", read("read", "a"), "allow", ""},
		{"deny grep", read("grep", "a"), "deny", "the rule deny grep refuses the tool grep"},
		{"deny write", edit("a"), "deny", "the rule deny write refuses the tool edit"},
		{"deny edit", edit("/other/a"), "deny", "the rule deny edit refuses the tool edit"},
		{"deny edit(**)", edit("/other/a"), "deny", "the rule deny edit(**) refuses a change of /other/a"},
		{"allow edit; ask edit", edit("a"), "ask", "the rule ask edit asks about the tool edit"},
		{"allow edit; ask edit(**)", edit("/other/a"), "ask", "asks about a change of /other/a"},
		{"allow edit; deny read", edit("a"), "deny", "the rule deny read refuses the tool edit"},
		{"allow edit; deny read(**)", edit("/other/a"), "deny", "refuses a change of /other/a"},
		{"deny read(**)", read("read", "/other/a"), "deny", "refuses read of /other/a"},
		{"deny read", read("ls", "a"), "allow", ""},
		{"ask *", read("read", "a"), "ask", "the rule ask * asks about the tool read"},
		{"deny bash(rm *)", edit("a"), "ask", "no rule allows"},
		{"allow bash", edit("a"), "ask", "no rule allows"},
	} {
		set := parseRules(t, test.rules, test.rules)
		got := set.Judge(test.call)
		require.Equal(t, test.want, decisions[got.Decision], "%s: %+v: %s", test.rules, test.call, got.Why)
		require.Contains(t, got.Why, test.why, test.rules)
		if got.Decision == rules.Asked && !strings.Contains(test.rules, "ask ") {
			require.Equal(t, rules.Allowed, set.And(got.Session...).Judge(test.call).Decision, "%s: %q", test.rules, got.Session)
		}
	}
}

// TestReads judges the files of a search.
func TestReads(t *testing.T) {
	set := rules.New(nil, []string{"grep(*.key)"}, []string{"read(**/.env)", "edit(src/**)"})
	require.Equal(t, rules.Verdict{}, set.Reads("src/a"))
	require.Equal(t, "the rule deny read(**/.env) refuses reading a/.env", set.Reads("a/.env").Why)
	require.Equal(t, rules.Denied, set.Reads("a/.env").Decision)
	require.Equal(t, rules.Asked, set.Reads("x.key").Decision)
	require.False(t, rules.New(nil, []string{"read"}, []string{"edit(a)"}).LimitReads(), "the call was asked about")
	require.Equal(t, rules.Verdict{}, rules.New(nil, []string{"read"}, nil).Reads("a"))
	call := rules.Call{Tool: "grep", ReadsOnly: true, Paths: []rules.Path{use("a")}}
	require.Equal(t, "the rule deny read refuses the tool grep", rules.New(nil, nil, []string{"read"}).Judge(call).Why)
	require.Equal(t, rules.Denied, rules.New(nil, nil, []string{"read(**)"}).Reads("/other/a").Decision)
}

// TestSession offers rules that allow a command line, and nothing else.
func TestSession(t *testing.T) {
	for command, want := range map[string][]string{
		"git push origin main":      {"bash(git push origin main)"},
		"git push; git push":        {"bash(git push)"},
		"a; b && c > out":           {"bash(a)", "bash(b)", "bash(c)", "edit(out)"},
		"a > 'x[1].txt'":            {"bash(a)", `edit(x\[1\].txt)`},
		"cd sub; a > out":           {"bash(a)", "edit(out)", "edit(sub/out)"},
		`echo 'a b' "it's" '*' a=b`: {`bash(echo 'a b' 'it'\''s' '*' a=b)`},
		"echo ''":                   {"bash(echo '')"},
		"readonly=1 x":              {"bash(readonly=1 x)"},
		"A=b LANG=C x":              {"bash(A=b x)"},
		"nice x":                    {"bash(x)"},
		"'a)'":                      {"bash('a)')"},
		"a; b; c; d; e":             {"bash(a)", "bash(b)", "bash(c)", "bash(d)", "bash(e)"},
		"a; b; c; d; e; f":          nil,
		"a $x":                      nil,
		"a *":                       nil,
		"$x":                        nil,
		"a; $x":                     nil,
		"a > $x":                    nil,
		"a 'b\nc'":                  nil,
		"alias a=b":                 nil,
		"cd sub && git status":      nil,
		"git -C x status":           {"bash(git -C x status)"},
		"PATH=x; a":                 nil,
		"sh":                        nil,
		"a (":                       nil,
	} {
		set := rules.New(nil, nil, nil)
		call := bash(command)
		got := set.Judge(call)
		require.Equal(t, rules.Asked, got.Decision, command)
		require.Equal(t, want, got.Session, command)
		if want == nil {
			continue
		}
		set = set.And(got.Session...)
		require.Equal(t, rules.Allowed, set.Judge(call).Decision, command)
		require.Equal(t, rules.Asked, set.Judge(bash(command+" x")).Decision, command)
	}
	set := rules.New(nil, []string{"bash(a)"}, nil)
	require.Empty(t, set.Judge(bash("a")).Session, "no rule that allows wins over one that asks")
}

// TestWhy compares whole sentences.
func TestWhy(t *testing.T) {
	set := rules.New([]string{"bash(ls *)"}, []string{"bash(git commit *)"}, []string{"bash(git push *)", "read(**/.env)"})
	for command, want := range map[string]string{
		"git push -f":          "the rule deny bash(git push *) refuses git push -f",
		"rm x; git push":       "the rule deny bash(git push *) refuses git push",
		"rm -rf x":             "no rule allows rm -rf x",
		"rm -rf x; rm y; rm z": "no rule allows rm -rf x, and 2 more",
		"git commit":           "the rule ask bash(git commit *) asks about git commit",
		"$cmd x":               "$cmd can be any program, which rules cannot judge",
		"ls > src/x":           "no rule allows > src/x",
		"git $x":               "git $x could be what the rule bash(git push *) is about",
		"ls $x":                "$x of ls $x could be a path that the rule read(**/.env) is about",
		"ls .env":              "the rule deny read(**/.env) refuses ls .env",
		"x 'a\nb'":             "no rule allows x 'a b'",
		"x '" + "\u202e" + "'": `no rule allows "x '\342\200\256'"`,
		"git 'x": "rules cannot judge the command line: it is not understood: " +
			"reached EOF without closing quote `'`",
		strings.Repeat("a", 500): "no rule allows " + strings.Repeat("a", 120) + "...",
	} {
		got := set.Judge(bash(command)).Why
		if i := strings.Index(got, ", and "); i > 0 && !strings.Contains(want, ", and ") {
			got = got[:i]
		}
		require.Equal(t, want, got, command)
	}
}

// TestPlaced looks up a bounded number of paths, and asks about a line that has more.
func TestPlaced(t *testing.T) {
	set := rules.New([]string{"bash"}, nil, []string{"read(**/.env)", "edit(secrets/**)"})
	for words, want := range map[int]rules.Decision{400: rules.Allowed, 20_000: rules.Asked} {
		call := bash("cd a; cd b; cat" + strings.Repeat(" x", words))
		places := 0
		call.Place = func(dir, name string) (string, bool) {
			places++
			return place(dir, name)
		}
		require.Equal(t, want, set.Judge(call).Decision)
		require.Less(t, places, 6000)
	}
	for words, want := range map[int]rules.Decision{400: rules.Allowed, 20_000: rules.Asked} {
		call := bash("rm" + strings.Repeat(" x", words))
		call.ReadOnly = []string{"ro"}
		places := 0
		call.Place = func(dir, name string) (string, bool) {
			places++
			return place(dir, name)
		}
		require.Equal(t, want, rules.New([]string{"bash"}, nil, nil).Judge(call).Decision)
		require.Less(t, places, 6000)
	}
}
