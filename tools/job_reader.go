package tools

import (
	"context"
	"fmt"

	"github.com/spillway-go/spillway/internal/capture"
)

// reader returns the reader of the job that ctx names.
func (js *jobs) reader(ctx context.Context, j *Job) *capture.Reader {
	if readerOf(ctx) == nobody {
		return j.out.NewReader()
	}
	return js.readers.Get(j.out, readerOf(ctx))
}

// readsOn refuses a call of job that goes on from where the last one stopped, if that is not known.
func (j *Job) readsOn(ctx context.Context, p JobParams) error {
	if readerOf(ctx) != nobody || p.Signal != "" {
		return nil
	}
	identify, _ := ctx.Value(identifyKey{}).(string)
	file := "the file with its output"
	if path := j.out.File().Path; path != "" {
		file = show(path)
	}
	text := fmt.Sprintf("job shows what is new since your last call, and nobody knows which calls are yours. Nothing was "+
		"done. Read %s, with a negative offset for its end, or give signal to end the job", file)
	if identify != "" {
		text += ". " + identify
	}
	return errorf(CodeDenied, "%s", text)
}
