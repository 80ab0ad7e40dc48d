package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A setting is a way to run tests.
type setting struct {
	kind    string   // of the steps
	mode    string   // how the tests are compiled
	command []string // that runs the binary, if it is not run as it is
	env     []string
	nobody  bool // in the copy of the tree, as a user without rights
	group   bool // in a control group that belongs to this user
	ignored bool // with SIGINT and SIGQUIT ignored, as a program may leave them to another
	flags   []string
}

var (
	asNobody       = []string{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}
	withoutCgroups = []string{"unshare", "-m", "sh", "-c", `mount -t tmpfs none /sys/fs/cgroup && exec "$@"`, "sh"}
	// What cannot be found there ends with its namespace, and does not keep later tests waiting that look through all
	// processes.
	withoutProc = []string{"unshare", "-m", "-p", "-f", "--kill-child",
		"sh", "-c", `mount -t tmpfs none /proc && "$@"; exit $?`, "sh"}
	inGroup  = `echo $$ >"$0/cgroup.procs" && exec "$@"`
	ignoring = []string{"sh", "-c", `trap "" INT QUIT && exec "$@"`, "sh"}
)

// waiting are the packages whose tests mostly wait for processes. They come first.
var waiting = []string{
	"tools", suites + "bash", suites + "job", "internal/slowfs", "internal/proc", "internal/sandbox",
	"internal/replace", "internal/spill", "internal/hostile",
	"examples/spillway",
}

// suites is where the tests of tools are that need no more than the public API.
const suites = "tools/internal/suitetest/"

// building are the packages whose tests run once, with the race detector if it has something to find there: they build
// the program, for which they need the module cache, or talk to it.
var building = []string{"examples/spillway", "examples/spillway/release", "examples/adapters/mcptools"}

var short = []string{"-test.short"}

// Tests of a part of a package: of tools, those about processes; those that need the module cache or the repository,
// which others may not read; of hostile input, that in which the user has a part (to compute costs anybody the same),
// and what only prints.
const (
	commands = "^Test.*(Bash|Background|Close|Command|Cwd|Env|Exit|Progress|Script|Spill|Stream|Timeout|Without)"
	modular  = "^(TestGoSnippets|TestCallsTyped|TestPackages|TestImports|TestDownloads|TestModuleZip)$"
	hostile  = "TestHostile/(command|job|sandbox|spill|FIFO|kernel)"
	printing = "TestHostile/(command|job):_" +
		"(yes|a_line|many_lines|zeros|returns|erasing|far_cursors|inserting|a_sequence)"
)

// wholeRace is the kind of the steps that find races in all of the tests; those of race run the short ones.
const wholeRace = "race-whole"

// testSteps returns the runs of the packages' tests. The race detector finds races as root; 386 has other sizes, and
// its system calls take 5 to 20 times as long: both do a tenth of the rounds. The unprivileged run does all rounds.
func (t *tree) testSteps() (all []step) {
	packages := slices.DeleteFunc(slices.Clone(t.packages), func(pkg string) bool { return slices.Contains(building, pkg) })
	slices.SortStableFunc(packages, func(a, b string) int {
		place := func(pkg string) int {
			if i := slices.Index(waiting, pkg); i >= 0 {
				return i
			}
			return len(waiting)
		}
		return place(a) - place(b)
	})
	add := func(s setting, packages ...string) {
		for _, pkg := range packages {
			waits := slices.Contains(waiting, pkg) && s.mode == plain
			all = append(all, step{name: s.kind + ":" + pkg, waits: waits, tests: true, check: t.test(s, pkg)})
		}
	}
	add(setting{kind: "hostile", mode: plain}, "internal/hostile")
	var shared []string
	for _, pkg := range packages {
		if concurrent(filepath.Join(t.root, pkg)) {
			shared = append(shared, pkg)
		}
	}
	add(setting{kind: race, mode: race, flags: short}, shared...)
	add(setting{kind: wholeRace, mode: race}, shared...)
	for _, pkg := range building {
		mode := plain
		if concurrent(filepath.Join(t.root, pkg)) {
			mode = race
		}
		add(setting{kind: "program", mode: mode}, pkg)
	}
	if os.Getuid() != 0 {
		add(setting{kind: "test", mode: plain}, packages...)
	} else {
		add(setting{kind: "unprivileged", mode: plain, nobody: true, command: asNobody,
			env: []string{"HOSTILE_TESTS="}, flags: []string{"-test.skip=" + modular}}, packages...)
		add(setting{kind: "root", mode: plain, flags: []string{"-test.run=" + modular}}, "internal/docs")
		t.restricted(add)
	}
	add(setting{kind: x386, mode: x386, ignored: true,
		env: []string{"HOSTILE_TESTS=", "SANDBOX_TESTS="}, flags: short}, packages...)
	return all
}

