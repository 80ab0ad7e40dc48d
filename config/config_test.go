package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

func TestDefaults(t *testing.T) {
	c, err := config.Config{}.Resolved()
	require.NoError(t, err)
	require.Equal(t, ".", c.Workspace)
	require.Equal(t, [3]int{2000, 30720, 20_000_000}, [3]int{c.MaxLines, c.MaxBytes, int(c.MaxFileBytes)})
	for name, want := range map[string]string{
		"Read.MaxLines": "2000", "Bash.MaxBytes": "30KB", "Grep.MaxLineChars": "500", "Grep.Limit": "100", "Find.Limit": "1000", "Jobs.ReadyLines": "20",
		"Ls.Limit": "500", "Read.MaxLineChars": "0", "Bash.Timeout": "2m", "Bash.MaxTimeout": "10m", "Bash.MaxCaptureBytes": "128MB", "Bash.MaxProcesses": "4096", "Bash.MaxMemory": "0B",
		"Spill.MaxAge": "24h", "Undo.MaxAge": "168h", "Undo.Off": "false", "Spill.MaxTotalBytes": "1GB", "Spill.Dir": ".clarvis", "MaxFileBytes": "20MB", "ReadOnly": "false",
		"Bash.WriteGitDir": "false", "Read.Repeat": "full",
		"Edit.MaxLines": "60", "Edit.MaxBytes": "4KB",
	} {
		got, _, ok := c.Lookup(name)
		require.True(t, ok, name)
		require.Equal(t, want, got, name)
	}
	_, _, ok := c.Lookup("Grep.Limits")
	require.False(t, ok)
}

