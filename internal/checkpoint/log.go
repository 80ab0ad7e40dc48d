package checkpoint

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/spill"
)

// log records the steps of a process as JSON lines in a file. Contents are saved before the step that names them, so a
// line is complete; if the process was killed meanwhile, readers skip the partial line. The file is locked while the
// process lives, so that no sweep removes it.
type log struct {
	dir   *os.Root
	f     *os.File
	began time.Time
	empty bool
}

func openLog(dir *os.Root) (*log, error) {
	l := &log{dir: dir, began: time.Now()}
	return l, l.open()
}

// open makes the log's file. It tries several times, because a sweep of another process may hold the lock for an
// instant.
func (l *log) open() (err error) {
	for range 10 {
		if err = l.openOnce(); !errors.Is(err, lock.ErrBusy) {
			break
		}
	}
	return err
}

func (l *log) openOnce() (err error) {
	name := fmt.Sprintf("%s%016x-%s%s", logPrefix, l.began.UnixNano(), spill.NewID(), logSuffix)
	if l.f, err = l.dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return err
	}
	l.empty = true
	if err = lock.Take(l.dir, name, l.f); !errors.Is(err, lock.ErrBusy) {
		return nil // if files cannot be locked, no sweep can lock them either, so none is removed
	}
	l.f.Close()
	l.dir.Remove(name)
	return err
}

func (l *log) write(s Step) error {
	line, err := json.Marshal(recordOf(s))
	if err != nil {
		return err
	}
	l.empty = false
	_, err = l.f.Write(append(line, '\n'))
	if err != nil { // no line may follow a partial one
		l.f.Close()
		err = errors.Join(err, l.open())
	}
	return err
}

func (l *log) close() error {
	if l.empty {
		l.dir.Remove(filepath.Base(l.f.Name()))
	}
	return l.f.Close()
}

// begin returns when a log was begun, from its name.
func begin(name string) time.Time {
	digits, _, _ := strings.Cut(strings.TrimPrefix(name, logPrefix), "-")
	at, _ := strconv.ParseInt(digits, 16, 64)
	return time.Unix(0, at)
}

const (
	logPrefix = "log-"
	logSuffix = ".jsonl"
)

// record is a step as the log has it.
type record struct {
	ID      string         `json:"id"`
	At      time.Time      `json:"at"`
	By      []string       `json:"by,omitempty"`
	About   text           `json:"about,omitempty"`
	Changes []changeRecord `json:"changes,omitempty"`
}

type changeRecord struct {
	Path   text           `json:"path"`
	From   text           `json:"from,omitempty"`
	Before *versionRecord `json:"before,omitempty"`
	After  *versionRecord `json:"after,omitempty"`
}

type versionRecord struct {
	Kind string      `json:"kind"`
	Mode fs.FileMode `json:"mode,omitempty"`
	Size int64       `json:"size,omitempty"`
	Kept string      `json:"sha256,omitempty"` // in the store
	Git  string      `json:"git,omitempty"`    // among git's objects
	Link text        `json:"link,omitempty"`
}

var kindNames = map[Kind]string{File: "file", Link: "link", Dir: "directory", Special: "special"}

// text is a string that may not be UTF-8, as paths may be.
type text string

func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(t))})
}

func (t *text) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*string)(t)); err == nil {
		return nil
	}
	var other struct{ Base64 []byte }
	err := json.Unmarshal(data, &other)
	*t = text(other.Base64)
	return err
}

func recordOf(s Step) record {
	r := record{ID: s.ID, At: s.At, By: s.By, About: text(s.About)}
	for _, c := range s.Changes {
		r.Changes = append(r.Changes, changeRecord{text(c.Path), text(c.From), versionOf(c.Before), versionOf(c.After)})
	}
	return r
}

func versionOf(v Version) *versionRecord {
	if v.Kind == Absent {
		return nil
	}
	r := &versionRecord{Kind: kindNames[v.Kind], Mode: v.Mode, Size: v.Size}
	switch sum := hex.EncodeToString([]byte(v.Whole.value)); v.Whole.where {
	case kept:
		r.Kept = sum
	case inGit:
		r.Git = sum
	case inEntry:
		r.Link = text(v.Whole.value)
	}
	return r
}

// step returns the step in a record. The log may be forged, so its paths must be in the workspace.
func (r record) step() (Step, error) {
	s := Step{ID: r.ID, At: r.At, By: r.By, About: string(r.About)}
	for _, c := range r.Changes {
		before, err := c.Before.version()
		after, err2 := c.After.version()
		change := Change{Path: string(c.Path), From: string(c.From), Before: before, After: after}
		if err = errors.Join(err, err2, inside(change.Path), inside(cmp.Or(change.From, change.Path))); err != nil {
			return s, err
		}
		s.Changes = append(s.Changes, change)
	}
	return s, nil
}

// inside returns an error for a path that no look could find.
func inside(path string) error {
	if !filepath.IsLocal(filepath.FromSlash(path)) || filepath.ToSlash(filepath.Clean(path)) != path || path == "." ||
		slices.ContainsFunc(strings.Split(path, "/"), isGit) {
		return fmt.Errorf("%q is no path of a workspace", path)
	}
	return nil
}

func (r *versionRecord) version() (v Version, err error) {
	if r == nil {
		return v, nil
	}
	for kind, name := range kindNames {
		if name == r.Kind {
			v.Kind = kind
		}
	}
	v.Mode, v.Size = r.Mode&settable, r.Size
	switch {
	case v.Kind == Absent:
		err = fmt.Errorf("%q is no kind", r.Kind)
	case v.Kind == Link:
		v.Whole = content{inEntry, string(r.Link)}
	case r.Kept != "":
		v.Whole, err = contentOf(kept, r.Kept)
	case r.Git != "":
		v.Whole, err = contentOf(inGit, r.Git)
	}
	return v, err
}

func contentOf(w where, digits string) (content, error) {
	sum, err := hex.DecodeString(digits)
	return content{w, string(sum)}, err
}

// maxLogs bounds the logs that are read, in bytes.
const maxLogs = 256 << 20

// readLogs returns the steps in the logs of a directory, oldest first.
func readLogs(dir *os.Root) (steps []Step, err error) {
	names, err := logs(dir)
	left := int64(maxLogs)
	for _, name := range names {
		f, openErr := openRegular(dir, name)
		if openErr != nil {
			err = errors.Join(err, openErr)
			continue
		}
		readLog(f, &left, func(s Step) { steps = append(steps, s) })
		f.Close()
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return a.At.Compare(b.At) })
	return steps, err
}

func logs(dir *os.Root) ([]string, error) {
	d, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, logPrefix) || !strings.HasSuffix(name, logSuffix)
	}), err
}

// readLog calls visit for the steps in a log. It skips malformed ones.
func readLog(f io.Reader, left *int64, visit func(Step)) {
	r := bufio.NewReader(io.LimitReader(f, *left))
	for {
		line, err := r.ReadBytes('\n')
		*left -= int64(len(line))
		if err != nil {
			return // the rest was not written completely
		}
		var rec record
		if json.Unmarshal(line, &rec) != nil {
			continue
		}
		if s, err := rec.step(); err == nil {
			visit(s)
		}
	}
}
