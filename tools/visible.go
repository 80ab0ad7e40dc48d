package tools

import (
	"context"
	"encoding/json"

	"github.com/spillway-go/spillway/internal/notice"
)

// truncated is a tool that [Truncate] wrapped, outside of a suite: a model gets its texts as they are.
type truncated struct{ *bounded }

func (t truncated) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	res, err := t.bounded.Call(ctx, args)
	res.Text = notice.Visible(res.Text, len(res.Images))
	return res, err
}
