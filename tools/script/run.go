package script

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
)

// run is one run of a script. Its fields are for the goroutine of the engine.
type run struct {
	options Options
	view    *tools.Suite
	code    string

	calls    int       // that the script has made
	queue    []request // those that have not begun, in order
	running  int       // those that have begun and not ended
	answers  chan answer
	waiting  int   // bytes of the arguments of the queue
	received int64 // bytes of their results
	images   []tools.Image
	failed   map[int]failedCall // by their ids
	made     []request          // by their ids, from 1, without arguments
	lost     map[int]bool       // ids of those that failed and that nothing awaits
	skips    skips

	printed  strings.Builder
	shown    []tools.Image
	deeds    deeds
	left     left
	finished string       // how the script ended: "nothing", "text" or "json" of what it returned, "failed", "threw"; "" while it runs
	returned string       // what it returned
	thrown   *tools.Error // what it threw
	over     *tools.Error // the limit that it went over
}

// request is a call that a script asks for.
type request struct {
	id         int
	at         string // where the script makes it, a stack
	tool, args string
}

// answer is what became of a call.
type answer struct {
	request
	result  tools.Result
	partial bool   // it takes what fits
	value   []byte // what the script gets, as JSON
	failed  bool   // that is an error
}

const (
	maxShown   = 64       // pictures, which is what a result takes
	maxOutput  = 8 << 20  // bytes that a script prints, and that it returns
	maxWaiting = 16 << 20 // bytes of the arguments of calls that wait, or of one
)

// grace is how long calls may take to end after the end of their context.
const grace = time.Second

// script runs the code until it has ended and all its calls have.
func (r *run) script(ctx context.Context) tools.Result {
	calls, stop := context.WithCancel(ctx)
	defer stop()
	r.answers, r.failed, r.skips = make(chan answer, r.options.Parallel), map[int]failedCall{}, skips{}
	var e *engine
	exceed := func(code tools.Code, format string, args ...any) {
		r.over = &tools.Error{Code: code, Message: fmt.Sprintf(format, args...)}
		e.vm.Stop()
	}
	e, err := newEngine(ctx, host{
		call: func(tool, args, stack string) int { return r.ask(tool, args, stack, exceed) },
		print: func(line string) {
			if r.printed.Len()+len(line) >= maxOutput {
				exceed(tools.CodeOutputLimit, "the script printed more than %s. Print less, or write it to a file",
					size.Format(maxOutput))
				return
			}
			r.printed.WriteString(line + "\n")
		},
		image:  r.show,
		looked: func(id int) { delete(r.skips, id) },
		finish: func(how string, f failure) {
			switch r.finished = how; how {
			case "failed":
				r.thrown = r.exception(f, e.vm.Refused())
			case "threw":
				r.thrown = r.threw(f, e.vm.Refused())
			default:
				if r.returned = f.message; len(r.returned) > maxOutput {
					exceed(tools.CodeOutputLimit, "the script returned more than %s. Return less, or write it to a file",
						size.Format(maxOutput))
					r.returned = ""
				}
			}
		},
		missing:  r.missing,
		rejected: r.rejected,
		names:    r.names(),
	}, r.options.MaxMemory, r.options.MaxCPU)
	if err != nil {
		return r.result(r.failure(ctx, err, e != nil && e.vm.Refused()))
	}
	err = r.loop(ctx, calls, e)
	if err == nil && r.over == nil {
		r.leave(ctx, e)
	}
	stop()
	r.drain()
	return r.result(r.failure(ctx, err, e.vm.Refused()))
}

// names returns the names of the tools that a script may call, as JSON.
func (r *run) names() string {
	encoded, _ := json.Marshal(r.callable()) // no error: they are strings
	return string(encoded)
}

