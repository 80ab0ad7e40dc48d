// Package gitindex reads git's index, without git: the repository's configuration may have git run programs.
package gitindex

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
)

// Bounds on what an index can ask for. That of Linux, with 90,000 files, has 10 MB.
const (
	MaxBytes     = 48 << 20 // of an index, with the one that it shares entries of
	maxPathBytes = 64 << 20 // of all paths together: version 4 leaves out what a path shares with the one before
	minEntry     = 40 + 20 + 2 + 1
)

// The modes of entries, apart from the permissions of files.
const (
	ModeKind    = 0o170000
	ModeFile    = 0o100000
	ModeLink    = 0o120000
	ModeModule  = 0o160000
	ModeSparse  = 0o040000 // a directory whose entries are left out, in an index that is sparse
	ModeProgram = 0o100    // the permission bit that git looks at
)

// Format is the kind of hash by which a repository names objects.
type Format int

// The formats, each with the bytes of a hash.
const (
	SHA1   Format = 20
	SHA256 Format = 32
)

// FormatOf returns the format with the name that extensions.objectFormat gives it; "" is SHA-1.
func FormatOf(name string) (Format, error) {
	switch name {
	case "", "sha1":
		return SHA1, nil
	case "sha256":
		return SHA256, nil
	}
	return 0, fmt.Errorf("%w: objects are named by %q", ErrUnknown, name)
}

// BlobHash returns the hash by which git names a file's content of that size.
func (f Format) BlobHash(size int64) hash.Hash {
	h := sha1.New()
	if f == SHA256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	return h
}

// Entry is a path that git tracks.
type Entry struct {
	Path   string // with slashes, relative to the work tree; that of ModeSparse ends in one
	Mode   uint32
	Object string // the hash of its content: its bytes, not their digits
	Stage  int    // 0, or 1 to 3 of a conflict
	Size   uint32 // of the file when git last found it unchanged, modulo 2^32; 0 if git does not know

	Mtime, Ctime Time   // of the file then
	Dev, Inode   uint32 // of the file then, the lower bits

	SkipWorktree, IntentToAdd, AssumeUnchanged bool
}

var (
	// ErrUnknown is wrapped in the error for an index that is in a format that is not known here.
	ErrUnknown = errors.New("it is in a format that is not known here")
	// ErrMalformed is wrapped in the error for an index that git would refuse, too.
	ErrMalformed = errors.New("it is malformed")
	// ErrTooLarge is the error for an index beyond the bounds.
	ErrTooLarge = errors.New("it is too large")
)

// Time is a time of a file: seconds since 1970, modulo 2^32, and nanoseconds.
type Time struct{ Sec, Nsec uint32 }

func timeAt(stat string) Time { return Time{number(stat), number(stat[4:])} }

// Read returns the entries of an index, in git's order: by path, and then by stage. shared returns the content of the
// file beside it with a name, of which a split index has the difference; it is not called for others.
func Read(content string, format Format, shared func(name string) (string, error)) ([]Entry, error) {
	r := reader{rest: content, format: int(format)}
	entries, err := r.entries()
	if err != nil {
		return nil, err
	}
	link, err := r.extensions()
	if err == nil && link == "" && slices.ContainsFunc(entries, func(e Entry) bool { return e.Path == "" }) {
		err = fmt.Errorf("%w: a path is empty", ErrMalformed) // only one that replaces a shared entry is
	}
	if err != nil || link == "" {
		return entries, err
	}
	l, err := parseLink(link, int(format))
	if err != nil {
		return nil, err
	}
	if l.base == "" { // it shares nothing yet
		return entries, nil
	}
	other, err := shared("sharedindex." + hex.EncodeToString([]byte(l.base)))
	if err != nil {
		return nil, err
	}
	if len(content)+len(other) > MaxBytes {
		return nil, ErrTooLarge
	}
	base := reader{rest: other, format: int(format)}
	old, err := base.entries()
	if err != nil {
		return nil, err
	}
	if below, err := base.extensions(); err != nil || below != "" {
		return nil, errors.Join(err, fmt.Errorf("%w: what it shares entries of does so as well", ErrMalformed))
	}
	return l.merge(old, entries)
}

// reader reads an index from its beginning.
type reader struct {
	rest    string
	format  int
	version uint32
	paths   int // bytes of paths
}

