package config_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
)

func ExampleLoad() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "spillway.json")

	os.WriteFile(file, []byte(`{"maxBytes": "64KB", "grep": {"limit": 200}, "bash": {"timeout": "5m"}}`), 0o600)
	cfg, err := config.Load(file)
	fmt.Println(cfg.MaxBytes, cfg.Grep.Limit, cfg.Bash.Timeout, err)

	os.WriteFile(file, []byte("{\n  \"grep\": {\"limit\": \"many\"}\n}"), 0o600)
	_, err = config.Load(file)
	fmt.Println(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	// Output:
	// 65536 200 5m0s <nil>
	// config: spillway.json:2: Grep.Limit is "many", but must be a whole number
}

// The environment stands over what is there already.
func ExampleFromEnv() {
	os.Setenv("SPILLWAY_BASH_TIMEOUT", "90s")
	defer os.Unsetenv("SPILLWAY_BASH_TIMEOUT")
	cfg, err := config.FromEnv(config.Config{MaxLines: 500})
	fmt.Println(cfg.MaxLines, cfg.Bash.Timeout, err)
	// Output: 500 1m30s <nil>
}

// What is in force, and where it comes from.
func ExampleConfig_Describe() {
	os.Setenv("SPILLWAY_MAX_BYTES", "64KB")
	defer os.Unsetenv("SPILLWAY_MAX_BYTES")
	cfg, _ := config.FromEnv(config.Config{MaxLines: 500})
	for line := range strings.Lines(cfg.Describe()) {
		if name := strings.Fields(line)[0]; name == "MaxLines" || name == "MaxBytes" || name == "Grep.MaxBytes" || name == "Grep.Limit" {
			fmt.Println(strings.Join(strings.Fields(line), " "))
		}
	}
	// Output:
	// MaxLines 500 code
	// MaxBytes 64KB SPILLWAY_MAX_BYTES
	// Grep.MaxBytes 64KB MaxBytes
	// Grep.Limit 100 default
}

func ExampleConfig_Lookup() {
	cfg, err := config.Config{MaxBytes: 64 << 10}.Resolved()
	if err != nil {
		fmt.Println(err)
	}
	size, _, _ := cfg.Lookup("Read.MaxBytes")
	limit, _, _ := cfg.Lookup("Grep.Limit")
	fmt.Println(size, limit)
	// Output: 64KB 100
}

func ExampleOptions() {
	for _, o := range config.Options() {
		if o.Kind == "count" && strings.HasPrefix(o.Name, "Grep.Max") {
			fmt.Println(o.Name, o.Env, o.Key, "default", o.Default, "floor", o.Floor)
		}
	}
	// Output:
	// Grep.MaxLines SPILLWAY_GREP_MAX_LINES grep.maxLines default MaxLines floor 1
	// Grep.MaxLineChars SPILLWAY_GREP_MAX_LINE_CHARS grep.maxLineChars default 500 floor 1
}

func ExampleToolNames() {
	fmt.Println(config.ToolNames())
	// Output: [read bash grep find ls write edit apply_patch job]
}

// Errors of one's own about an option name where its value comes from.
func ExampleConfig_Lookup_source() {
	os.Setenv("SPILLWAY_GREP_LIMIT", "20")
	defer os.Unsetenv("SPILLWAY_GREP_LIMIT")
	cfg, err := config.FromEnv(config.Config{MaxLines: 500})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, limit, _ := cfg.Lookup("Grep.Limit")
	_, lines, _ := cfg.Lookup("MaxLines")
	fmt.Printf("%q %q\n", limit, lines)
	// Output: "SPILLWAY_GREP_LIMIT" ""
}

// The flags of a program set options by their names.
func ExampleConfig_Set() {
	cfg, err := config.Config{}.Set("Grep.Limit", "20", "-set")
	value, source, _ := cfg.Lookup("Grep.Limit")
	fmt.Println(value, source, err)
	_, err = cfg.Set("Bash.Timeout", "soon", "-set")
	fmt.Println(err)
	_, err = cfg.Set("Grep.Limits", "20", "-set")
	fmt.Println(err)
	// Output:
	// 20 -set <nil>
	// config: -set: Bash.Timeout is "soon", but must be a time, such as "90s" or a number of milliseconds
	// config: -set: there is no option "Grep.Limits". Did you mean Grep.Limit?
}

// A flag that may be given several times adds to a list.
func ExampleConfig_Set_list() {
	cfg, err := config.Config{}.Set("Rules.Allow", "bash(git log --format=%h,%s), read", "spillway.json:3")
	if err == nil {
		cfg, err = cfg.Set("Rules.Allow", "+bash(go test *)", "-allow")
	}
	_, source, _ := cfg.Lookup("Rules.Allow")
	fmt.Printf("%q %s %v\n", cfg.Rules.Allow, source, err)
	// Output: ["bash(git log --format=%h,%s)" "read" "bash(go test *)"] spillway.json:3, -allow <nil>
}

func ExampleConfig_Values() {
	cfg, err := config.Config{MaxBytes: 8 << 10}.Resolved()
	if err != nil {
		fmt.Println(err)
		return
	}
	values := cfg.Values()
	fmt.Println(values["MaxBytes"], values["Grep.MaxBytes"], values["Bash.Timeout"])
	// Output: 8KB 8KB 2m
}

// An observer that prints what the calls come to.
func ExampleEvent_String() {
	observe := func(ctx context.Context, e config.Event) { fmt.Println(e) }
	observe(context.Background(), config.Event{ // as a suite calls Config.Observe
		Tool: "bash", Duration: 3 * time.Millisecond, BytesProduced: 23893, BytesShown: 96,
		TruncatedBy: truncation.ByLines, SpillPath: ".clarvis/bash-k3x9q2mf.log",
	})
	observe(context.Background(), config.Event{Tool: "read", Code: "not_found", Duration: 90 * time.Microsecond, BytesShown: 40})
	observe(context.Background(), config.Event{Job: 1, JobState: "exited with code 0", Duration: 2 * time.Second, BytesProduced: 2048})
	// Output:
	// bash (3ms): 23.3KB produced, 96B shown, cut by lines, full output: .clarvis/bash-k3x9q2mf.log
	// read (90µs): not_found, 0B produced, 40B shown
	// job 1: exited with code 0 after 2s, 2KB printed
}
