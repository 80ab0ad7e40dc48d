// Package footprint tells which files a command line is known to use, before it runs.
package footprint

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/shellpath"
)

// maxUses is how many files Uses returns.
const maxUses = 100

// Uses returns the files that commands are redirected to and from, and those that their programs are known to write to,
// each once. It leaves out unknown ones. shown is how an absolute path is shown.
func Uses(
	ctx context.Context, f shellpath.Finder, commands []commandline.Command, shown func(abs string) string,
) (uses []config.PathUse) {
	use := func(dirs []string, file commandline.Word, writes bool, is func(abs string) bool) {
		for _, dir := range dirs {
			if !file.Known || len(uses) >= maxUses || ctx.Err() != nil {
				return
			}
			abs := f.Find(dir, file.Text)
			if abs == "" || abs == os.DevNull || !is(abs) {
				continue
			}
			path := config.PathUse{Name: shown(abs), Path: abs, Use: config.UseRead}
			if writes {
				path.Use = change(abs)
			}
			if !slices.Contains(uses, path) {
				uses = append(uses, path)
			}
		}
	}
	for _, c := range commands {
		for _, r := range c.Redirects {
			use(c.Dirs, r.Path, r.Writes, func(string) bool { return true })
		}
		for _, w := range readonly.Writes(c.Words) {
			use(c.Dirs, w.Path, true, func(abs string) bool {
				if w.If {
					return isDir(filepath.Dir(abs))
				}
				return w.Below || !isDir(abs)
			})
		}
	}
	return uses
}

// change returns how a file is used that is written to.
func change(abs string) config.Use {
	if _, err := os.Lstat(abs); err != nil {
		return config.UseCreate
	}
	return config.UseChange
}

func isDir(abs string) bool {
	info, err := os.Lstat(abs)
	return err == nil && info.IsDir()
}

// Described returns the commands of a line as a host sees them.
func Described(commands []commandline.Command) (list []config.Command) {
	for _, c := range commands {
		d := config.Command{Text: c.Text, Unknown: c.Unknown}
		for _, w := range c.Words {
			d.Words = append(d.Words, w.Text)
		}
		for _, r := range c.Redirects {
			d.Redirects = append(d.Redirects, r.Text)
		}
		list = append(list, d)
	}
	return list
}
