package tools

import (
	"context"
	"encoding/json"
)

// Tool is what an agent's SDK needs to know of a tool. Those of a suite are safe for
// concurrent use; a tool of your own that is added to one must be as well, and its
// methods but Call must always say the same.
type Tool interface {
	// Name is what the model calls the tool.
	Name() string
	// Description tells the model what the tool does, and its limits.
	Description() string
	// Schema is the JSON Schema of the arguments, {"type":"object",...}.
	Schema() json.RawMessage
	// Call runs the tool. A failure that the model can do something about is a
	// Result with IsError; a Go error means that ctx ended or the host is
	// broken, and the Result still holds what was gathered.
	Call(ctx context.Context, args json.RawMessage) (Result, error)
}

// Result is what a call gives.
type Result struct {
	// Text is for the model. It is enough alone: that of an error begins with
	// its code.
	Text string
	// IsError says that the call failed, and Code how; the Code of a tool that was
	// added may be "".
	IsError bool
	Code    Code
	// Images are shown to the model beside Text; of the five tools read gives some.
	Images []Image
	// Details are for the program: a ReadResult, BashResult, GrepResult, FindResult or
	// LsResult, BoundedDetails of a tool that was added or wrapped, or an *Error. They
	// encode to JSON, without the text.
	Details any
}

// Image is a picture.
type Image struct {
	MIMEType string // "image/png", "image/jpeg", "image/gif" or "image/webp"
	Data     []byte // the encoded picture
}