func TestToolsInheritAndOverride(t *testing.T) {
	c, err := config.Config{MaxLines: 10, Bash: config.Bash{MaxLines: 7}}.Resolved()
	require.NoError(t, err)
	require.Equal(t, [2]int{10, 7}, [2]int{c.Grep.MaxLines, c.Bash.MaxLines})
	require.Equal(t, [2]int{10, 4096}, [2]int{c.Edit.MaxLines, c.Edit.MaxBytes})

	told := config.Config{MaxBytes: 2048, Edit: config.Edit{MaxLines: 3000}}.Describe()
	for _, want := range []string{`Edit.MaxLines +3000 +code`, `Edit.MaxBytes +2KB +MaxBytes`} {
		require.Regexp(t, "(?m)^"+want+"$", told)
	}
	require.Regexp(t, `(?m)^Edit.MaxBytes +4KB +default$`, config.Config{}.Describe())
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    config.Config
		want string
	}{
		{"bytes", config.Config{MaxBytes: 1023}, "config: MaxBytes is 1023, but must be at least 1KB (1024 bytes)"},
		{"lines", config.Config{MaxLines: -1}, "config: MaxLines is -1, but must be at least 1"},
		{"of one tool", config.Config{Ls: config.Ls{MaxBytes: 5}}, "config: Ls.MaxBytes is 5, but must be at least 1KB (1024 bytes)"},
		{"age", config.Config{Undo: config.Undo{MaxAge: -time.Hour}}, "config: Undo.MaxAge is -1h, but must be at least 1ns"},
		{"limit", config.Config{Grep: config.Grep{Limit: -3}}, "config: Grep.Limit is -3, but must be at least 1"},
		{"ready lines", config.Config{Jobs: config.Jobs{ReadyLines: -1}}, "config: Jobs.ReadyLines is -1, but must be at least 1"},
		{"optional", config.Config{Read: config.Read{MaxLineChars: -1}}, "config: Read.MaxLineChars is -1, but must be at least 0"},
		{"timeout", config.Config{Bash: config.Bash{Timeout: time.Microsecond}}, "config: Bash.Timeout is 1µs, but must be at least 1ms"},
		{"ceiling", config.Config{Bash: config.Bash{Timeout: time.Minute, MaxTimeout: time.Second}}, "config: Bash.MaxTimeout is 1s, but must be at least Bash.Timeout, which is 1m"},
		{"processes", config.Config{Bash: config.Bash{MaxProcesses: 63}}, "config: Bash.MaxProcesses is 63, but must be at least 64"},
		{"memory", config.Config{Bash: config.Bash{MaxMemory: 512}}, "config: Bash.MaxMemory is 512, but must be at least 16MB (16777216 bytes)"},
		{"no memory", config.Config{Bash: config.Bash{MaxMemory: -1}}, "config: Bash.MaxMemory is -1, but must be at least 16MB (16777216 bytes)"},
		{"capture", config.Config{Bash: config.Bash{MaxCaptureBytes: 1 << 19}}, "config: Bash.MaxCaptureBytes is 512KB, but must be at least 1MB (1048576 bytes)"},
		{"tool", config.Config{Tools: []string{"read", "rm"}}, `config: Tools is "rm", but must be a name of read, bash, grep, find, ls, write, edit, apply_patch, job, or none alone`},
		{"strategy", config.Config{Bash: config.Bash{Strategy: "both"}}, `config: Bash.Strategy is "both", but must be one of head, tail, head_chars, tail_chars, middle, middle_lines, head_tail_lines, digest`},
		{"env", config.Config{Bash: config.Bash{Env: []string{"=x"}}}, `config: Bash.Env is "=x", but must be "NAME=value", "NAME", or "-" in the first place`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.c.Resolved()
			var e *config.OptionError
			require.ErrorAs(t, err, &e)
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestCeilingAndTimeoutAgree(t *testing.T) {
	c, err := config.Config{Bash: config.Bash{MaxTimeout: time.Second}}.Resolved()
	require.NoError(t, err)
	require.Equal(t, time.Second, c.Bash.Timeout)
	c, err = config.Config{Bash: config.Bash{Timeout: time.Hour}}.Resolved()
	require.NoError(t, err)
	require.Equal(t, time.Hour, c.Bash.MaxTimeout)
}

func TestFromEnv(t *testing.T) {
	t.Setenv("SPILLWAY_MAX_BYTES", "64KB")
	t.Setenv("SPILLWAY_BASH_TIMEOUT", "1500")
	t.Setenv("SPILLWAY_BASH_MAX_TIMEOUT", "1h")
	t.Setenv("SPILLWAY_READ_ONLY", "true")
	t.Setenv("SPILLWAY_TOOLS", "read, ls")
	t.Setenv("SPILLWAY_SPILL_MAX_TOTAL_BYTES", "1.5GiB")
	t.Setenv("SPILLWAY_BASH_MAX_MEMORY", "4GB")
	t.Setenv("SPILLWAY_BASH_SETUP", ". ./env.sh; f() { echo a, b; }")
	t.Setenv("SPILLWAY_BASH_SETUP_FILES", "env.sh, .env")
	c, err := config.FromEnv(config.Config{MaxLines: 5, MaxBytes: 9})
	require.NoError(t, err)
	require.Equal(t, config.Config{
		MaxLines: 5, MaxBytes: 64 << 10, ReadOnly: true, Tools: []string{"read", "ls"},
		Bash: config.Bash{Timeout: 1500 * time.Millisecond, MaxTimeout: time.Hour, MaxMemory: 4 << 30,
			Setup: ". ./env.sh; f() { echo a, b; }", SetupFiles: []string{"env.sh", ".env"}},
		Spill: config.Spill{MaxTotalBytes: 3 << 29},
	}, config.Forget(c))

	t.Setenv("SPILLWAY_MAX_BYTES", "lots")
	t.Setenv("SPILLWAY_GREP_LIMIT", "1.5")
	_, err = config.FromEnv(config.Config{})
	require.EqualError(t, err, `config: SPILLWAY_MAX_BYTES: MaxBytes is "lots", but must be a size, such as 30720, "30KB" or "128MiB"`+"\n"+
		`config: SPILLWAY_GREP_LIMIT: Grep.Limit is "1.5", but must be a whole number`)
}

// A comma in parentheses belongs to a rule, in the environment and in flags; that in another list does not.
func TestRulesOfTheEnvironment(t *testing.T) {
	t.Setenv("SPILLWAY_RULES_ALLOW", "bash(git log --format=%h,%s), read")
	t.Setenv("SPILLWAY_RULES_DENY", `["edit(a,b", "job"]`)
	t.Setenv("SPILLWAY_BASH_ENV", "A=(1,B=2)")
	c, err := config.FromEnv(config.Config{})
	require.NoError(t, err)
	require.Equal(t, []string{"bash(git log --format=%h,%s)", "read"}, c.Rules.Allow)
	require.Equal(t, []string{"edit(a,b", "job"}, c.Rules.Deny)
	require.Equal(t, []string{"A=(1", "B=2)"}, c.Bash.Env)
}

// A value with + keeps what a list has, and where it comes from; of another option it is no value.
func TestSetMore(t *testing.T) {
	before, err := load(t, "{\n\"rules\": {\"allow\": [\"read\"],\n\"deny\": [\"job\"]}}")
	require.NoError(t, err)
	before.Tools = []string{"read"}
	c := before
	for _, add := range [][3]string{
		{"Rules.Allow", "+bash(a, b), ls", "-allow"}, {"Rules.Allow", "+edit", "-allow"}, {"rules.ask", "+*", "-ask"},
		{"Tools", `+["ls"]`, "-tool"}, {"Rules.Deny", `["+x"]`, "-deny"}, {"MaxLines", "7", "-lines"},
	} {
		c, err = c.Set(add[0], add[1], add[2])
		require.NoError(t, err)
	}
	require.Equal(t, config.Rules{
		Allow: []string{"read", "bash(a, b)", "ls", "edit"}, Ask: []string{"*"}, Deny: []string{"+x"},
	}, c.Rules)
	require.Equal(t, []string{"read"}, before.Rules.Allow)
	for name, want := range map[string]string{
		"Rules.Allow": "c.json:2, -allow", "Rules.Ask": "-ask", "Rules.Deny": "-deny", "Tools": "-tool", "MaxLines": "-lines",
	} {
		value, source, _ := c.Lookup(name)
		require.Equal(t, want, filepath.Base(source), value)
	}
	_, err = c.Set("Rules.Allow", "+[1]", "-allow")
	require.EqualError(t, err, `config: -allow: Rules.Allow is a list with 1, but must be a list of texts`)
	_, err = c.Set("Rules.Alow", "+read", "-allow")
	require.EqualError(t, err, `config: -allow: there is no option "Rules.Alow". Did you mean Rules.Allow?`)
	_, err = c.Set("MaxLines", "+7", "-lines")
	require.EqualError(t, err, `config: -lines: MaxLines is "+7", but must be a whole number`)
}

// A misspelt variable is no option that is silently off.
func TestUnknownVariables(t *testing.T) {
	t.Setenv("SPILLWAY_CALL", "the mark of a command")
	t.Setenv("SPILLWAY_RECORD", "the record of a program")
	t.Setenv("SPILLWAY_EMPTY", "")
	t.Setenv("SPILLWAYS", "of somebody else")
	_, err := config.FromEnv(config.Config{})
	require.NoError(t, err)
	for name, want := range map[string]string{
		"SPILLWAY_BASH_SANDBX":    ". Did you mean SPILLWAY_BASH_SANDBOX?",
		"SPILLWAY_MAX_LINE":       ". Did you mean SPILLWAY_MAX_LINES?",
		"SPILLWAY_SOMETHING_ELSE": "",
		"SPILLWAY_":               "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "auto")
			t.Setenv("SPILLWAY_MAX_BYTES", "64KB")
			c, err := config.FromEnv(config.Config{})
			require.EqualError(t, err, "config: there is no option for the variable "+name+want)
			require.Equal(t, 64<<10, c.MaxBytes, "what is right counts")
		})
	}
	_, err = config.Config{}.Set("WriteableRoots", "/a", "-set")
	require.EqualError(t, err, `config: -set: there is no option "WriteableRoots". Did you mean WritableRoots?`)
}

