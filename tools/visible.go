package tools

import (
	"context"
	"encoding/json"

	"github.com/spillway-go/spillway/internal/notice"
)

// visible is the hook that gives models no text without a visible character. Providers refuse a block of text like
// that, and with it every further request of the conversation. It is outside of [alter], for the texts of the host.
func visible(ctx context.Context, c *call, next handler) reply {
	rep := next(ctx, c)
	res := rep.result(c)
	if text := notice.Visible(res.Text, len(res.Images)); text != res.Text {
		return rep.with(text)
	}
	return rep
}

// truncated is a tool that [Truncate] wrapped, outside of a suite: a model gets its texts as they are.
type truncated struct{ *bounded }

func (t truncated) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	res, err := t.bounded.Call(ctx, args)
	res.Text = notice.Visible(res.Text, len(res.Images))
	return res, err
}
