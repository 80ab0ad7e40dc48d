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
	ID   string // of the call, or of the call that started the job; as in Call
	Tool string // the tool's name; "" if the suite has none of the name that was called
	// CalledBy is the id of the call whose tool made this one with its own context; "" if none did.
	CalledBy     string
	Conversation string // the reader; see tools.WithConversation
	// Args are the arguments, as in Call. If they could not be decoded, or the tool is unknown,
	// they are as they were sent; they then become a JSON string of their first 4096 characters if
	// they are longer than 4 KiB or not JSON. Args is nil if there are none, and if the event is
	// about a job.
	Args     json.RawMessage
	Began    time.Time     // when the call or job began
	Duration time.Duration // from beginning to end, the guard's time included
	AtOnce   int           // calls under way when it ended, including itself; 0 for a job
	Code     Code          // the error's, such as "timeout"; "" if the call succeeded

	// Stack is the stack, at most 16 KiB, of a panic that ended the call, in a tool, a hook or a callback of the host;
	// else "". The text for the model does not have it.
	Stack string `json:",omitempty"`

	BytesProduced int // of the output, as far as examined; 0 if there was none, as with "No matches found"
	LinesProduced int // likewise; if unknown, as for a large file read from its end, those shown
	BytesShown    int // of Text
	LinesShown    int // of Text

	// Text is what the model reads: output, notices and error. JSON omits it.
	Text string `json:"-"`
	Said string `json:"-"` // a command's notices that do not come from cutting
	// Output are the lines of Text that are output; the others are the tool's own. ErrorLines are those of the error and
	// the blank one behind it, if Text has more than an error. Neither is known if Config.Filter has changed the text.
	// JSON omits them.
	Output     []Lines `json:"-"`
	ErrorLines int     `json:"-"`
	// Details are those of the tools.Result, nil if Config.Filter has changed its text; of the end of a job, the
	// tools.JobState. JSON omits them.
	Details any `json:"-"`
	Images  int // pictures for the model

	Truncated     bool                // cut by its size in lines, bytes or characters
	TruncatedBy   truncation.Reason   // the limit that was hit; "" if it was not cut
	LimitReached  bool                // the call ended at a limit of results, or of lines of a page, and there is more
	LinesCut      bool                // some lines are shown in part; see Grep.MaxLineChars and Read.MaxLineChars
	Strategy      truncation.Strategy // which part is shown, or would be
	CharsRemoved  int                 // characters not shown, -1 if not counted; read does not count them
	Standout      int                 // lines that stand out, left out or in a digest
	StandoutLines []truncation.Line   // the most important of them; 64 at most
	SpillPath     string              // the file with the full output, as the text names it; "" if there is none

	// Network lists the hosts that a command tried to reach, with Bash.Hosts or Bash.PrivateHosts. For a job, and a
	// call that shows one, it has all since the job's start.
	Network []HostUse

	// Job and JobState are set if the event is about a job: its number, and "started", "matched" (a line that a call
	// waited for), or how it ended, such as "exited with code 0". Duration is the time since its start, and
	// BytesProduced counts what it printed.
	Job      int
	JobState string

	// TraceParent and TraceState are those of tools.WithTrace, as W3C Trace Context writes them. Both are "" if there
	// is none. An event about a job has those of the call that started it.
	TraceParent, TraceState string
}

// Lines are lines in a row of the text of a call.
type Lines struct {
	At    int    `json:"at"`             // the first of them in the text, from 1
	Count int    `json:"count"`          // how many they are
	Line  int    `json:"line,omitempty"` // the number of the first in its file, from 1; 0 if it is not known, or if they are not in a row there
	Path  string `json:"path,omitempty"` // the file, as in arguments
}

// HostUse is what a command had to do with a host.
type HostUse struct {
	Host     string `json:"host"`              // with its port unless 80 or 443; "" for all beyond the first 100 that were refused, and 100 others
	Requests int64  `json:"requests"`          // requests and connections that the host accepted
	Sent     int64  `json:"sent"`              // bytes to the host, without the headers of plain HTTP
	Received int64  `json:"received"`          // bytes from the host, likewise
	Failed   int64  `json:"failed,omitempty"`  // requests and connections that the host did not accept
	Refused  int64  `json:"refused,omitempty"` // requests and connections that the suite refused
	Reason   string `json:"reason,omitempty"`  // why the last one was refused
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
