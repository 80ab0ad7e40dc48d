package checkpoint

import (
	"os"
	"time"

	"github.com/spillway-go/spillway/internal/replace"
)

// tempAge is the age at which a temporary file must be of a killed process: a change takes milliseconds.
const tempAge = time.Minute

// removeTemps removes temporary files of killed processes.
func (t *Tracker) removeTemps() {
	root, err := t.o.Root()
	if err != nil {
		return
	}
	defer root.Close()
	for _, name := range t.temps {
		if info, err := root.Lstat(name); err == nil && !info.IsDir() && time.Since(info.ModTime()) > tempAge {
			root.Remove(name)
		}
	}
}

// replaced makes a file under a temporary name, and then renames it.
func replaced(dir *os.Root, base string, make func(name string) error) error {
	temp := replace.NewTemp()
	err := make(temp)
	if err == nil {
		err = dir.Rename(temp, base)
	}
	if err != nil {
		dir.Remove(temp)
	}
	return err
}
