package tools

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/truncation"
)

// Tool is a tool as an agent's SDK needs it. The tools of a suite are safe for concurrent use. A tool that is added to
// one must be, too, and its methods other than Call must always return the same.
type Tool interface {
	// Name is what the model calls the tool.
	Name() string
	// Description tells the model what the tool does, and its limits.
	Description() string
	// Schema is the JSON Schema of the arguments, {"type":"object",...}.
	Schema() json.RawMessage
	// Call runs the tool. A failure that the model can act on is a Result with
	// IsError. A Go error means that ctx ended or the host is broken; the Result
	// still holds what was gathered.
	Call(ctx context.Context, args json.RawMessage) (Result, error)
}

// Result is the result of a call.
type Result struct {
	// Text is for the model; the text of an error begins with its code. The text of a suite or of [Truncate] has a
	// visible character, because providers refuse a text without one.
	Text string
	// IsError says that the call failed.
	IsError bool
	// Code is the kind of failure; "" if there was none, or if an added tool does not say.
	Code Code
	// Tool is the name of the tool, set by Suite.Call.
	Tool string
	// Images are for the model, too. Of the built-in tools only read returns any.
	Images []Image
	// Details are for the program: a ReadResult from read and so on, TruncatedDetails from an added or wrapped tool,
	// or an *Error. They encode to JSON, without the text.
	Details any
}

// Image is a picture.
type Image struct {
	MIMEType string // "image/png", "image/jpeg", "image/gif" or "image/webp"
	Data     []byte // the encoded picture
}

// HasEffects is implemented by a [Tool] that says what it may do, such as the tools of a suite and of [Func].
type HasEffects interface {
	Effects() config.Effects // what the tool may do; always the same
}

// LibraryTool is implemented by the built-in tools, as [Suite.Tools] returns them. Adapters look for it.
type LibraryTool interface {
	Tool
	HasEffects
	Title() string    // the tool's name for people, such as "Find files"
	Idempotent() bool // whether repeating a call changes nothing more
	MaxResult() int   // how many bytes the text of a result can have
}

// HasNotices is implemented by a [Tool] of a suite on another machine, so that [Suite.Add] does not cut its notices.
type HasNotices interface {
	HasNotices() bool // whether the text was bounded there: it may have 1 KiB more than the limits
}

// ResultPolicy is implemented by a [Tool] whose results are cut in different ways. [Suite.Add] and [Truncate] ask it.
type ResultPolicy interface {
	Strategy(res Result) truncation.Strategy // which part of the text is kept
	Notice(res Result) string                // a sentence to put below the text, without brackets; "" for none
}

var everything = config.Effects{Reads: true, Writes: true, Executes: true}

// EffectsOf returns what a tool may do. A tool that does not implement [HasEffects] is assumed to have every effect.
func EffectsOf(t Tool) config.Effects {
	if t, ok := t.(HasEffects); ok {
		return t.Effects()
	}
	return everything
}

// Part is an optional part of a suite, such as that of package tools/sandbox, which a program imports and hands to
// [New]. Package tools/all has all of them. A program without a part is smaller; [New] refuses options whose part it
// was not given.
type Part = part.Part

// Check returns a configuration with every zero replaced by its default, as [New] with these parts would. The error is
// that of New, except for what only the file system shows.
func Check(cfg config.Config, parts ...Part) (config.Config, error) {
	set, err := part.Join(parts)
	if err != nil {
		return cfg, err
	}
	return resolved(cfg, set)
}

func resolved(cfg config.Config, parts part.Set) (config.Config, error) {
	cfg, err := cfg.Resolved()
	return cfg, errors.Join(err, parts.Refused(cfg))
}