// A value may be written in JSON, as in a file, and then holds what a plain one cannot.
func TestSetJSON(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"Bash.Env", `["A=1,2", "B"]`, `["A=1,2","B"]`},
		{"Bash.Env", ` [ ] `, `[]`},
		{"Bash.Env", `A=1,2`, `["A=1","2"]`},
		{"Bash.Env", `"A=1,2"`, `["A=1,2"]`},
		{"Bash.Env", `[A=1]`, `config: -set: Bash.Env is "[A=1]", but must be a list of texts, such as a,b or ["a", "b"]`},
		{"Bash.Env", `[1]`, `config: -set: Bash.Env is a list with 1, but must be a list of texts`},
		{"Bash.Hosts", `[::1]:8080, a`, `["[::1]:8080","a"]`},
		{"Bash.Hosts", `["[::1]:8080"]`, `["[::1]:8080"]`},
		{"Bash.Setup", `"a\n [b] "`, `"a\n [b] "`},
		{"Bash.Setup", ` [b] `, `" [b] "`},
		{"Bash.Setup", `[]`, `"[]"`},
		{"Bash.Setup", `"a" or "b"`, `config: -set: Bash.Setup is "\"a\" or \"b\"", but must be a text in JSON, as it begins with a quotation mark`},
		{"MaxBytes", `"2KB"`, `2048`},
		{"MaxBytes", `"many"`, `config: -set: MaxBytes is "many", but must be a size, such as 30720, "30KB" or "128MiB"`},
		{"MaxBytes", `[1]`, `config: -set: MaxBytes is "[1]", but must be a size, such as 30720, "30KB" or "128MiB"`},
	} {
		c, err := config.Config{}.Set(tt.name, tt.value, "-set")
		if err != nil {
			require.EqualError(t, err, tt.want)
			continue
		}
		got, err := json.Marshal(map[string]any{"Bash.Env": c.Bash.Env, "Bash.Hosts": c.Bash.Hosts, "Bash.Setup": c.Bash.Setup, "MaxBytes": c.MaxBytes}[tt.name])
		require.NoError(t, err)
		require.Equal(t, tt.want, string(got), tt.value)
	}
}

