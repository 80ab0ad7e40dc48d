package record

import (
	"encoding/json"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
)

// version is that of the format. Keys may be added without another one.
const version = 1

// The kinds of lines.
const (
	kindSession = "session"
	kindCall    = "call"
	kindJob     = "job"
)

// Line is a line of a record: a call, or, as Kind says, the beginning of a session or the end of a job.
// A [Recorder] writes lines, and [Read] reads them. Fields that a line does not have are zero.
type Line struct {
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
	// Args are the arguments, as in Event. If they are longer than 64 KiB, they are a JSON string
	// of their first 4096 characters.
	Args json.RawMessage `json:"args,omitempty"`
	// Text is what the model read. It has at most the first 1 MiB, and is then shorter than
	// ShownBytes.
	Text          string              `json:"text,omitempty"`
	Said          string              `json:"said,omitempty"` // as in Event: part of the text of a command
	Code          config.Code         `json:"code,omitempty"`
	ShownBytes    int                 `json:"shownBytes,omitempty"`    // of Text
	ShownLines    int                 `json:"shownLines,omitempty"`    // of Text
	ProducedBytes int                 `json:"producedBytes,omitempty"` // as Event.BytesProduced; of a job, all it printed
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
	Facts         *Facts              `json:"facts,omitempty"`        // as in Event; of a job, too. Nil in the records of older versions: they are not known
	Network       []config.HostUse    `json:"network,omitempty"`      // as in Event; of a job, too
	AtOnce        int                 `json:"atOnce,omitempty"`       // calls that ran when it ended, itself included
	Conversation  string              `json:"conversation,omitempty"` // the reader of the call: see tools.WithConversation
	CalledBy      string              `json:"calledBy,omitempty"`     // the id of the call whose tool made this one

	// Of a job.
	Job   int    `json:"job,omitempty"`   // its number
	State string `json:"state,omitempty"` // how it ended
}
