package tools

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/record"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// recordVersion is the version of the format that suites write. Keys may be added without another one.
const recordVersion = 1

// The kinds of lines of a record.
const (
	recordedSession = "session"
	recordedCall    = "call"
	recordedJob     = "job"
)

// RecordedCall is a line of a record: a call, or, as Kind says, the beginning of a session or the end of a job.
// [config.Config.Record] makes a suite write one, and [ReadRecord] reads it. Fields that a line does not have are zero.
type RecordedCall struct {
	Kind    string    `json:"kind"`    // "session", "call" or "job"
	Session string    `json:"session"` // of a suite, from New to Close; views share it
	Time    time.Time `json:"time"`    // when it began; of a job, when it ended

	// Of a session.
	Version   int               `json:"version,omitempty"`
	Workspace string            `json:"workspace,omitempty"` // absolute
	Options   map[string]string `json:"options,omitempty"`   // by name, with values as Config.Describe writes them

	// Of a call.
	ID   string  `json:"id,omitempty"`   // as in Event; of a job, that of the call that started it
	Ms   float64 `json:"ms,omitempty"`   // milliseconds from the beginning to the end
	Tool string  `json:"tool,omitempty"` // "" if the suite has none of the name that was called
	// Args are the arguments, as in Event. What is longer than 64 KiB is a JSON string of the first 4096 characters.
	Args json.RawMessage `json:"args,omitempty"`
	// Text is what the model read. Of more than 1 MiB it is the beginning: then it is shorter than ShownBytes.
	Text          string              `json:"text,omitempty"`
	Code          config.Code         `json:"code,omitempty"`
	ShownBytes    int                 `json:"shownBytes,omitempty"`    // of Text
	ShownLines    int                 `json:"shownLines,omitempty"`    // of Text
	ProducedBytes int                 `json:"producedBytes,omitempty"` // as Event.BytesProduced; of a job, all that it printed
	ProducedLines int                 `json:"producedLines,omitempty"` // as Event.LinesProduced
	Truncated     bool                `json:"truncated,omitempty"`
	TruncatedBy   truncation.Reason   `json:"truncatedBy,omitempty"`
	LimitReached  bool                `json:"limitReached,omitempty"`
	LinesCut      bool                `json:"linesCut,omitempty"`
	Strategy      truncation.Strategy `json:"strategy,omitempty"`
	CharsRemoved  int                 `json:"charsRemoved,omitempty"` // -1 if they were not counted
	Standout      []truncation.Line   `json:"standout,omitempty"`     // the most telling ones first
	StandoutMore  int                 `json:"standoutMore,omitempty"` // how many more stand out
	Full          string              `json:"full,omitempty"`         // the absolute path of the file with the full output
	Images        int                 `json:"images,omitempty"`       // pictures that the model was shown beside the text
	AtOnce        int                 `json:"atOnce,omitempty"`       // calls of the suite that ran when it ended, itself included
	Conversation  string              `json:"conversation,omitempty"` // the reader that the call was made for: see WithReader
	CalledBy      string              `json:"calledBy,omitempty"`     // the id of the call whose tool made this one

	// Of a job.
	Job   int    `json:"job,omitempty"`   // its number
	State string `json:"state,omitempty"` // how it ended
}

// ReadRecord reads a record line by line. A line that cannot be read is an error that names it, and the lines behind it
// follow; a last line without an end, which a crash may leave, is left out. An error of the file is the last, and so is
// that of a version that this one of Spillway does not know. It holds one line at a time in memory, and a line of more
// than 16 MiB is an error. The file must be a regular one. Begin with the older one, which is named as path with ".1"
// behind it, to read what was recorded before the last rotation.
func ReadRecord(path string) iter.Seq2[RecordedCall, error] {
	return func(yield func(RecordedCall, error) bool) {
		f, _, err := workspace.OpenRegular(os.OpenFile, path)
		if err != nil {
			yield(RecordedCall{}, fmt.Errorf("tools: the record cannot be read: %w", err))
			return
		}
		defer f.Close()
		for line, err := range record.Lines(f) {
			var call RecordedCall
			if err == nil {
				err = json.Unmarshal(line.Text, &call)
			}
			if err != nil {
				err = fmt.Errorf("tools: line %d of the record %s: %w", line.Number, show(path), err)
				call = RecordedCall{}
			}
			newer := call.Version > recordVersion
			if newer {
				err = fmt.Errorf("tools: line %d of the record %s begins a record of version %d, but this program reads "+
					"version %d at most. Take a newer one", line.Number, show(path), call.Version, recordVersion)
			}
			if !yield(call, err) || newer {
				return
			}
		}
	}
}
