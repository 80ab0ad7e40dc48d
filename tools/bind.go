package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
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
	if err := decode(args, &params); err != nil {
		return failed(Result{}, err), nil
	}
	r, err := b.do(ctx, params, args)
	if err == nil {
		return r.result(), nil
	}
	var gathered Result
	if !reflect.ValueOf(r).IsZero() {
		gathered = r.result()
	}
	e := failure(err, "")
	if e.Code == Aborted && ctx.Err() != nil {
		return failed(gathered, e), ctx.Err()
	}
	return failed(gathered, e), nil
}

// failed is the result of a call that gathered r and then failed.
func failed(r Result, e *Error) Result {
	text := e.Error()
	if r.Text != "" {
		text = truncation.Paragraph(text, r.Text)
	}
	with := *e
	with.details = r.Details
	return Result{Text: text, IsError: true, Images: r.Images, Details: &with}
}

// do is a call with its arguments in Go. args may be nil; then the guard is
// given params as JSON.
func (b *binding[P, R]) do(ctx context.Context, params P, args json.RawMessage) (r R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Code: Internal, Message: fmt.Sprintf("a bug in the tool %s: %s. Try something else", b.name, show(fmt.Sprint(p))), Err: errPanic}
		}
	}()
	if b.suite.tool(b.name) == nil {
		return r, errorf(Denied, "this suite does not have the tool %s; it has %s", b.name, b.suite.names())
	}
	if err := check(params); err != nil {
		return r, err
	}
	if err := b.guard(ctx, params, args); err != nil {
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return r, failure(err, "")
	}
	r, err = b.method(ctx, params)
	if err != nil {
		return r, failure(err, "")
	}
	return r, nil
}

var errPanic = errors.New("panic")

func (b *binding[P, R]) guard(ctx context.Context, params P, args json.RawMessage) error {
	if b.suite.closed.Load() {
		return errorf(Denied, "the suite is closed")
	}
	guard := b.suite.cfg.Guard
	if guard == nil {
		return nil
	}
	if args == nil {
		var err error
		if args, err = json.Marshal(params); err != nil {
			return errorf(Internal, "%w", err)
		}
	}
	if err := guard(ctx, config.Call{Tool: b.name, Args: args}); err != nil {
		return &Error{Code: Denied, Message: show(err.Error()), Err: err}
	}
	return nil
}
