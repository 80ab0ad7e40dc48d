package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// observe is the hook that makes the result of a call, counts the call and reports its end to the observer, if any.
// running counts the calls of the suite under way. A text without a visible character gets a notice: providers refuse
// an empty block of text, and with it every later request of the conversation.
func observe(
	observer func(context.Context, config.Event), counts *stats, running *atomic.Int64, r *mask.Masker, m *memory,
) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		running.Add(1)
		rep := next(ctx, c)
		atOnce := running.Add(-1) + 1
		c.result = rep.result(c)
		if text := notice.Visible(c.result.Text, len(c.result.Images)); text != c.result.Text && m.apart == nil {
			rep = rep.with(text)
			c.result = rep.result(c)
		}
		if c.tool != nil {
			counts.add(c, cmp.Or(rep.shown, &Shown{}))
		}
		if observer != nil {
			tell(observer, ctx, func() config.Event {
				e := event(ctx, c, rep, r)
				if c.altered {
					e.StandoutLines, e.Details = nil, nil // the Filter did not see them
				}
				e.Args, e.AtOnce = r.JSON(c.arguments()), int(atOnce)
				e.Stack, _ = r.String(stackOf(rep.err))
				return e
			})
		}
		return rep
	}
}

// tell reports an event to an observer. A panic of the observer is dropped, because watching must not change a call.
func tell(observer func(context.Context, config.Event), ctx context.Context, event func() config.Event) {
	defer func() { _ = recover() }()
	observer(ctx, event())
}

// event describes a call that has ended.
func event(ctx context.Context, c *call, rep reply, r *mask.Masker) config.Event {
	res, b := c.result, cmp.Or(rep.shown, &Shown{})
	e := config.Event{
		ID: c.id, CalledBy: c.by, Conversation: readerOf(ctx), Tool: res.Tool,
		Began: c.began, Duration: time.Since(c.began), Code: res.Code,
		Text: res.Text, Details: res.Details, Images: len(res.Images),
		BytesShown: len(res.Text), LinesShown: notice.Lines(res.Text),
		BytesProduced: b.whole.TotalBytes, LinesProduced: max(b.whole.TotalLines, b.whole.OutputLines),
		Truncated: b.whole.Truncated, TruncatedBy: b.whole.TruncatedBy, LimitReached: b.limited, LinesCut: b.linesCut,
		Standout: len(b.Standout) + b.whole.StandoutMore, StandoutLines: b.Standout,
		Strategy: b.Strategy, CharsRemoved: b.CharsRemoved, SpillPath: b.spilled, Network: b.hosts,
		TraceParent: traceOf(ctx).parent, TraceState: traceOf(ctx).state,
	}
	if rep.err != nil && b.Text != "" && !c.altered {
		e.ErrorLines = strings.Count(notice.Paragraph(rep.err.Error(), "."), "\n")
	}
	if !c.altered {
		e.Output = notice.Below(e.ErrorLines, b.output)
		e.Said, _ = r.String(string(b.beside))
	}
	return e
}

// maxRefused bounds, in an event, arguments that no tool accepted: bytes, or characters if they are not JSON.
const maxRefused = 4 << 10

func (c *call) arguments() json.RawMessage {
	switch params := c.params.(type) {
	case nil:
		return encodable(c.raw, maxRefused)
	case json.RawMessage:
		return encodable(params, len(params))
	default:
		raw, _ := encode(params)
		return raw
	}
}

// encode is json.Marshal without escapes for & < >, because people read the arguments.
func encode(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// encodable returns arguments as sent if they are JSON of at most maxBytes, and nil if there are none. Others become a
// JSON string of their beginning, because an event with anything else cannot be encoded.
func encodable(sent json.RawMessage, maxBytes int) json.RawMessage {
	if len(bytes.TrimSpace(sent)) == 0 {
		return nil
	}
	if len(sent) <= maxBytes && json.Valid(sent) {
		return sent
	}
	text, _ := quote.Cut([]byte(sent), maxRefused, "...")
	raw, _ := encode(text) // a string always encodes
	return raw
}

// alter is the hook that runs the host's Filter. It is outside of the hook that recovers from panics, so that every
// text passes through it.
func alter(cfg config.Config, r *mask.Masker) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		rep := next(ctx, c)
		c.result = rep.result(c)
		was := c.result.Text
		text, err := altered(ctx, cfg.Filter, c, rep, r)
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

func altered(
	ctx context.Context, change func(context.Context, config.Event) (string, error), c *call, rep reply, r *mask.Masker,
) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			said, _ := r.String(fmt.Sprint(p))
			err = bug("what changes results", said)
		}
	}()
	e := event(ctx, c, rep, r)
	e.Args = r.JSON(c.arguments())
	if text, err = change(ctx, e); err != nil {
		why, _ := r.String(err.Error())
		return "", &Error{Code: CodeIOError, Err: err, Message: "the call has ended, but its result is withheld: " +
			quote.Short(quote.Inline(why), maxMessage/2) + ". Do not repeat the call; tell the user"}
	}
	text, _ = r.String(text) // the Filter may have decoded a secret, or looked one up
	return text, nil
}

// alterable bounds the Filter's text. A text within the limits of a result is kept unchanged.
func alterable(text string, c *call, cfg config.Config) string {
	most := c.most(cfg.MaxBytes)
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
