package script

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spillway-go/spillway/internal/quickjs"
)

//go:embed prelude.js
var prelude string

//go:embed show.js
var show string

// host is what the prelude calls. Each of these runs on the goroutine of the engine, which waits for it.
type host struct {
	call   func(tool, args, stack string) (id int)
	print  func(line string)
	image  func(n int) error
	looked func(id int) // the script has read what the search of that call skipped
	finish func(how string, f failure)
	names  string // of the tools, a JSON array

	missing  func(name string) string // what is wrong with a name that no tool has
	rejected func(f failure)          // says why a promise was rejected that nothing handles
}

// engine is a JavaScript engine with the prelude in it. It is for one goroutine.
//
// It must end anywhere, also inside of a built-in: QuickJS itself asks whether it may go on between instructions alone,
// and so modernc.org/quickjs could not end "a".indexOf(b) of long strings. Measured in November 2026 on two busy
// processors, the fastest of 20 runs: sums in an object took 140 ms here and 251 ms there, sorting 100,000 numbers 0.5
// and 1.4 s, fib(24) 18 and 14 ms, JSON of 20,000 objects 346 and 261 ms, a start 0.5 and 0.1 ms. Compiling takes 40 s
// of a processor, and 71 s there.
//
// The same WebAssembly in wazero 1.12 is first compiled in each process, in 0.5 s and 26 MB. If it is to end in any loop,
// each of them calls Go: fib(24) then took 103 ms instead of 35, sorting 2 s instead of 0.25. Without that, a loop holds
// up the garbage collector of the whole program. A child process that is killed needs a program that is no library's.
// dop251/goja has no limit of memory.
type engine struct {
	vm   *quickjs.VM
	left time.Duration // that the script may still compute

	start, settle, ignored, rejected quickjs.Value // functions of the prelude

	unhandled rejections
}

// newEngine makes an engine that holds at most so many bytes and computes that long.
func newEngine(ctx context.Context, h host, memory int64, cpu time.Duration) (*engine, error) {
	e := &engine{left: cpu}
	vm, err := quickjs.New(memory, e.functions(h))
	if err != nil {
		return nil, err
	}
	e.vm, e.unhandled = vm, rejections{vm: vm, list: map[int32]rejection{}}
	vm.Rejections(e.unhandled.tell)
	return e, e.timed(ctx, e.prepare)
}

// functions returns what the prelude finds as globals, and takes.
func (e *engine) functions(h host) map[string]quickjs.Func {
	text := func(args []quickjs.Value, i int) string {
		if i < len(args) {
			return e.vm.String(args[i])
		}
		return ""
	}
	failed := func(args []quickjs.Value) failure {
		return failure{text(args, 1), text(args, 2), text(args, 3), text(args, 4), int(e.vm.Number(args[5]))}
	}
	return map[string]quickjs.Func{
		"__call":    func(args []quickjs.Value) any { return h.call(text(args, 0), text(args, 1), text(args, 2)) },
		"__names":   func([]quickjs.Value) any { return h.names },
		"__missing": func(args []quickjs.Value) any { return h.missing(text(args, 0)) },
		"__kind":    func(args []quickjs.Value) any { return e.vm.Class(args[0]) },
		"__state":   func(args []quickjs.Value) any { return e.vm.State(args[0]) },
		"__result":  func(args []quickjs.Value) any { return e.vm.Result(args[0]) },
		"__print": func(args []quickjs.Value) any {
			h.print(text(args, 0))
			return nil
		},
		"__image": func(args []quickjs.Value) any {
			if err := h.image(int(e.vm.Number(args[0]))); err != nil {
				return err.Error()
			}
			return nil
		},
		"__looked": func(args []quickjs.Value) any {
			h.looked(int(e.vm.Number(args[0])))
			return nil
		},
		"__finish": func(args []quickjs.Value) any {
			h.finish(text(args, 0), failed(args))
			return nil
		},
		"__rejected": func(args []quickjs.Value) any {
			h.rejected(failed(args))
			return nil
		},
	}
}

// prepare runs the prelude.
func (e *engine) prepare() error {
	show, err := e.vm.Eval(show, "<show>")
	if err != nil {
		return fmt.Errorf("the prelude: %w", err)
	}
	made, err := e.vm.Eval(prelude, "<prelude>")
	if err != nil {
		return fmt.Errorf("the prelude: %w", err)
	}
	if made, err = e.vm.Call(made, show); err != nil {
		return fmt.Errorf("the prelude: %w", err)
	}
	for name, into := range map[string]*quickjs.Value{
		"start": &e.start, "settle": &e.settle, "ignored": &e.ignored, "rejected": &e.rejected,
	} {
		if *into, err = e.vm.Get(made, name); err != nil {
			return fmt.Errorf("the prelude: %w", err)
		}
	}
	return nil
}

// errCPU says that the script has computed as long as it may.
var errCPU = errors.New("the script computed for too long")

// timed runs what computes, until ctx ends or no time is left.
func (e *engine) timed(ctx context.Context, f func() error) error {
	began := time.Now()
	defer context.AfterFunc(ctx, e.vm.Stop)()
	defer time.AfterFunc(e.left, e.vm.Stop).Stop()
	err := f()
	e.left -= time.Since(began)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, quickjs.ErrStopped):
		return errCPU
	}
	return err
}

// do calls a function of the prelude, and then what that has made ready to run.
func (e *engine) do(ctx context.Context, f quickjs.Value, args ...any) error {
	return e.timed(ctx, func() error {
		v, err := e.vm.Call(f, args...)
		for more := true; more && err == nil; {
			more, err = e.vm.Job()
		}
		e.vm.Free(v)
		return err
	})
}

// ignoredCalls returns the calls whose promises nothing waits for.
func (e *engine) ignoredCalls() (ids []int) {
	if said, err := e.vm.Call(e.ignored); err == nil {
		_ = json.Unmarshal([]byte(e.vm.String(said)), &ids) // the script may have spoilt it
	}
	return ids
}

// tellRejected has the host told of some rejected promises that nothing handles, and returns how many it is not told of.
func (e *engine) tellRejected(ctx context.Context, most int) (more int) {
	reasons := e.unhandled.reasons()
	for i, reason := range reasons {
		if i == most || e.do(ctx, e.rejected, reason) != nil {
			more = len(reasons) - i
			break
		}
	}
	return more + e.unhandled.more
}
