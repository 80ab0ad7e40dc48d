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

// commandPatience is how long a bash call may go on after its context ends. It is longer than for other tools, because
// the command is ended first. That takes 850 ms at most, if a process hangs in the kernel.
const commandPatience = 950 * time.Millisecond

type gathered[R any] interface {
	*R
	self() *Shown // the part that all results share
}

// bind makes a tool of a method. sees predicts the call's effects, for rules and previews.
func bind[P, R any, G gathered[R]](way handler, tool spec, expand func(string) string,
	method func(context.Context, P) (R, error), sees func(context.Context, P) *foresight) *suiteTool {
	return bindAs[P, R, G](reflect.TypeFor[P](), way, tool, expand, method, sees)
}

// bindAs is bind for arguments of a type embedded in P.
func bindAs[P, R any, G gathered[R]](params reflect.Type, way handler, tool spec, expand func(string) string,
	method func(context.Context, P) (R, error), sees func(context.Context, P) *foresight) *suiteTool {
	patience := late.Patience
	if tool.effects.Executes {
		patience = commandPatience
	}
	b := &suiteTool{spec: tool, call: way}
	b.schema = sync.OnceValue(func() json.RawMessage { return args.Schema(params, expand, tool.leaveOut...) })
	b.prepare = func(c *call) error {
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
	b.invoke = func(ctx context.Context, params any) (rep reply) {
		r, err := late.Leave(ctx, patience, func(ctx context.Context) (R, error) { return method(ctx, params.(P)) })
		if err != nil {
			rep = refused(err)
		}
		if err == nil || !reflect.ValueOf(r).IsZero() {
			rep.gathered, rep.shown = &r, G(&r).self()
			rep.shown.finish(tool.strategy, tool.maxBytes)
			if read, ok := rep.gathered.(*ReadResult); ok {
				rep.rest.Images = read.Images
			}
		}
		return rep
	}
	b.foresee = func(ctx context.Context, params any) (*foresight, error) {
		return late.Leave(ctx, late.Patience, func(ctx context.Context) (*foresight, error) { return sees(ctx, params.(P)), nil })
	}
	return b
}

func typed[R any](ctx context.Context, b *suiteTool, params any) (r R, err error) {
	rep := b.call(ctx, &call{tool: b, name: b.name, params: params, began: time.Now()})
	if rep.gathered != nil {
		r = *rep.gathered.(*R)
	}
	if rep.err != nil {
		return r, rep.err
	}
	return r, nil
}
