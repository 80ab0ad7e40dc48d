package fileedit

import (
	"context"
	"errors"
	"fmt"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mend"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// explain returns the error for refused edits, with lines of the file that help to correct them.
func (e *editing) explain(ctx context.Context, err error) error {
	bad, ok := errors.AsType[*edit.Error](err)
	if !ok {
		return err
	}
	said := mend.Names{Old: e.Which([]int{bad.Edit}), New: "new_string"}
	if len(e.Edits) > 1 {
		said.New += fmt.Sprintf(" of edit %d", bad.Edit+1)
		said.None = " No edit was made."
	}
	h := &mend.Hints{File: e.File, Text: e.text}
	return h.Refusal(e.why(ctx, bad, said, h))
}

// why returns the error, and adds the lines to h.
func (e *editing) why(ctx context.Context, bad *edit.Error, said mend.Names, h *mend.Hints) error {
	name, none, otherwise := quote.Value(e.Name), said.None, ""
	if e.body != nil {
		var err error
		if otherwise, err = e.body.Advise(ctx, bad); err != nil {
			return err
		}
	}
	switch bad.Reason {
	case edit.Missing:
		return h.Missing(ctx, e.Edits[bad.Edit], said)
	case edit.Several:
		return h.Several(bad, said, otherwise)
	case edit.Overlap:
		return fault.Errorf(fault.InvalidInput, "edits %d and %d change the same text, at line %d of %s.%s Merge them into "+
			"one edit", bad.Edit+1, bad.Other+1, e.text.Line(bad.Places[0].Start), name, none)
	case edit.Masked:
		return e.InSecret(e.text, bad)
	case edit.Encoding:
		if bad.Err != nil {
			return fault.Errorf(fault.InvalidInput, "%s cannot be written to %s: %w.%s Leave that out", said.New, name, bad.Err,
				none)
		}
		return fault.Errorf(fault.InvalidInput, "%s is not UTF-8, and %s holds characters that are not ASCII: their bytes "+
			"in its encoding are unknown.%s %s", name, said.New, none, h.Encoding())
	case edit.Inside:
		return fault.Errorf(fault.InvalidInput, "%s cannot be replaced alone in %s: the text beside it would become other "+
			"characters.%s Replace more around it, or write the whole file", said.Old, e.Kind.Encoding, none)
	case edit.TooMany:
		return e.tooMany(bad, said)
	case edit.Nothing:
		return fault.Errorf(fault.InvalidInput, "%s would not change: %s is there already. Nothing was written",
			name, said.New)
	}
	return fault.Errorf(fault.TooLarge, "%s would be over the limit of %s.%s Change less of it", name,
		size.File(e.MaxBytes()), none)
}

func (e *editing) tooMany(bad *edit.Error, said mend.Names) error {
	others, advice := "", ""
	if bad.Edit > 0 {
		others = " with the places of the edits before it"
	}
	if e.Bash {
		advice = ", or change the file with a command, such as sed"
	}
	return fault.Errorf(fault.TooLarge, "%s is in %s %s:%s over the limit of %d places for a call.%s Give a longer "+
		"old_string%s", said.Old, quote.Value(e.Name), notice.Count(bad.Count, "time"), others, edit.MostPlaces, said.None,
		advice)
}
