package script

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quickjs"
	"github.com/spillway-go/spillway/internal/quote"
)

// maxLeft is how many calls and failures are named that a script leaves behind.
const maxLeft = 10

// left is what a script leaves behind at its end: calls that nothing awaits, and failures that nothing handles.
type left struct {
	lines []string
	more  int
}

func (l *left) note(format string, args ...any) {
	if len(l.lines) == maxLeft {
		l.more++
		return
	}
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// String lists them. It is "" if there are none.
func (l *left) String() string {
	lines := slices.Clone(l.lines)
	if l.more > 0 {
		lines = append(lines, fmt.Sprintf("%d more, which are not shown", l.more))
	}
	if len(lines) == 0 {
		return ""
	}
	return "Left behind by the script:\n- " + strings.Join(lines, "\n- ")
}

// ignored notes the calls that ended well and whose results nothing awaits, those of a line and tool as one.
func (l *left) ignored(calls []request) {
	type from struct {
		line int
		tool string
	}
	counts := map[from]int{}
	for _, c := range calls {
		counts[from{lineOf(c.at), c.tool}]++
	}
	byLine := func(a, b from) int { return cmp.Or(a.line-b.line, strings.Compare(a.tool, b.tool)) }
	for _, f := range slices.SortedFunc(maps.Keys(counts), byLine) {
		what := "tools." + f.tool
		if n := counts[f]; n > 1 {
			what = notice.Count(n, "call") + " of " + what
		}
		l.note("line %d: nothing awaits %s. Write await before it", f.line, what)
	}
}

// unhandled notes a failure that nothing handles.
func (l *left) unhandled(f failure) {
	where := ""
	if line := lineOf(f.stack); line > 0 {
		where = fmt.Sprintf("line %d: ", line)
	}
	l.note("%snothing handles %s", where, quote.Short(quote.Inline(f.String()), maxLine))
}

// leave notes what the script leaves behind, now that it has ended.
func (r *run) leave(ctx context.Context, e *engine) {
	var well []request
	lost := map[int]bool{}
	for _, id := range e.ignoredCalls() {
		if call, ok := r.failed[id]; ok {
			r.deeds.lost(call)
			lost[id] = true
		} else if r.thrown == nil && id > 0 && id <= len(r.made) {
			well = append(well, r.made[id-1])
		}
	}
	r.left.ignored(well)
	r.lost = lost
	r.left.more += e.tellRejected(ctx, maxLeft)
}

// rejected notes a failure that nothing handles, unless that is of a call that nothing awaits.
func (r *run) rejected(f failure) {
	if !r.lost[f.id] {
		r.left.unhandled(f)
	}
}

// maxRejected is how many rejected promises are kept to tell of them. Those beyond are counted.
const maxRejected = 1000

// rejections are the promises that were rejected and that nothing handles so far, by what identifies them.
type rejections struct {
	vm   *quickjs.VM
	made int
	list map[int32]rejection
	more int // that are not in the list
}

type rejection struct {
	promise, reason quickjs.Value
	order           int
}

// tell is what the engine calls.
func (r *rejections) tell(promise, reason quickjs.Value, handled bool) {
	at := r.vm.Same(promise)
	old, kept := r.list[at]
	if !handled && !kept && len(r.list) < maxRejected {
		r.made++
		r.list[at] = rejection{promise, reason, r.made}
		return
	}
	r.vm.Free(promise)
	r.vm.Free(reason)
	switch {
	case !handled && !kept:
		r.more++
	case handled && !kept:
		r.more--
	case handled:
		r.vm.Free(old.promise)
		r.vm.Free(old.reason)
		delete(r.list, at)
	}
}

// reasons returns the reasons of those that nothing handles, in the order of the rejections.
func (r *rejections) reasons() (reasons []quickjs.Value) {
	byOrder := func(a, b rejection) int { return a.order - b.order }
	for _, one := range slices.SortedFunc(maps.Values(r.list), byOrder) {
		reasons = append(reasons, one.reason)
	}
	return reasons
}