func load(t *testing.T, text string) (config.Config, error) {
	path := filepath.Join(t.TempDir(), "c.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	c, err := config.Load(path)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), path, "c.json"))
	}
	return c, err
}

func TestLoad(t *testing.T) {
	c, err := load(t, `{
		"maxBytes": "64KiB", "MaxLines": 100, "max_file_bytes": 5000, "readOnly": false, "allowedRoots": ["/a", "b"],
		"bash": {"timeout": "90s", "maxTimeout": 120000, "env": ["A=1,2"]},
		"grep": {"limit": null, "maxLineChars": 80}
	}`)
	require.NoError(t, err)
	require.Equal(t, config.Config{
		MaxBytes: 64 << 10, MaxLines: 100, MaxFileBytes: 5000, AllowedRoots: []string{"/a", "b"},
		Bash: config.Bash{Timeout: 90 * time.Second, MaxTimeout: 2 * time.Minute, Env: []string{"A=1,2"}},
		Grep: config.Grep{MaxLineChars: 80},
	}, config.Forget(c))
}

func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{\n\"maxByte\": 5}", `config: c.json:2: unknown key "maxByte". Did you mean maxBytes?`},
		{"{\"grep\": {\n\n\"limits\": 5}}", `config: c.json:3: unknown key "grep.limits". Did you mean grep.limit?`},
		{"{\"writeable_roots\": []}", `config: c.json:1: unknown key "writeable_roots". Did you mean writableRoots?`},
		{"{\"maxBytez\": {}}", `config: c.json:1: unknown key "maxBytez". Did you mean maxBytes?`},
		{"{\"bash\": 5}", `config: c.json:1: bash is 5, but must be an object`},
		{"{\"grip\": {}}", `config: c.json:1: unknown key "grip"`},
		{"{\n\n\"maxBytes\": \"many\"}", `config: c.json:3: MaxBytes is "many", but must be a size, such as 30720, "30KB" or "128MiB"`},
		{"{\"maxBytes\": true}", `config: c.json:1: MaxBytes is true, but must be a size, such as 30720, "30KB" or "128MiB"`},
		{"{\"maxBytes\": {}}", `config: c.json:1: MaxBytes is an object, but must be a size, such as 30720, "30KB" or "128MiB"`},
		{"{\"maxLines\": [1]}", `config: c.json:1: MaxLines is a list, but must be a whole number`},
		{"{\"workspace\": {}}", `config: c.json:1: Workspace is an object, but must be a text`},
		{"{\"tools\": [1]}", `config: c.json:1: Tools is a list with 1, but must be a list of texts`},
		{"{\"bash\":\n{\"strategy\": \"both\"}}", `config: c.json:2: Bash.Strategy is "both", but must be one of head, tail, head_chars, tail_chars, middle, middle_lines, head_tail_lines, digest`},
		{"{\"bash\":\n{\"sandbox\": \"jail\"}}", `config: c.json:2: Bash.Sandbox is "jail", but must be one of off, auto, landlock, bwrap`},
		{"{\"read\": {\"repeat\": \"never\"}}", `config: c.json:1: Read.Repeat is "never", but must be one of full, receipt`},
		{"{\"bash\": {\"onTimeout\":\n1}}", `config: c.json:1: Bash.OnTimeout is "1", but must be one of kill, background`},
		{"{\"bash\": {\"x\": {}}}", `config: c.json:1: unknown key "bash.x"`},
		{"{\"bash\": null, \"grep\": [", `config: c.json:1: grep is [, but must be an object`},
		{"{\"bash\": {", `config: c.json:1: not valid JSON: unexpected EOF`},
		{"{\"bash\"", `config: c.json:1: not valid JSON: unexpected EOF`},
		{"{\"maxLines\": 1,}", `config: c.json:1: not valid JSON: invalid character '}' looking for beginning of object key string`},
		{"", `config: c.json:1: not valid JSON: unexpected EOF`},
		{"[]", `config: c.json:1: the file must hold one JSON object`},
		{"{} {}", `config: c.json:1: something follows the end of the object`},
		{"{\"maxLines\": 1", `config: c.json:1: not valid JSON: unexpected EOF`},
	} {
		_, err := load(t, tt.text)
		require.EqualError(t, err, tt.want, tt.text)
	}
	_, err := config.Load("no-such-file.json")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDescribe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	require.NoError(t, os.WriteFile(path, []byte("{\"maxBytes\": \"64KB\",\n\"grep\": {\n\"limit\": 7},\n\"maxLines\": 9, \"bash\": {\"env\": [\"A=secret\", \"B\"], \"policy\": {\"First\": 2, \"marker\": \"\\n<...\"}}}"), 0o600))
	t.Setenv("SPILLWAY_BASH_TIMEOUT", "90s")
	c, err := config.Load(path)
	require.NoError(t, err)
	c, err = config.FromEnv(c)
	require.NoError(t, err)
	c.MaxLines, c.Ls.Limit = 10, 3
	want := map[string]string{
		"MaxBytes": "64KB " + path + ":1", "Grep.Limit": "7 " + path + ":3", "Bash.Timeout": "1m30s SPILLWAY_BASH_TIMEOUT", "MaxLines": "10 code",
		"Ls.Limit": "3 code", "Grep.MaxBytes": "64KB MaxBytes", "Find.Limit": "1000 default", "Bash.Env": "A=..., B " + path + ":4",
		"Bash.MaxTimeout": "10m default", "Workspace": ". default", "Tools": "default", "Bash.Policy": `{"first":2,"last":10,"threshold":3000,"marker":"\n<..."} ` + path + ":4", "Bash.Strategy": "tail default",
	}
	resolved, err := c.Resolved()
	require.NoError(t, err)
	for _, text := range []string{c.Describe(), resolved.Describe()} {
		got := map[string]string{}
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			got[fields[0]] = strings.Join(fields[1:], " ")
		}
		require.Len(t, got, len(config.Options()))
		for name, want := range want {
			require.Equal(t, want, got[name], name)
		}
		require.NotContains(t, text, "secret")
	}
	bounded := config.Config{Bash: config.Bash{MaxTimeout: time.Second}}.Describe()
	require.Regexp(t, `(?m)^Bash\.Timeout +1s +default, bounded by the other$`, bounded)
	require.Regexp(t, `(?m)^Bash\.MaxTimeout +1s +code$`, bounded)
	require.Contains(t, config.Config{MaxBytes: 5}.Describe(), "MaxBytes is 5, but must be at least 1KB")
}