// aboutProcesses are the packages with tests of tools that are about processes.
var aboutProcesses = []string{
	"tools", suites + "access", suites + "bash", suites + "bounds", suites + "calls", suites + "edit", suites + "job",
	suites + "read", suites + "redact", suites + "search",
}

// restricted adds the runs of tests about processes that lack something of the system.
func (t *tree) restricted(add func(s setting, packages ...string)) {
	some := []string{"-test.short", "-test.run=" + commands}
	add(setting{kind: "no-cgroups", mode: plain, command: withoutCgroups, flags: short}, "internal/proc")
	blind := setting{kind: "no-proc", mode: plain, command: withoutProc, env: []string{"SANDBOX_TESTS="}, flags: short}
	add(blind, "internal/proc")
	add(setting{kind: "no-cgroups", mode: plain, command: withoutCgroups, flags: some}, aboutProcesses...)
	blind.flags = some
	add(blind, aboutProcesses...)
	// Without rights and control groups, scans alone find processes.
	add(setting{kind: "unprivileged-cgroup", mode: plain, nobody: true, group: true, command: asNobody,
		flags: []string{"-test.short", "-test.skip=/^scan$|//^scan$"}}, "internal/proc")
	add(setting{kind: "unprivileged-cgroup", mode: plain, nobody: true, group: true, command: asNobody,
		flags: []string{"-test.run=TestHostile/command", "-test.skip=" + printing}}, "internal/hostile")
	add(setting{kind: "unprivileged-hostile", mode: plain, nobody: true, command: asNobody,
		flags: []string{"-test.run=" + hostile, "-test.skip=" + printing}}, "internal/hostile")
}

// required has tests fail, and not be skipped, for want of what is here.
func required() {
	os.Setenv("NODE_TESTS", "required")
	os.Setenv("HOSTILE_TESTS", "required")
	if hasLandlock() {
		os.Setenv("SANDBOX_TESTS", "required")
	}
	if works("unshare", "-m", "true") { // a container can be started
		os.Setenv("REMOTE_TESTS", "required")
	}
}

// runs386 reports whether the kernel runs programs for 386, which some for amd64 do not.
var runs386 = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "spillway-386-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "main.go")
	if os.WriteFile(program, []byte("package main; func main() {}"), 0o644) != nil {
		return false
	}
	return works("env", "GOARCH=386", "go", "run", program)
})

// makeGroup makes a control group that belongs to a user without rights, or returns "".
func makeGroup() string {
	mounts, _ := os.ReadFile("/proc/self/mounts")
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[2] == "cgroup2" {
			group := filepath.Join(fields[1], fmt.Sprintf("ci-%d", os.Getpid()))
			if os.Mkdir(group, 0o755) == nil && works("chown", "-R", "65534:65534", group) {
				return group
			}
		}
	}
	return ""
}

// shuffle orders the tests. Each step prints it, and keeps it when it is run again.
var shuffle = seed("SHUFFLE")

// test runs the tests of a package in a setting.
func (t *tree) test(s setting, pkg string) func(context.Context, *output, string) error {
	return func(ctx context.Context, out *output, only string) error {
		if s.mode == x386 && !runs386() {
			fmt.Fprintln(out, "left out: this machine runs no program for 386")
			return nil
		}
		binary, err := t.binary(ctx, out, s.mode, pkg)
		if err != nil {
			return err
		}
		dir, env, command := t.root, s.env, s.command
		if s.nobody {
			if dir, err = t.copied(); err != nil {
				return err
			}
			temp := filepath.Join(dir, "tmp")
			env = append(slices.Clone(env), "HOME="+temp, "TMPDIR="+temp)
		}
		if s.group {
			group := t.group()
			if group == "" {
				fmt.Fprintln(out, "left out: no control group can be made here")
				return nil
			}
			command = slices.Concat([]string{"sh", "-c", inGroup, group}, command)
		}
		signals := defaultSignals()
		if s.ignored {
			signals = ignoring
		}
		args := slices.Concat(command, signals, []string{binary, "-test.timeout=15m", "-test.shuffle=" + shuffle}, s.flags)
		if only != "" {
			args = append(args, "-test.run="+only)
		}
		return out.command(ctx, filepath.Join(dir, pkg), env, args...)
	}
}
