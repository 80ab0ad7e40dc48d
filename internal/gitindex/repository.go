package gitindex

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/gitdir"
)

// Of returns the entries of a repository's index, as [Read] does; none if it has no index.
func Of(repo *gitdir.Repository) ([]Entry, error) {
	name, err := repo.ObjectFormat()
	if err != nil {
		return nil, err
	}
	format, err := FormatOf(name)
	if err != nil {
		return nil, err
	}
	read := func(name string) (string, error) { return repo.Read(filepath.Join(repo.Own, name), MaxBytes) }
	content, err := read("index")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Read(content, format, read)
}
