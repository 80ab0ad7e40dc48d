package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// alter is the hook that has the host change the text of a result. It is outside of the one that makes an error of a
// panic, so that no text gets around it.
func alter(cfg config.Config, r *mask.Masker) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		rep := next(ctx, c)
		c.result = rep.result(c)
		was := c.result.Text
		text, err := altered(ctx, cfg.Result, c, rep, r)
		switch {
		case err != nil:
			return refused(err)
		case text == was:
			return rep
		}
		c.altered = true
		return rep.with(alterable(text, c, cfg))
	}
}

// altered returns the text that the model gets.
func altered(
	ctx context.Context, change func(context.Context, config.Event) (string, error), c *call, rep reply, r *mask.Masker,
) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			said, _ := r.String(fmt.Sprint(p))
			err = bug("what changes results", said)
		}
	}()
	b := rep.shown
	if b == nil {
		b = &Shown{}
	}
	e := event(ctx, c, b)
	e.Args = r.JSON(c.arguments())
	if text, err = change(ctx, e); err != nil {
		why, _ := r.String(err.Error())
		return "", &Error{Code: CodeIOError, Err: err, Message: "the call has ended, but its result is withheld: " +
			quote.Short(quote.Inline(why), maxMessage/2) + ". Do not repeat the call; tell the user"}
	}
	text, _ = r.String(text) // it may have decoded a secret, or looked one up
	return text, nil
}

// alterable bounds a text of the host's. One within the limits of a result is kept as it is.
func alterable(text string, c *call, cfg config.Config) string {
	most := cfg.MaxBytes
	if c.tool != nil && c.tool.maxBytes > 0 {
		most = c.tool.maxBytes
	}
	// What it replaces may have notices over its limits.
	limits := truncation.Limits{
		Lines: truncation.Limit(cfg.MaxLines + noticeLines), Bytes: truncation.Limit(most + notice.Allowance),
	}
	bounded := truncation.Policy{Strategy: truncation.MiddleLines, Limits: limits}.Truncate(strings.ToValidUTF8(text, "\uFFFD"))
	if !bounded.Truncated {
		return bounded.Text
	}
	return notice.Append(bounded.Text, notice.AlteredCut)
}

// with returns the reply with another text for the model.
func (r reply) with(text string) reply {
	r.text = &text
	if r.shown != nil {
		r.shown.Text = text
	}
	if r.err != nil {
		with := *r.err
		with.Message = strings.TrimPrefix(text, string(with.Code)+": ")
		r.err = &with
	}
	return r
}
