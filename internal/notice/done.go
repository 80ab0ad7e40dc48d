package notice

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

// AlteredCut is for a text that the host's Filter made longer than a result may be.
const AlteredCut = "The program around this tool changed this result, and made it longer than a result may be. What " +
	"was cut is kept nowhere; ask for less in the next call"

const (
	NoMatches      = "No matches found"
	NoFiles        = "No files found matching pattern"
	EmptyDirectory = "(empty directory)"
)

// Lacking follows "nothing was found": some files match the pattern, but none matches all further patterns.
func Lacking(files int) string {
	if files == 1 {
		return "1 file matches the pattern, but not all in also"
	}
	return fmt.Sprintf("%d files match the pattern, but none matches all in also", files)
}

// Escaped follows "nothing was found": some lines match without their escape sequences.
type Escaped struct {
	Lines   int
	More    bool   // there may be more lines
	Pattern string // a pattern that finds them, quoted if needed; "" if unknown
	Literal bool   // the call has set literal, which Pattern does not work with
}

// Sentence returns the sentence without its full stop.
func (e Escaped) Sentence() string {
	verb, their := "match", "their"
	if e.Lines == 1 {
		verb, their = "matches", "its"
	}
	at := ""
	if e.More {
		at = "At least "
	}
	said := fmt.Sprintf("%s%s %s without %s escape sequences (colors)", at, Count(e.Lines, "line"), verb, their)
	switch {
	case e.Pattern == "":
		return said + ": search for a shorter part"
	case e.Literal:
		return said + ": try pattern=" + e.Pattern + " and leave out literal"
	}
	return said + ": try " + e.Pattern
}

// AtLineEnd follows "nothing was found" for a pattern with a carriage return.
const AtLineEnd = `A line is matched without its line break, and \r\n is one: set multiline=true to match the \r`

// OtherForm follows "nothing was found": pattern finds the same letters with accents composed differently. literal
// says that the call has set literal, which pattern does not work with.
func OtherForm(pattern string, literal bool) string {
	said := "The accents are composed otherwise there: try "
	if literal {
		return said + "pattern=" + pattern + " and leave out literal"
	}
	return said + pattern
}

// Sentences joins sentences without full stops for the first lines of a result. Empty ones are skipped.
func Sentences(said ...string) string {
	var text strings.Builder
	for _, s := range said {
		if s != "" {
			fmt.Fprintf(&text, " %s.", s)
		}
	}
	return strings.TrimPrefix(text.String(), " ")
}

// LinesChanged says how many lines a change added and removed.
func LinesChanged(added, removed int) string {
	switch {
	case added+removed == 0: // only the encoding changed
		return "no line changed"
	case added == 0:
		return Count(removed, "line") + " removed"
	case removed == 0:
		return Count(added, "line") + " added"
	}
	return fmt.Sprintf("%s added, %d removed", Count(added, "line"), removed)
}

// Written describes a file that was written as a whole.
type Written struct {
	Name           string
	Format         Format // set if the format did not change
	Lines          int    // in the new file
	Bytes          int64
	Added, Removed int           // lines
	Was, Now       textfile.Info // the former and the new format
	Created        bool          // there was no file before
	Same           bool          // the content did not change
	Asked          bool          // the call named the encoding
	Invalid        bool          // the old text was not valid UTF-8
	Likely         string        // its likely encoding, or ""
	NotOfForm      string        // why it is not valid for its name, or ""
}

// Line says what was done, and what changed besides the lines.
func (w Written) Line() string {
	holds := fmt.Sprintf("%s, %s", Count(w.Lines, "line"), size.Format(w.Bytes))
	switch {
	case w.Created:
		return Sentences(fmt.Sprintf("Created %s (%s)", w.Name, holds), w.kind(), w.NotOfForm)
	case w.Same:
		return Sentences(fmt.Sprintf("%s holds that already (%s). Nothing was written", w.Name, holds))
	}
	ends := ""
	if was, now := w.Was.LineEndings, w.Now.LineEndings; was != now && was != "" && now != "" {
		ends = fmt.Sprintf("Its line endings were %s and are %s now, as in content", was, now)
	}
	wrote := fmt.Sprintf("Wrote %s%s: %s (%s)", w.Name, w.Format.in(), LinesChanged(w.Added, w.Removed), holds)
	return Sentences(wrote, w.kind(), ends, w.NotOfForm)
}

