package tools

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/internal/late"
)

// bind makes a tool of a method. sees says what a call of it will do.
func bind[P, R any, O interface {
	*R
	outcome
}](call handler, tool spec, expand func(string) string,
	method func(context.Context, P) (R, error), sees func(context.Context, P) *foresight) *bound {
	return bindAs[P, R, O](reflect.TypeFor[P](), call, tool, expand, method, sees)
}

// bindAs is bind for arguments of a type that P holds.
func bindAs[P, R any, O interface {
	*R
	outcome
}](params reflect.Type, call handler, tool spec, expand func(string) string,
	method func(context.Context, P) (R, error), sees func(context.Context, P) *foresight) *bound {
	schema := func() json.RawMessage { return args.Schema(params, expand, tool.leaveOut...) }
	b := &bound{spec: tool, schema: sync.OnceValue(schema), patience: patience, call: call}
	if tool.effects.Executes {
		b.patience = commandPatience
	}
	b.prepare = prepared(params, tool)
	b.invoke = func(ctx context.Context, params any) reply {
		r, err := method(ctx, params.(P))
		var rep reply
		if err != nil {
			rep = refused(err)
		}
		if err == nil || !reflect.ValueOf(r).IsZero() {
			shown := O(&r).own()
			shown.finish(tool.strategy, tool.maxBytes)
			rep.outcome, rep.shown = O(&r), shown
		}
		return rep
	}
	b.foresee = func(ctx context.Context, params any) (*foresight, error) {
		return late.Leave(patience, func(ctx context.Context, p P) (*foresight, error) { return sees(ctx, p), nil })(ctx, params.(P))
	}
	return b
}

// prepared returns what decodes and checks the arguments of a tool.
func prepared(params reflect.Type, tool spec) func(*call) error {
	return func(c *call) error {
		if c.params == nil {
			decoded := reflect.New(params)
			if _, bad := args.Decode(tool.name, c.raw, decoded.Interface(), true, tool.leaveOut...); bad != nil {
				return bad
			}
			c.params = decoded.Elem().Interface()
		}
		if bad := args.Check(c.params); bad != nil {
			return bad
		}
		return nil
	}
}

// typed makes a call for a program.
func typed[R any](ctx context.Context, b *bound, params any) (r R, err error) {
	rep := b.call(ctx, &call{tool: b, name: b.name, params: params, began: time.Now()})
	if rep.outcome != nil {
		r = *any(rep.outcome).(*R)
	}
	if rep.err != nil {
		return r, rep.err
	}
	return r, nil
}
