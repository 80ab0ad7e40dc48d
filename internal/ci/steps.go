package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

const quickName = "quick"

// What stands for several steps.
const (
	nightlyName = "nightly"
	allName     = "all"
)

// nightly are the kinds of steps, single ones, or what their names begin with, that rarely find what the others have
// not found. They take more than half of the time of all.
var nightly = []string{
	"windows", wholeRace, x386, "no-proc", "no-cgroups:tools", "unprivileged-cgroup", "unprivileged-hostile", "minimum",
	"program:examples/spillway/release",
	"module:examples/adapters/", "module:examples/agent/anthropic", // the SDKs take minutes to compile
	"module:internal/bench/", "module:internal/match/avo",
}

// quick is the gate for a change in progress. It needs only Go. The longest tests mostly wait, so they start first and
// run while the code is vetted, two packages for each processor at a time.
func quick(ctx context.Context, out *output, _ string) error {
	if err := formatted(ctx, out, ""); err != nil {
		return err
	}
	var vetting output
	vetted := make(chan error, 1)
	go func() {
		vetted <- vetting.commands(ctx, "",
			[]string{"go", "vet", "./..."}, []string{"go", "tool", "staticcheck", "./..."})
	}()
	test := append([]string{"go", "test", "-short", "-p", strconv.Itoa(2 * runtime.NumCPU())}, lean...)
	for _, pkg := range waiting {
		test = append(test, "./"+pkg)
	}
	err := out.commands(ctx, "", append(test, "./..."))
	err = errors.Join(<-vetted, err)
	out.Write(vetting.Bytes())
	out.spent += vetting.spent
	return err
}

// steps returns all steps, those first that take longest and wait.
func (t *tree) steps() (all []step, err error) {
	script := func(name string, args ...string) step {
		return step{name: name, waits: true, check: func(ctx context.Context, out *output, _ string) error {
			return out.command(ctx, t.root, nil, args...)
		}}
	}
	all = append(all,
		step{name: quickName, onlyAsked: true, check: quick},
		script("windows", ".ci/windows"),
		step{name: "format", check: formatted},
		step{name: "check", check: func(ctx context.Context, out *output, _ string) error {
			return checked(ctx, out, t.root)
		}},
		script("workflow", "go", "run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7"))
	all = append(all, t.testSteps()...)
	for _, target := range []string{"darwin/arm64", "linux/386"} {
		all = append(all, step{name: "vet:" + target, check: vetted(target)})
	}
	for _, m := range t.modules {
		all = append(all, step{name: "module:" + m, tests: true, check: t.module(m)})
	}
	for _, pkg := range t.fuzzed() {
		all = append(all, step{name: "fuzz:" + pkg, check: t.fuzz(pkg)})
	}
	all = append(all,
		script("quickstart", "sh", "-c", "go run ./examples/quickstart >/dev/null"),
		script("pictures", "go", "run", "./internal/docs/picture", "-check"))
	arm := script("arm64", ".ci/arm64")
	arm.onlyAsked = os.Getenv("ARM64_TESTS") == ""
	mutants := script("mutants", ".ci/mutants", os.Getenv("MUTANTS_SINCE"))
	mutants.onlyAsked = os.Getenv("MUTANTS_SINCE") == ""
	minimums, err := t.minimums()
	if err != nil {
		return nil, err
	}
	all = append(append(all, minimums...), arm, mutants)
	for i, s := range all {
		kind, _, _ := strings.Cut(s.name, ":")
		all[i].nightly = slices.ContainsFunc(nightly, func(n string) bool {
			return n == kind || n == s.name || strings.HasSuffix(n, "/") && strings.HasPrefix(s.name, n)
		})
	}
	return all, nil
}

// formatted fails if gofmt would change a file.
func formatted(ctx context.Context, out *output, _ string) error {
	files, err := lines(ctx, "git", "ls-files", "*.go")
	if err != nil {
		return err
	}
	if err := out.command(ctx, "", nil, append([]string{"gofmt", "-l"}, files...)...); err != nil {
		return err
	}
	if out.Len() > 0 {
		return fmt.Errorf("not formatted: %s", out)
	}
	return nil
}

// checked looks at a module without running it.
func checked(ctx context.Context, out *output, dir string) error {
	tool, err := lines(ctx, "go", "tool", "-n", "staticcheck") // of the module itself, as others do not name it
	if err != nil {
		return err
	}
	return out.commands(ctx, dir, []string{"go", "mod", "tidy", "-diff"}, []string{"go", "vet", "./..."},
		[]string{tool[0], "./..."}, []string{"go", "build", "-o", os.DevNull, "./..."})
}