// kind says what the file is if that may surprise.
func (w Written) kind() string {
	was, now := w.Was.Encoding, w.Now.Encoding
	switch {
	case w.Created && w.Asked && !w.Now.Binary:
		return fmt.Sprintf("It is in %s", now)
	case w.Created:
		return ""
	case w.Was.Binary:
		return fmt.Sprintf("It was %s before, and not text", w.Was.What())
	case w.Now.Binary:
		return fmt.Sprintf("It is %s now", w.Now.What())
	case now == was && now != textfile.UTF8:
		return "" // Format says so
	case now != textfile.UTF8:
		return fmt.Sprintf("It is in %s now", now)
	case was != textfile.UTF8:
		return fmt.Sprintf("It was in %s before, and is in utf-8 now", was)
	case w.Invalid && w.Likely != "" && !w.Asked:
		return fmt.Sprintf("It was not valid UTF-8 before, and is now. It looked like %s: use encoding=%[1]s to write it in "+
			"that", w.Likely)
	case w.Invalid:
		return "It was not valid UTF-8 before, and is now"
	}
	return ""
}

// NotOfForm says that a file is not what its name promises.
func NotOfForm(form, of string, err error) string {
	return fmt.Sprintf("It is not %s, which %s must be: %v", form, of, err)
}

// Edited describes a file in which text was replaced.
type Edited struct {
	Name           string
	Format         Format   // what the file is
	Places         int      // places where text was replaced
	Cells          []int    // the numbers of edited notebook cells
	Added, Removed int      // lines
	Stale          bool     // the file had changed since last shown
	Since          string   // where, from At; "" if unknown
	Differed, Left []string // from DifferedIn and OtherEndings
	AsJSON         bool     // a notebook that was edited as JSON
	Beside         int      // places in a notebook outside of the sources of cells
	Cleared        int      // edited cells that had outputs or an execution count
	Whole          WholeCell
}

// WholeCell describes a notebook cell that was inserted, deleted or moved.
type WholeCell struct {
	Done        string // what was done; "" for nothing
	Cell, To    int    // its number, and its new one if moved
	First, Last int    // other cells with new numbers, unless First is above Last
	Up          int    // how much higher these numbers are
}

func (w WholeCell) where() string {
	if w.To > 0 {
		return fmt.Sprintf(", cell %d moved to %d", w.Cell, w.To)
	}
	return fmt.Sprintf(", cell %d %s", w.Cell, w.Done)
}

func (w WholeCell) numbers() string {
	if w.First == w.Last {
		return fmt.Sprintf("Cell %d was cell %d before", w.First, w.First-w.Up)
	}
	return fmt.Sprintf("Cells %d to %d were %d to %d before", w.First, w.Last, w.First-w.Up, w.Last-w.Up)
}

// Line says what was done, and what may surprise.
func (e Edited) Line() string {
	where := ""
	if e.Places > 1 {
		where = " in " + Count(e.Places, "place")
	}
	where += cells(e.Cells)
	if e.Whole.Done != "" {
		where = e.Whole.where()
	}
	said := []string{fmt.Sprintf("Edited %s%s%s: %s", e.Name, e.Format.in(), where, LinesChanged(e.Added, e.Removed))}
	if e.Whole.Done != "" && e.Whole.First <= e.Whole.Last {
		said = append(said, e.Whole.numbers())
	}
	if e.Cleared > 0 {
		said = append(said, "Outputs from before the edit were cleared")
	}
	if e.Stale {
		said = append(said, elsewhere(e.Since))
	}
	said = append(said, e.Differed...)
	if e.AsJSON {
		said = append(said, "It was edited as JSON, because no cell source holds old_string exactly")
	}
	if e.Beside > 0 {
		said = append(said, "old_string stays in "+Count(e.Beside, "place")+" outside of cell sources, such as outputs")
	}
	return Sentences(append(said, e.Left...)...)
}

func elsewhere(since string) string {
	if since == "" {
		return "It has also changed elsewhere since it was last shown. Read it again to see where"
	}
	return "Also changed since it was last shown: " + since
}

const maxPlacesNamed = 3