// loop runs the code, and gives it the results of its calls as they come.
func (r *run) loop(ctx, calls context.Context, e *engine) error {
	err := e.do(ctx, e.start, r.code, wholeFunction().MatchString(r.code))
	for err == nil && r.over == nil && r.thrown == nil && len(r.queue)+r.running > 0 {
		r.begin(calls)
		select {
		case a := <-r.answers:
			r.end(&a)
			err = e.do(ctx, e.settle, a.id, !a.failed, string(a.value), a.at)
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	return err
}

// ask queues a call. Past the limits of a script it is not made, and the script ends.
func (r *run) ask(tool, args, stack string, exceed func(code tools.Code, format string, args ...any)) int {
	r.calls++
	r.waiting += len(args)
	switch {
	case r.calls > r.options.MaxCalls:
		exceed(tools.CodeTooLarge, "a script makes at most %d calls. Use one search instead of many reads, or several scripts",
			r.options.MaxCalls)
	case r.waiting > maxWaiting:
		exceed(tools.CodeTooLarge, "the arguments of the calls that wait are over %s together. Await them one by one",
			size.Format(maxWaiting))
	default:
		r.queue = append(r.queue, request{r.calls, stack, tool, args})
		r.made = append(r.made, request{id: r.calls, at: stack, tool: tool})
	}
	return r.calls
}

// begin makes queued calls, as many as may run at once.
func (r *run) begin(ctx context.Context) {
	for r.running < r.options.Parallel && len(r.queue) > 0 {
		q := r.queue[0]
		r.queue = r.queue[1:]
		r.waiting -= len(q.args)
		r.running++
		within := context.WithValue(tools.WithCallID(ctx, ""), placeKey{}, place{lineOf(q.at), lineIn(r.code, lineOf(q.at))})
		go func() { r.answers <- r.make(within, q) }()
	}
}

// end takes the result of a call.
func (r *run) end(a *answer) {
	r.running--
	r.deeds.add(a.request, a.result)
	r.take(a)
}

// drain waits for the calls that still run, whose context has ended.
func (r *run) drain() {
	over := time.After(grace)
	for r.running > 0 {
		select {
		case a := <-r.answers:
			r.running--
			r.deeds.add(a.request, a.result)
		case <-over:
			return
		}
	}
}

// show adds an image of a result to those that the model is shown.
func (r *run) show(n int) error {
	switch {
	case n < 1 || n > len(r.images):
		return fmt.Errorf("image() takes a result of read that has images, or one of its images")
	case len(r.shown) == maxShown:
		return fmt.Errorf("image() has shown %d pictures, which is the most", maxShown)
	}
	r.shown = append(r.shown, r.images[n-1])
	return nil
}

// result returns what the model is shown: what was printed and returned, and what was done.
func (r *run) result(e *tools.Error) tools.Result {
	res := tools.Result{Text: r.printed.String() + r.returned, Images: r.shown, Details: Details{
		Calls: r.calls, Did: r.deeds.list(), Skipped: string(r.skips.Notice()),
		JSON: r.finished == "json" && r.printed.Len() == 0 && len(r.deeds.lines) == 0 && r.left.String() == "",
	}}
	if e != nil {
		text := notice.Append(paragraphs(e.Error(), res.Text), r.skips.Notice())
		res = tools.Result{Text: text, IsError: true, Code: e.Code, Details: e, Images: r.shown}
	}
	if res.Text == "" {
		res.Text = "(the script printed and returned nothing)"
	}
	res.Text = paragraphs(paragraphs(res.Text, r.deeds.String()), r.left.String())
	return res
}

// Details are those of the result of a script that succeeded.
type Details struct {
	Calls int      `json:"calls"`          // calls that the script made
	Did   []string `json:"did,omitempty"`  // what it changed, started, gave to jobs and ran in vain, as the text has it
	JSON  bool     `json:"json,omitempty"` // the text is JSON, and nothing else

	Skipped string `json:"skipped,omitempty"` // the notice for what its searches left out, unless it looked at that
}

// paragraphs returns two texts with an empty line between them, or the first one if there is no second.
func paragraphs(first, second string) string {
	if second == "" {
		return first
	}
	return notice.Paragraph(strings.TrimRight(first, "\n"), second)
}

type placeKey struct{}

// place is where in a script a call stands.
type place struct {
	line int
	text string
}

// At returns the line of the script that makes the call of a context, from 1, and its text, for a guard or for what asks
// the user. ok is false outside of scripts.
func At(ctx context.Context) (line int, text string, ok bool) {
	p, ok := ctx.Value(placeKey{}).(place)
	return p.line, p.text, ok
}
