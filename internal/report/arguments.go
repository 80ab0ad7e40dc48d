package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
)

// maxArguments and maxDepth bound how arguments are written: what is more or deeper is one value, and on one line.
// Indenting makes a text grow with the square of its depth.
const (
	maxArguments = 100
	maxDepth     = 20
)

// argument is an argument as the page shows it.
type argument struct {
	Name string `json:"name"`
	Text string `json:"text"`          // a text as it is, anything else as JSON
	Gap  int    `json:"gap,omitempty"` // bytes at the end that are not on the page
}

// arguments are those of a call by name. What is no object is the one argument without a name.
type arguments struct {
	names  []string // in order
	values map[string]json.RawMessage
	raw    json.RawMessage
}

func decode(raw json.RawMessage) (args arguments) {
	args.raw = raw
	if json.Unmarshal(raw, &args.values) != nil || len(args.values) > maxArguments {
		args.values = map[string]json.RawMessage{}
		if len(raw) > 0 {
			args.values[""] = raw
		}
	}
	args.names = slices.SortedFunc(maps.Keys(args.values), func(a, b string) int {
		if x, y := rank(a), rank(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	return args
}

// first are the arguments that say what a call is about.
var first = []string{"command", "pattern", "path", "paths", "id"}

func rank(name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	return len(first)
}

// text is an argument that is a text, or "".
func (a arguments) text(name string) (text string) {
	json.Unmarshal(a.values[name], &text)
	return text
}

// list is an argument that is a list of texts, which may be encoded in a text, or nil.
func (a arguments) list(name string) (list []string) {
	raw := a.values[name]
	if text := a.text(name); text != "" {
		raw = json.RawMessage(text)
	}
	json.Unmarshal(raw, &list)
	return list
}

// number is an argument that is a whole number, which models also write in quotes, or 0.
func (a arguments) number(name string) (n int) {
	if text := a.text(name); text != "" {
		n, _ = strconv.Atoi(text)
	} else {
		json.Unmarshal(a.values[name], &n)
	}
	return n
}

// key returns what is the same for the same arguments, however they are written and ordered, without some of them.
func (a arguments) key(without ...string) string {
	var b bytes.Buffer
	for _, name := range a.names {
		if !slices.Contains(without, name) {
			b.WriteString(strconv.Quote(name))
			if json.Compact(&b, a.values[name]) != nil {
				b.Write(a.values[name])
			}
		}
	}
	return b.String()
}

// pretty returns the arguments for a reader. Each is cut where it alone is longer than the most that a page has.
func (a arguments) pretty() (list []argument) {
	for _, name := range a.names {
		value := a.values[name]
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = indented(value)
		}
		list = append(list, argument{Name: named(name), Text: text})
	}
	return list
}

func indented(value json.RawMessage) string {
	var b bytes.Buffer
	if depth(value) > maxDepth || json.Indent(&b, value, "", "  ") != nil {
		return string(value)
	}
	return b.String()
}

// depth is how deep brackets are nested in a JSON value.
func depth(value []byte) (most int) {
	now, quoted := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

// brief is the one line that stands for arguments: the value of what a call is about, and the others with their names.
func brief(tool string, args arguments) string {
	var parts []string
	for _, name := range args.names {
		text := args.text(name)
		if text == "" {
			text = string(args.values[name])
		}
		text = oneLine(text)
		if name != "" && (rank(name) == len(first) || len(parts) > 0 && name != "path") {
			text = named(name) + "=" + text
		}
		if len(parts) == 0 && tool == "job" && name == "id" {
			text = "job " + text
		}
		parts = append(parts, text)
	}
	return quote.Short(strings.Join(parts, "  "), maxBrief)
}

// oneLine is the beginning of a text, on one line.
func oneLine(text string) string {
	short := quote.Short(text, maxBrief)
	shown, _ := quote.Line(strings.Join(strings.Fields(short), " "))
	return shown
}