// vetted vets for a system and an architecture, as "linux/386".
func vetted(target string) func(context.Context, *output, string) error {
	return func(ctx context.Context, out *output, _ string) error {
		system, arch, _ := strings.Cut(target, "/")
		env := []string{"GOOS=" + system, "GOARCH=" + arch}
		if target != "linux/386" { // nothing of it is run
			env = append(env, "GOFLAGS="+os.Getenv("GOFLAGS")+" '-gcflags=all=-N -l -dwarf=false'")
		}
		return out.command(ctx, "", env, "go", "vet", "./...")
	}
}

// within returns a function that reports whether a module is prefix or below it.
func within(module string) func(prefix string) bool {
	return func(prefix string) bool { return strings.HasPrefix(module+"/", prefix) }
}

// heavy are modules whose SDKs take minutes to compile a second time, for the race detector.
var heavy = []string{"examples/adapters/", "examples/agent/anthropic", "internal/bench/peers", "internal/report/browser"}

// module checks a nested module and runs its tests, if it has any.
func (t *tree) module(name string) func(context.Context, *output, string) error {
	return func(ctx context.Context, out *output, only string) error {
		dir := filepath.Join(t.root, name)
		if only == "" {
			if err := checked(ctx, out, dir); err != nil {
				return err
			}
		}
		tests, err := lines(ctx, "git", "ls-files", name+"/*_test.go")
		if err != nil || len(tests) == 0 {
			return err
		}
		packages, err := lines(ctx, "go", "list", "-C", dir, "-f", "{{.Dir}}", "./...")
		if err != nil {
			return err
		}
		raced := func(dir string) bool { return !slices.ContainsFunc(heavy, within(name)) && concurrent(dir) }
		for _, mode := range []string{race, plain} {
			args := append(append(defaultSignals(), "go", "test"), lean...)
			args = append(args, modes[mode].flags...)
			if only != "" {
				args = append(args, "-run", only)
			}
			chosen := slices.DeleteFunc(slices.Clone(packages), func(dir string) bool { return raced(dir) != (mode == race) })
			if len(chosen) == 0 {
				continue
			}
			if err := out.command(ctx, dir, modes[mode].env, append(args, chosen...)...); err != nil {
				return err
			}
		}
		return nil
	}
}

var fuzzTarget = regexp.MustCompile(`(?m)^func Fuzz`)

// fuzzed returns the packages with fuzz targets.
func (t *tree) fuzzed() (packages []string) {
	for _, pkg := range t.packages {
		if contains(filepath.Join(t.root, pkg, "*_test.go"), fuzzTarget) {
			packages = append(packages, pkg)
		}
	}
	return packages
}

// fuzz gives each fuzz target of a package a thousand inputs: the same ones every time, so that a change is not held up
// by what chance finds in another; FUZZ_SEED=N tries others. Coverage does not guide them, for which everything
// would be compiled once more. They are counted: with a time, Go's fuzzer sometimes fails a target because that time is
// over ("context deadline exceeded", https://go.dev/issue/75804).
func (t *tree) fuzz(pkg string) func(context.Context, *output, string) error {
	return func(ctx context.Context, out *output, _ string) error {
		binary, err := t.binary(ctx, out, plain, pkg)
		if err != nil {
			return err
		}
		targets, err := lines(ctx, binary, "-test.list", "^Fuzz")
		if err != nil {
			return err
		}
		number := os.Getenv("FUZZ_SEED")
		if number == "" {
			number = "1"
		}
		for _, target := range targets {
			var quiet output
			err := quiet.command(ctx, filepath.Join(t.root, pkg), []string{"GODEBUG=fuzzseed=" + number}, binary,
				"-test.parallel=1", "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime=1000x",
				"-test.fuzzminimizetime=10x", "-test.fuzzcachedir="+filepath.Join(t.work, "corpus"))
			out.spent += quiet.spent
			if err != nil {
				out.Write(quiet.Bytes())
				return err
			}
			fmt.Fprintf(out, "%s: ok\n", target)
		}
		return nil
	}
}

// defaultSignals returns the beginning of a command whose signals have their default effect: nohup, and a shell for
// its background jobs, ignore some.
func defaultSignals() []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	return []string{"env", "--default-signal=HUP,INT,QUIT"}
}