func TestEveryOptionHasAllItsForms(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range config.Options() {
		require.NotEmpty(t, o.Doc, o.Name)
		require.False(t, seen[o.Env], o.Env)
		seen[o.Env] = true
		c, err := config.Config{}.Resolved()
		require.NoError(t, err)
		_, _, ok := c.Lookup(o.Name)
		require.True(t, ok, o.Name)
	}
	floors, values := map[string]string{}, map[string][]string{}
	for _, o := range config.Options() {
		floors[o.Name], values[o.Name] = o.Floor, o.Values
	}
	require.Equal(t, [][]string{{"kill", "background"}, {"true", "false"}, nil}, [][]string{values["Bash.OnTimeout"], values["ReadOnly"], values["Workspace"]})
	require.Equal(t, [3]string{"1", "1KB", ""}, [3]string{floors["MaxLines"], floors["MaxBytes"], floors["Read.MaxLineChars"]})
	require.True(t, seen["SPILLWAY_GREP_MAX_LINE_CHARS"] && seen["SPILLWAY_MAX_BYTES"] && seen["SPILLWAY_BASH_TIMEOUT"])
}

func ExampleConfig_Resolved() {
	_, err := config.Config{MaxBytes: 100}.Resolved()
	fmt.Println(err)
	// Output: config: MaxBytes is 100, but must be at least 1KB (1024 bytes)
}

