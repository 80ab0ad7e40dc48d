package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
)

// outcome is what the method of a tool returns: a ReadResult, BashResult, ...
type outcome interface{ result() Result }

// binding makes a Tool of a method. All that is the same for every tool is here:
// decoding, checking, the guard, panics, and how a failure looks.
type binding[P any, R outcome] struct {
	suite       *Suite
	name        string
	description string
	schema      json.RawMessage
	method      func(context.Context, P) (R, error)
}

func bind[P any, R outcome](s *Suite, name, description string, method func(context.Context, P) (R, error)) *binding[P, R] {
	return &binding[P, R]{s, name, fill(description, s.cfg), schemaOf[P](s.cfg), method}
}

func (b *binding[P, R]) Name() string            { return b.name }
func (b *binding[P, R]) Description() string     { return b.description }
func (b *binding[P, R]) Schema() json.RawMessage { return b.schema }

func (b *binding[P, R]) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	var params P
	unknown, bad := decode(args, &params)
	if bad != nil {
		res := failed(Result{}, bad)
		b.suite.observe(ctx, b.name, time.Now(), &Bounds{}, res.Text, bad)
		return res, nil
	}
	r, err := b.do(ctx, params, unknown...)
	if err == nil {
		return r.result(), nil
	}
	var gathered Result
	if !reflect.ValueOf(r).IsZero() {
		gathered = r.result()
	}
	e := failure(err, "")
	if e.Code == CodeAborted && ctx.Err() != nil {
		return failed(gathered, e), ctx.Err()
	}
	return failed(gathered, e), nil
}

// failed is the result of a call that gathered r and then failed.
func failed(r Result, e *Error) Result {
	text := e.Error()
	if r.Text != "" {
		text = notice.Paragraph(text, r.Text)
	}
	with := *e
	with.details = r.Details
	return Result{Text: text, IsError: true, Images: r.Images, Details: &with}
}

// do is a call with its arguments in Go. unknown are names of arguments that the
// caller has used and the tool does not have.
func (b *binding[P, R]) do(ctx context.Context, params P, unknown ...string) (r R, err error) {
	began := time.Now()
	defer func() {
		if bounds := boundsOf(&r); bounds != nil {
			var shown Result
			if !reflect.ValueOf(r).IsZero() || err == nil {
				bounds.fill(b.suite.strategy(b.name), b.suite.maxBytes(b.name))
				bounds.finish()
				shown = r.result()
			}
			if err != nil {
				shown = failed(shown, failure(err, ""))
			}
			b.suite.observe(ctx, b.name, began, bounds, shown.Text, err)
		}
	}()
	defer func() { err = b.mention(unknown, err) }()
	defer recovered("the tool "+b.name, &err)
	if b.suite.tool(b.name) == nil {
		return r, b.suite.without(b.name)
	}
	if err := check(params); err != nil {
		return r, err
	}
	// The guard is shown what will be done, not what was sent: two readings of one
	// JSON text may differ, in keys that are given twice for example.
	args, err := json.Marshal(params)
	if err != nil {
		return r, errorf(CodeInternal, "%w", err)
	}
	if err := b.suite.admit(ctx, b.name, args); err != nil {
		return r, err
	}
	r, err = b.method(ctx, params)
	switch {
	case err == nil:
		return r, nil
	case b.suite.closed.Load() && (errors.Is(err, fs.ErrClosed) || errors.Is(err, proc.ErrClosed)):
		return r, errorf(CodeAborted, "the suite was closed")
	}
	return r, failure(err, "")
}

// mention names unknown arguments in the error for others: what is missing may be
// there under another name.
func (b *binding[P, R]) mention(unknown []string, err error) error {
	e, ok := err.(*Error)
	if !ok || e.Code != CodeInvalidInput || len(unknown) == 0 {
		return err
	}
	with, names := *e, make([]string, min(len(unknown), 3))
	for i := range names {
		names[i] = show(unknown[i])
	}
	with.Message += fmt.Sprintf(". %s has no argument %s", b.name, strings.Join(names, ", "))
	return &with
}

var errPanic = errors.New("panic")

// recovered, deferred, makes an error of a panic in what.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = &Error{Code: CodeInternal, Message: fmt.Sprintf("a bug in %s: %s. Try something else", what, show(fmt.Sprint(p))), Err: errPanic}
	}
}

// admit says whether a tool may be called now: the guard allows it, and neither
// the suite nor the context has ended.
func (s *Suite) admit(ctx context.Context, name string, args json.RawMessage) error {
	if s.closed.Load() {
		return errorf(CodeDenied, "the suite is closed")
	}
	if err := s.guard(ctx, config.Call{Tool: name, Args: args}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return failure(err, "")
	}
	return nil
}

// guard asks the guard. One that panics has not allowed the call.
func (s *Suite) guard(ctx context.Context, call config.Call) (err error) {
	if s.cfg.Guard == nil {
		return nil
	}
	defer recovered("the guard", &err)
	if err := s.cfg.Guard(ctx, call); err != nil {
		return &Error{Code: CodeDenied, Message: show(err.Error()), Err: err}
	}
	return nil
}
