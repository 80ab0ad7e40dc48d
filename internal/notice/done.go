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

// AlteredCut is for a text that the host has put in place of a result, and that was too long for one.
const AlteredCut = "The program around this tool changed this result, and made it longer than a result may be. What " +
	"was cut is kept nowhere; ask for less in the next call"

// The first lines of empty lists.
const (
	NoMatches      = "No matches found"
	NoFiles        = "No files found matching pattern"
	EmptyDirectory = "(empty directory)"
)

// Lacking follows the sentence that nothing was found: files match the pattern, but none of them every further one.
func Lacking(files int) string {
	if files == 1 {
		return "1 file matches the pattern, but not every one in also"
	}
	return fmt.Sprintf("%d files match the pattern, but none of them every one in also", files)
}

// Escaped follows the sentence that nothing was found: lines match without their escape sequences.
type Escaped struct {
	Lines   int
	More    bool   // there may be more of them
	Pattern string // that finds these, quoted if need be; "" if none is known
	Literal bool   // the call has literal set, with which it would not
}

// Sentence returns it without its full stop.
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

// AtLineEnd follows the sentence that nothing was found, of a pattern for a carriage return.
const AtLineEnd = `A line is matched without its line break, and \r\n is one: set multiline=true to match the \r`

// OtherForm follows the sentence that nothing was found: a pattern finds the same letters with their accents composed
// otherwise. literal says that the call has literal set, with which it would not.
func OtherForm(pattern string, literal bool) string {
	said := "The accents are composed otherwise there: try "
	if literal {
		return said + "pattern=" + pattern + " and leave out literal"
	}
	return said + pattern
}

// Sentences joins what there is to say in the first lines of a result: sentences without their full stops, of which
// some may be empty.
func Sentences(said ...string) string {
	var text strings.Builder
	for _, s := range said {
		if s != "" {
			fmt.Fprintf(&text, " %s.", s)
		}
	}
	return strings.TrimPrefix(text.String(), " ")
}

// LinesChanged says how many lines a change put in and took out.
func LinesChanged(added, removed int) string {
	switch {
	case added+removed == 0: // but the encoding
		return "no line changed"
	case added == 0:
		return Count(removed, "line") + " removed"
	case removed == 0:
		return Count(added, "line") + " added"
	}
	return fmt.Sprintf("%s added, %d removed", Count(added, "line"), removed)
}

// Written is a file that was written as a whole.
type Written struct {
	Name           string
	Format         Format // what the file is, where that is what it was
	Lines          int    // that it has now
	Bytes          int64
	Added, Removed int           // lines
	Was, Now       textfile.Info // what the file is
	Created        bool          // there was none
	Same           bool          // it held that already
	Asked          bool          // the call gives the encoding
	Invalid        bool          // the text was not valid UTF-8
	Likely         string        // the encoding that it looked like then, or ""
	NotOfForm      string        // that it is not what its name says; or ""
}

// Line says what was done, and what is not as it was besides the lines.
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

// kind says what the file is where that may be a surprise.
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

// NotOfForm says that a file is not of the form that its name says.
func NotOfForm(form, of string, err error) string {
	return fmt.Sprintf("It is not %s, which %s must be: %v", form, of, err)
}

// Edited is a file in which text was replaced.
type Edited struct {
	Name           string
	Format         Format   // what the file is
	Places         int      // of the text
	Cells          []int    // the numbers of a notebook's cells that were edited
	Added, Removed int      // lines
	Stale          bool     // the file had changed since it was last shown
	Since          string   // where, as At says; "" if that is not known
	Differed, Left []string // what DifferedIn and OtherEndings say
	AsJSON         bool     // it is a notebook, and was edited as JSON
	Beside         int      // places in a notebook that are in no source of a cell
	Cleared        int      // edited cells that had outputs or an execution count
	Whole          WholeCell
}

// WholeCell is a cell of a notebook that was inserted, deleted or moved.
type WholeCell struct {
	Done        string // what was done; "" for nothing
	Cell, To    int    // its number, and the other that a moved one now has
	First, Last int    // other cells that have new numbers, if First is not above Last
	Up          int    // how much higher those are
}

// where names the cell.
func (w WholeCell) where() string {
	if w.To > 0 {
		return fmt.Sprintf(", cell %d moved to %d", w.Cell, w.To)
	}
	return fmt.Sprintf(", cell %d %s", w.Cell, w.Done)
}

// numbers says which other cells have new numbers.
func (w WholeCell) numbers() string {
	if w.First == w.Last {
		return fmt.Sprintf("Cell %d was cell %d before", w.First, w.First-w.Up)
	}
	return fmt.Sprintf("Cells %d to %d were %d to %d before", w.First, w.Last, w.First-w.Up, w.Last-w.Up)
}

// Line says what was done, and what of it may be a surprise.
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

// elsewhere says that a file had changed in other places than those of a change, and where.
func elsewhere(since string) string {
	if since == "" {
		return "It has also changed elsewhere since it was last shown. Read it again to see where"
	}
	return "Also changed since it was last shown: " + since
}

// maxPlacesNamed is the number of places up to which a line names them.
const maxPlacesNamed = 3

// At names the lines of the new text in which a difference is.
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

// maxCellsNamed is the number of cells up to which a line names those that were edited.
const maxCellsNamed = 5

// cells names the cells that were edited.
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

// Patched is a file that a patch changed.
type Patched struct {
	Name           string
	To             string // where it was moved, or ""
	Created        bool
	Deleted        bool
	Same           bool   // nothing was done
	Format         Format // what the file is
	Added, Removed int    // lines
	Stale          bool   // it had changed since it was last shown
	Since          string // where, as At says; "" if that is not known
	Differed, Left []string
	NotOfForm      string // that it is not what its name says; or ""
}

// Line says what was done, and what of it may be a surprise.
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

// mapAdvice is what became of the new text where a map was needed.
var mapAdvice = map[edit.Map]string{
	edit.LineEndings: ", which stay as they are",
	edit.Indentation: "; the new text was indented as the file is",
}

// DifferedIn says by which maps the texts of a call were found, in the order of their first use. what names those of a
// map.
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

// OtherEndings says where what was left as it is, because the lines of these places, the first of them at line, end
// otherwise.
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

// CommandsSandboxed says, in the description of bash, that commands write only in places, of which there are several,
// and not in what is readOnly, and whether they have a network, or what hosts they may reach by name.
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