// At names the lines of the new text that differ.
func At(changes []diff.Change) string {
	var places []string
	for _, c := range changes[:min(len(changes), maxPlacesNamed)] {
		switch {
		case c.Added == 0:
			places = append(places, fmt.Sprintf("before line %d", c.New))
		case c.Added == 1:
			places = append(places, fmt.Sprintf("line %d", c.New))
		default:
			places = append(places, fmt.Sprintf("lines %d-%d", c.New, c.New+c.Added-1))
		}
	}
	if n := len(changes) - len(places); n > 0 {
		places = append(places, Count(n, "more place"))
	}
	return enumerate(places)
}

const maxCellsNamed = 5

func cells(edited []int) string {
	n := len(edited)
	switch {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf(", cell %d", edited[0])
	case n > maxCellsNamed:
		return fmt.Sprintf(", %d cells", n)
	}
	numbers := make([]string, n)
	for i, cell := range edited {
		numbers[i] = strconv.Itoa(cell)
	}
	return ", cells " + strings.Join(numbers[:n-1], ", ") + " and " + numbers[n-1]
}

// Patched describes a file that a patch changed.
type Patched struct {
	Name           string
	To             string // its new path, or ""
	Created        bool
	Deleted        bool
	Same           bool   // nothing changed
	Format         Format // what the file is
	Added, Removed int    // lines
	Stale          bool   // the file had changed since last shown
	Since          string // where, from At; "" if unknown
	Differed, Left []string
	NotOfForm      string // why it is not valid for its name, or ""
}

// Line says what was done, and what may surprise.
func (p Patched) Line() string {
	line, changed := "", LinesChanged(p.Added, p.Removed)
	switch {
	case p.Created:
		line = fmt.Sprintf("Created %s (%s)", p.Name, Count(p.Added, "line"))
	case p.Deleted:
		line = fmt.Sprintf("Deleted %s (%s)", p.Name, Count(p.Removed, "line"))
	case p.To != "" && p.Added+p.Removed == 0:
		line = fmt.Sprintf("Moved %s to %s", p.Name, p.To)
	case p.To != "":
		line = fmt.Sprintf("Moved %s to %s%s: %s", p.Name, p.To, p.Format.in(), changed)
	case p.Same:
		line = p.Name + " stays as it is"
	default:
		line = fmt.Sprintf("Updated %s%s: %s", p.Name, p.Format.in(), changed)
	}
	said := []string{line}
	if p.Stale {
		said = append(said, elsewhere(p.Since))
	}
	said = append(append(said, p.Differed...), p.Left...)
	return Sentences(append(said, p.NotOfForm)...)
}

// mapAdvice says what happened to the new text when the old one matched only by a map.
var mapAdvice = map[edit.Map]string{
	edit.LineEndings: ", which stay as they are",
	edit.Indentation: "; the new text was indented as the file is",
}

// DifferedIn says by which maps the texts of a call were found, in the order of their first use. what names the texts
// of a map.
func DifferedIn(maps []edit.Map, what func(texts []int) string) (said []string) {
	by := map[edit.Map][]int{}
	for i, m := range maps {
		by[m] = append(by[m], i)
	}
	for i, m := range maps {
		if m != edit.Exact && by[m][0] == i {
			said = append(said, what(by[m])+" differed from the file in "+string(m)+mapAdvice[m])
		}
	}
	return said
}

// OtherEndings says that some places were left alone because their lines end differently. line is the first of them.
func OtherEndings(what string, places, line int, crlf bool, texts string) string {
	where, ending := fmt.Sprintf("at line %d", line), `\n`
	if places > 1 {
		where = fmt.Sprintf("in %d more places, the first at line %d", places, line)
	}
	if crlf {
		ending = `\r\n`
	}
	return fmt.Sprintf("%s is also %s with other line endings, and was left there. Give %s with %s to "+
		"replace it there", what, where, texts, ending)
}

// CommandsSandboxed says, in the description of bash, where commands may write, which of these places are readOnly,
// and whether commands have a network or which hosts they may reach.
func CommandsSandboxed(places, readOnly []string, network bool, hosts []string) string {
	text := " Commands are sandboxed: they write only in " + enumerate(places)
	if len(readOnly) > 0 {
		text += ", but not in " + strings.Join(readOnly, " or ")
	}
	switch {
	case len(hosts) > 0:
		text += ", and reach only " + listed(hosts, maxHostBytes) + ", by a proxy that the environment names"
	case !network:
		text += ", and have no network"
	}
	return text + "."
}