func (r *reader) take(n int) (string, error) {
	if n < 0 || n > len(r.rest) {
		return "", fmt.Errorf("%w: it ends too early", ErrMalformed)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken, nil
}

// number returns the number that begins a text.
func number(s string) uint32 {
	return uint32(s[0])<<24 | uint32(s[1])<<16 | uint32(s[2])<<8 | uint32(s[3])
}

// entries reads the header and the entries.
func (r *reader) entries() ([]Entry, error) {
	if len(r.rest) > MaxBytes {
		return nil, ErrTooLarge
	}
	if len(r.rest) < 12+r.format || r.rest[:4] != "DIRC" {
		return nil, fmt.Errorf("%w: it is not an index", ErrMalformed)
	}
	r.version = number(r.rest[4:])
	count := number(r.rest[8:])
	if r.version < 2 || r.version > 4 {
		return nil, fmt.Errorf("%w: version %d", ErrUnknown, r.version)
	}
	r.rest = r.rest[12 : len(r.rest)-r.format] // the checksum is git's to look at
	if int64(count)*minEntry > int64(len(r.rest)) {
		return nil, fmt.Errorf("%w: it has no room for %d entries", ErrMalformed, count)
	}
	entries := make([]Entry, count)
	var before string
	for i := range entries {
		e, err := r.entry(before)
		if err != nil {
			return nil, err
		}
		entries[i], before = e, e.Path
	}
	return entries, nil
}

// Bits of an entry's flags, and of those that follow them from version 3 on.
const (
	flagAssume   = 1 << 15
	flagExtended = 1 << 14
	flagStage    = 12
	maxName      = 1<<12 - 1 // a longer path ends where its NUL is

	flagSkip   = 1 << 14
	flagIntent = 1 << 13
)

// entry reads an entry, which in version 4 tells its path by the one before.
func (r *reader) entry(before string) (e Entry, err error) {
	whole := len(r.rest)
	stat, err := r.take(40 + r.format + 2)
	if err != nil {
		return e, err
	}
	e.Mode, e.Size = number(stat[24:]), number(stat[36:])
	e.Ctime, e.Mtime = timeAt(stat), timeAt(stat[8:])
	e.Dev, e.Inode = number(stat[16:]), number(stat[20:])
	e.Object = stat[40 : 40+r.format]
	flags := uint16(stat[40+r.format])<<8 | uint16(stat[41+r.format])
	e.AssumeUnchanged, e.Stage = flags&flagAssume != 0, int(flags>>flagStage&3)
	if flags&flagExtended != 0 {
		more, err := r.take(2)
		if err != nil {
			return e, err
		}
		bits := uint16(more[0])<<8 | uint16(more[1])
		if r.version == 2 || bits&^(flagSkip|flagIntent) != 0 {
			return e, fmt.Errorf("%w: flags %#x of an entry", ErrUnknown, bits)
		}
		e.SkipWorktree, e.IntentToAdd = bits&flagSkip != 0, bits&flagIntent != 0
	}
	length := int(flags & maxName)
	if r.version == 4 {
		e.Path, err = r.rebased(before)
		if err == nil && length != min(len(e.Path), maxName) { // by which git goes
			err = fmt.Errorf("%w: a path has another length than its entry says", ErrMalformed)
		}
		return e, err
	}
	if length == maxName {
		if length = strings.IndexByte(r.rest, 0); length < 0 {
			return e, fmt.Errorf("%w: a path does not end", ErrMalformed)
		}
	}
	if e.Path, err = r.take(length); err != nil {
		return e, err
	}
	if strings.Contains(e.Path, "\x00") { // which git takes for its end, in some places
		return e, fmt.Errorf("%w: a path has a NUL byte", ErrMalformed)
	}
	zeros, err := r.take(8 - (whole-len(r.rest))%8) // one at least
	if strings.Trim(zeros, "\x00") != "" {
		return e, fmt.Errorf("%w: a path does not end", ErrMalformed)
	}
	return e, err
}

// rebased reads a path of version 4: how many bytes of the one before to leave out at its end, and what follows then.
func (r *reader) rebased(before string) (string, error) {
	drop, err := r.varint()
	if err != nil {
		return "", err
	}
	end := strings.IndexByte(r.rest, 0)
	if end < 0 || drop > len(before) {
		return "", fmt.Errorf("%w: a path does not end, or begins with what there is not", ErrMalformed)
	}
	if r.paths += len(before) - drop + end; r.paths > maxPathBytes {
		return "", ErrTooLarge
	}
	path := before[:len(before)-drop] + r.rest[:end]
	r.rest = r.rest[end+1:]
	return path, nil
}

// varint reads a number as the offsets in packs are written.
func (r *reader) varint() (int, error) {
	for value := 0; ; value++ {
		next, err := r.take(1)
		if err != nil || value > MaxBytes {
			return 0, errors.Join(err, ErrMalformed)
		}
		value = value<<7 | int(next[0]&0x7f)
		if next[0]&0x80 == 0 {
			return value, nil
		}
	}
}

// extensions reads what follows the entries, and returns the extension of a split index, or nil.
func (r *reader) extensions() (link string, err error) {
	for len(r.rest) > 0 {
		head, err := r.take(8)
		if err != nil {
			return "", err
		}
		size := number(head[4:])
		if int64(size) > int64(len(r.rest)) {
			return "", fmt.Errorf("%w: an extension does not end", ErrMalformed)
		}
		data, _ := r.take(int(size))
		switch name := head[:4]; {
		case name == "link":
			link = data
		case name == "sdir" || 'A' <= head[0] && head[0] <= 'Z': // those that git may leave out
		default:
			return "", fmt.Errorf("%w: extension %s", ErrUnknown, strconv.Quote(name))
		}
	}
	return link, nil
}
