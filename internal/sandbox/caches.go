package sandbox

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// caches returns the caches of the build tools that are installed. Those that do not exist are
// made, as the tools do when they run first.
func caches() (dirs []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	cache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache"))
	gopath := cmp.Or(os.Getenv("GOPATH"), filepath.Join(home, "go"))
	gopath, _, _ = strings.Cut(gopath, string(filepath.ListSeparator))
	cargo := cmp.Or(os.Getenv("CARGO_HOME"), filepath.Join(home, ".cargo"))
	for _, tool := range []struct {
		name string
		dirs []string
	}{
		{"go", []string{
			cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")),
			cmp.Or(os.Getenv("GOMODCACHE"), filepath.Join(gopath, "pkg", "mod")),
		}},
		{"npm", []string{cmp.Or(os.Getenv("npm_config_cache"), filepath.Join(home, ".npm"))}},
		{"cargo", []string{
			filepath.Join(cargo, "registry"), filepath.Join(cargo, "git"), filepath.Join(cargo, ".package-cache"),
		}},
		{"pip", []string{cmp.Or(os.Getenv("PIP_CACHE_DIR"), filepath.Join(cache, "pip"))}},
	} {
		if _, err := exec.LookPath(tool.name); err != nil {
			continue
		}
		for _, dir := range tool.dirs {
			if filepath.Base(dir) != ".package-cache" { // cargo's lock, a file
				os.MkdirAll(dir, 0o755)
			}
			if path, err := filepath.EvalSymlinks(dir); err == nil {
				dirs = append(dirs, path)
			}
		}
	}
	return dirs
}