// A value that is refused names the file or the variable that it comes from, unless code
// has set another one since.
func TestRefusedValueNamesItsSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spillway.json")
	require.NoError(t, os.WriteFile(file, []byte("{\n\"grep\": {\n\"limit\": -1}}"), 0o600))
	cfg, err := config.Load(file)
	require.NoError(t, err)
	_, err = cfg.Resolved()
	require.EqualError(t, err, "config: "+file+":3: Grep.Limit is -1, but must be at least 1")
	for text, option := range map[string]string{
		`{"tools": ["reed"]}`:                               "Tools",
		`{"bash": {"env": ["=x"]}}`:                         "Bash.Env",
		`{"bash": {"timeout": "5m", "maxTimeout": "1m"}}`:   "Bash.MaxTimeout",
		`{"bash": {"maxTimeout": "1m", "timeout": "-1ms"}}`: "Bash.Timeout",
	} {
		require.NoError(t, os.WriteFile(file, []byte("\n"+text), 0o600))
		cfg, err := config.Load(file)
		require.NoError(t, err)
		_, err = cfg.Resolved()
		var refused *config.OptionError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, option, refused.Option)
		require.Equal(t, file+":2", refused.Source, text)
	}
	t.Setenv("SPILLWAY_MAX_BYTES", "5")
	env, err := config.FromEnv(config.Config{})
	require.NoError(t, err)
	_, err = env.Resolved()
	require.EqualError(t, err, "config: SPILLWAY_MAX_BYTES: MaxBytes is 5, but must be at least 1KB (1024 bytes)")
	env.MaxBytes = 6
	_, err = env.Resolved()
	require.EqualError(t, err, "config: MaxBytes is 6, but must be at least 1KB (1024 bytes)")
}

// The named values of an option are those that it takes, and any other text is refused with these.
func TestNamedValues(t *testing.T) {
	var cfg config.Bash
	err := json.Unmarshal([]byte(`{"Sandbox": "bwrap", "OnTimeout": "background", "Strategy": "head"}`), &cfg)
	require.NoError(t, err)
	require.Equal(t, config.Bash{Sandbox: config.SandboxBwrap, OnTimeout: config.OnTimeoutBackground, Strategy: truncation.Head}, cfg)
	_, err = config.Config{Read: config.Read{Repeat: "never"}, Bash: config.Bash{Sandbox: "jail"}}.Resolved()
	require.EqualError(t, err, `config: Read.Repeat is "never", but must be one of full, receipt
config: Bash.Sandbox is "jail", but must be one of off, auto, landlock, bwrap`)
	for _, o := range config.Options() {
		if o.Name == "Bash.Strategy" {
			for _, s := range o.Values {
				require.NoError(t, truncation.Policy{Strategy: truncation.Strategy(s)}.Check())
			}
			err := truncation.Policy{Strategy: "none"}.Check()
			require.ErrorContains(t, err, strings.Join(o.Values, " "), "all of them")
		}
	}
}
