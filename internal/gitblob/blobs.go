// Package gitblob reads the contents of files out of a repository's object database, without git: the repository's
// configuration may have git run programs, and fetch what is missing.
//
// The formats are those of gitformat-pack(5) and gitrepository-layout(5).
package gitblob

import (
	"bufio"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/workspace"
)

var (
	// ErrElsewhere is the error for a repository that borrows objects of another one, which is not read.
	ErrElsewhere = errors.New("the repository borrows objects of another one")
	// ErrMalformed is wrapped in the error for an object that git would refuse, too.
	ErrMalformed = errors.New("the object is malformed")
	// ErrTooLarge is the error for an object beyond the bound.
	ErrTooLarge = errors.New("the object is too large")
)

// Blobs is the blobs of a repository. It is not safe for concurrent use.
type Blobs struct {
	root   *os.Root // objects
	format gitindex.Format
	packs  []*pack // nil until one is needed
}

// Open returns the blobs of a repository. Close it.
func Open(repo *gitdir.Repository) (*Blobs, error) {
	name, err := repo.ObjectFormat()
	if err != nil {
		return nil, err
	}
	format, err := gitindex.FormatOf(name)
	if err != nil {
		return nil, err
	}
	root, err := repo.OpenDir(filepath.Join(repo.Common, "objects"))
	if err != nil {
		return nil, err
	}
	if info, err := root.Lstat("info/alternates"); err == nil && info.Size() > 0 {
		root.Close()
		return nil, ErrElsewhere
	}
	return &Blobs{root: root, format: format}, nil
}

// Close closes the repository's files.
func (b *Blobs) Close() {
	b.closePacks()
	b.root.Close()
}

func (b *Blobs) closePacks() {
	for _, p := range b.packs {
		p.close()
	}
	b.packs = nil
}

// Read returns the content of the blob with a hash, of at most limit bytes. The error for one that is not there is
// [fs.ErrNotExist].
func (b *Blobs) Read(hash string, limit int64) ([]byte, error) {
	if len(hash) != int(b.format) {
		return nil, fmt.Errorf("%w: its hash has %d bytes", ErrMalformed, len(hash))
	}
	o, err := b.object(hash, limit)
	if errors.Is(err, fs.ErrNotExist) { // it may have been packed meanwhile, or packed anew
		b.closePacks()
		o, err = b.object(hash, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%x: %w", hash, err)
	}
	if o.kind != kindBlob {
		return nil, fmt.Errorf("%x: %w: it is no blob", hash, ErrMalformed)
	}
	h := b.format.BlobHash(int64(len(o.content)))
	h.Write(o.content)
	if string(h.Sum(nil)) != hash { // a command may have put another object in its place
		return nil, fmt.Errorf("%x: %w: its content has another hash", hash, ErrMalformed)
	}
	return o.content, nil
}

// Loose reports whether an object has a file of its own: it is in no pack yet.
func (b *Blobs) Loose(hash string) bool {
	if len(hash) != int(b.format) {
		return false
	}
	_, err := b.root.Lstat(loosePath(hash))
	return err == nil
}

func loosePath(hash string) string {
	name := hex.EncodeToString([]byte(hash))
	return name[:2] + "/" + name[2:]
}

// object is an object of any kind.
type object struct {
	kind    int
	content []byte
}

// The kinds of objects, by their numbers in packs.
const (
	kindBlob    = 3
	offsetDelta = 6
	refDelta    = 7
)

func (b *Blobs) object(hash string, limit int64) (object, error) {
	o, err := b.loose(hash, limit)
	if !errors.Is(err, fs.ErrNotExist) {
		return o, err
	}
	if b.packs == nil {
		if b.packs, err = openPacks(b.root, b.format); err != nil {
			return object{}, err
		}
	}
	for _, p := range b.packs {
		at, found, err := p.find(hash)
		if err != nil {
			return object{}, err
		}
		if found {
			return p.object(at, limit, newWork(limit))
		}
	}
	return object{}, fs.ErrNotExist
}

// loose reads an object that has a file of its own.
func (b *Blobs) loose(hash string, limit int64) (object, error) {
	f, err := open(b.root, loosePath(hash))
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	inflated, err := zlib.NewReader(bufio.NewReader(f))
	if err != nil {
		return object{}, malformed(err)
	}
	r := bufio.NewReader(io.LimitReader(inflated, maxHeader+limit+1))
	header, err := r.ReadString(0)
	if err != nil || len(header) > maxHeader {
		return object{}, malformed(err)
	}
	kind, digits, _ := strings.Cut(header[:len(header)-1], " ")
	size, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return object{}, malformed(err)
	}
	o := object{}
	if kind == "blob" {
		o.kind = kindBlob
	}
	o.content, err = exactly(r, size, limit)
	return o, err
}

// maxHeader is more than the header of a loose object has: a kind, a size and a NUL byte.
const maxHeader = 40

// exactly reads a text of a size, after which r ends.
func exactly(r io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, ErrTooLarge
	}
	if size < 0 {
		return nil, malformed(nil)
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(r, content); err != nil {
		return nil, malformed(err)
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return nil, malformed(err)
	}
	return content, nil
}

// open opens a regular file.
func open(objects *os.Root, name string) (*os.File, error) {
	f, _, err := workspace.OpenRegular(objects.OpenFile, name)
	return f, err
}

func malformed(err error) error {
	if err == nil || err == io.EOF {
		return ErrMalformed
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}
