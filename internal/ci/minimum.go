package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// oldest is a line of a go.mod that names the oldest version of an SDK with which the adapter works:
//
//	charm.land/fantasy v0.41.2 // minimum v0.16.0
var oldest = regexp.MustCompile(`(?m)^\s*(?:require )?(\S+) v\S+ // minimum (v\S+)$`)

// official is the adapter in the core module.
const official = "examples/adapters/mcptools"

// minimums returns a step for each SDK that has a minimum. They compile each SDK once more.
func (t *tree) minimums() (all []step, err error) {
	for _, module := range append([]string{""}, t.modules...) {
		file, err := os.ReadFile(filepath.Join(t.root, module, "go.mod"))
		if err != nil {
			return nil, err
		}
		for _, m := range oldest.FindAllStringSubmatch(string(file), -1) {
			adapter, pkg := module, "./..."
			if module == "" {
				adapter, pkg = official, "./"+official
			}
			all = append(all, step{
				name: "minimum:" + adapter, tests: true, check: t.minimum(module, pkg, m[1], m[2]),
			})
		}
	}
	return all, nil
}

// minimum runs an adapter's short tests with an older version of its SDK.
func (t *tree) minimum(module, pkg, sdk, version string) func(context.Context, *output, string) error {
	return func(ctx context.Context, out *output, only string) error {
		dir := filepath.Join(t.root, module)
		work, err := os.MkdirTemp(t.work, "minimum-")
		if err != nil {
			return err
		}
		for _, name := range []string{"go.mod", "go.sum"} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(work, name), data, 0o600)
			}
			if err != nil {
				return err
			}
		}
		file := filepath.Join(work, "go.mod")
		if err := out.command(ctx, dir, nil, "go", "mod", "edit", "-require="+sdk+"@"+version, file); err != nil {
			return err
		}
		args := []string{"go", "test", "-short", "-vet=off", "-mod=mod", "-modfile=" + file, pkg}
		if only != "" {
			args = append(args, "-run", only)
		}
		if err := out.command(ctx, dir, nil, args...); err != nil {
			return err
		}
		used, err := lines(ctx, "go", "list", "-C", dir, "-mod=mod", "-modfile="+file, "-m", "-f", "{{.Version}}", sdk)
		if err == nil && used[0] != version {
			err = fmt.Errorf("%s was tested with %s: something else in go.mod needs that", sdk, used[0])
		}
		return err
	}
}
