package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// Event describes a call that has ended, or a change in a job.
type Event struct {
	ID   string // of the call, as in Call; if the event is about a job, of the call that started it
	Tool string // the tool's name; "" if the suite has none of the name that was called
	// CalledBy is the id of the call whose tool made this one, with the context of its own; "" if none did.
	CalledBy     string
	Conversation string // the reader that the call was made for: see tools.WithConversation
	// Args are the arguments, as in Call. If they could not be decoded, or the tool is unknown, they are as
	// they were sent. What is then longer than 4 KiB, and what is not JSON, is a JSON string of the first
	// 4096 characters. Args is nil if there are none, and if the event is about a job.
	Args     json.RawMessage
	Began    time.Time     // when the call began; of a job, when it was started
	Duration time.Duration // from its beginning to its end, the guard's time included
	AtOnce   int           // calls of the suite that ran when this one ended, itself included; 0 of a job
	Code     Code          // of the error, such as "timeout"; "" if the call succeeded

	BytesProduced int // of the whole output, as far as it was looked at; 0 if there was none, as with "No matches found"
	LinesProduced int // of the whole output; if unknown, as for a large file read from its end, those shown
	BytesShown    int // of Text
	LinesShown    int // of Text

	// Text is what the model reads: what is shown of the output, notices, and the error. An encoder leaves it out.
	Text   string `json:"-"`
	Said   string `json:"-"` // of the notices in the text of a command: those that would be there if nothing was cut
	Images int    // pictures that the model is shown beside the text

	Truncated     bool                // the output was cut, by its size in lines, bytes or characters
	TruncatedBy   truncation.Reason   // the limit that was hit; "" if it was not cut
	LimitReached  bool                // the list ended at the call's or the tool's limit of results, or the page at that of lines, and there is more
	LinesCut      bool                // some lines are shown in part: Grep.MaxLineChars, Read.MaxLineChars
	Strategy      truncation.Strategy // which part is shown, or would be
	CharsRemoved  int                 // characters that are not shown; -1 if they were not counted, as by read
	Standout      int                 // lines that stand out among those that are not shown, or in a digest
	StandoutLines []truncation.Line   // the most telling of them, 64 at most
	SpillPath     string              // the file with the full output, as the text names it; "" if there is none

	// Job is the number of a job, if the event is about a job and not about a call. JobState
	// is then "started", "matched" (a line that a call waited for), or how the job ended, such
	// as "exited with code 0". Duration is the time since its start, and BytesProduced counts
	// what it printed.
	Job      int
	JobState string

	// TraceParent and TraceState are the trace that the call belongs to, as W3C Trace Context writes them: those of
	// tools.WithTrace. Both are "" if there is none. An event about a job has those of the call that started it.
	TraceParent, TraceState string
}

// String returns the event on one line, without arguments and texts.
func (e Event) String() string {
	took := e.Duration.Round(time.Millisecond)
	if e.Duration < time.Millisecond {
		took = e.Duration.Round(time.Microsecond)
	}
	if e.Job > 0 {
		return fmt.Sprintf("job %d: %s after %s, %s printed", e.Job, e.JobState, took, size.Format(int64(e.BytesProduced)))
	}
	text := fmt.Sprintf("%s (%s): ", cmp.Or(e.Tool, "unknown tool"), took)
	if e.Code != "" {
		text += string(e.Code) + ", "
	}
	text += fmt.Sprintf("%s produced, %s shown", size.Format(int64(e.BytesProduced)), size.Format(int64(e.BytesShown)))
	if e.TruncatedBy != "" {
		text += ", cut by " + string(e.TruncatedBy)
	}
	if e.SpillPath != "" {
		text += ", full output: " + e.SpillPath
	}
	return text
}
