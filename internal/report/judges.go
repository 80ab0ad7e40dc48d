package report

import (
	"hash/maphash"
	"regexp"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
)

// thread is a conversation of a session. What was shown in one was not shown in another.
type thread struct {
	session      int
	conversation string
}

// event is a call as it is judged: with its texts.
type event struct {
	*Call
	thread
	args  arguments
	text  string
	rec   *record.Line
	facts record.Facts // zero if they are not known
}

// unknown reports whether facts are missing on which a judge depends.
func (e *event) unknown() bool { return needsFacts(e.rec) && e.rec.Facts == nil }

// needsFacts reports whether a call is of a tool whose results are judged by their facts.
func needsFacts(rec *record.Line) bool {
	return rec.Tool == "read" || rec.Tool == "job" || isSearch(rec.Tool)
}

// end is when the call ended, in milliseconds since 1970.
func (e *event) end() float64 { return e.Time + e.Ms }

func (e *event) mark(m Mark) *Mark {
	e.Marks = append(e.Marks, &m)
	return &m
}

// judges find what was wasted. Each remembers of a call what it needs to judge a later one: all of them together a
// bounded number of bytes for each of at most maxCalls calls, and hashes of maxLines lines.
type judges struct {
	seed     maphash.Seed
	failures failures
	repeats  repeats
	pages    pages
	polls    polls
	cuts     cuts
}

func newJudges() *judges {
	j := &judges{seed: maphash.MakeSeed()}
	j.failures.open = map[thread][]*failure{}
	j.repeats = repeats{seen: map[uint64]repeated{}, changes: map[int]int{}}
	j.pages.lines = map[uint64]int32{}
	j.polls.last = map[uint64]uint64{}
	j.cuts = cuts{files: map[string][]*open{}, searches: map[uint64][]*open{}}
	return j
}

// hash returns a number for a thread and texts.
func (j *judges) hash(t thread, parts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(j.seed)
	maphash.WriteComparable(&h, t)
	for _, p := range parts {
		maphash.WriteComparable(&h, p)
	}
	return h.Sum64()
}

// judge marks a call, and earlier ones whose fate it decides.
func (j *judges) judge(c *Call, rec *record.Line, args arguments) {
	e := &event{Call: c, thread: thread{c.Session, rec.Conversation}, args: args, text: rec.Text, rec: rec}
	if rec.Facts != nil {
		e.facts = *rec.Facts
	}
	key := j.hash(e.thread, rec.Tool, args.key())
	failed := j.failures.judge(e, key)
	polled := j.polls.judge(e, key, j.hash(e.thread, rec.Text), failed)
	again := j.repeats.judge(e, j.hash(e.thread, rec.Tool, args.key(), rec.Text), failed || polled)
	j.pages.judge(j, e, failed || again)
	j.cuts.judge(j, e)
	skipped(e)
}

// window is how many calls behind a failed one are looked at.
const window = 10

// failure is a call that failed, whose follower is looked for.
type failure struct {
	mark   *Mark
	tool   string
	key    uint64
	target target
	end    float64
	behind int // calls since
}

// failures says what followed errors.
type failures struct{ open map[thread][]*failure }

func (f *failures) judge(e *event, key uint64) (failed bool) {
	failed = e.Code != ""
	about := targetOf(e.args)
	still := f.open[e.thread][:0]
	for _, was := range f.open[e.thread] {
		was.behind++
		// A call that ran beside the failed one answers nothing, nor does one about something else.
		if was.tool == e.rec.Tool && e.Time >= was.end-1 && (was.key == key || was.target.same(about)) {
			was.mark.Other = e.Number
			switch {
			case was.key == key && failed:
				was.mark.How = "repeated in vain"
			case was.key == key:
				was.mark.How = "repeated and worked"
			case failed:
				was.mark.How = "changed in vain"
			default:
				was.mark.How = "corrected"
			}
		} else if was.behind < window {
			still = append(still, was)
		}
	}
	if failed {
		how := "given up"
		if e.Code == string(tools.CodeDenied) {
			how = "refused"
		}
		m := e.mark(Mark{Kind: kindError, How: how, Bytes: e.Bytes, Tokens: e.Tokens})
		still = append(still, &failure{mark: m, tool: e.rec.Tool, key: key, target: about, end: e.end()})
	}
	f.open[e.thread] = still
	return failed
}

// repeated is the last of several calls that were the same.
type repeated struct {
	number  int
	changes int // calls of its session until then that may have changed something
}

// repeats finds calls that were made before.
type repeats struct {
	seen    map[uint64]repeated
	changes map[int]int // by session
}

// looks reports whether a call changes nothing.
func looks(e *event) bool {
	if e.rec.Tool == "job" {
		return e.args.text("input") == "" && e.args.text("signal") == ""
	}
	return e.rec.Tool == "read" || isSearch(e.rec.Tool)
}

// isSearch reports whether a tool lists results, with a limit and an offset.
func isSearch(tool string) bool { return slices.Contains([]string{"grep", "find", "ls"}, tool) }

func (r *repeats) judge(e *event, key uint64, counted bool) (again bool) {
	only := looks(e)
	before, ok := r.seen[key]
	again = ok && !counted && e.text != "" && (only || before.changes == r.changes[e.session])
	if again {
		e.mark(Mark{Kind: kindAgain, How: e.Tool, Bytes: e.Bytes, Tokens: e.Tokens, Other: before.number})
	}
	if !only {
		r.changes[e.session]++
	}
	r.seen[key] = repeated{e.Number, r.changes[e.session]}
	return again
}

// polls finds calls that waited and learnt nothing.
type polls struct{ last map[uint64]uint64 }

var sleeps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s;&|(])sleep\s`) })

func (p *polls) judge(e *event, key, text uint64, failed bool) bool {
	if failed {
		return false
	}
	how := ""
	switch {
	case e.rec.Tool == "job" && looks(e):
		how = "job"
	case e.rec.Tool == "bash" && string(e.args.values["background"]) != "true" &&
		sleeps().MatchString(e.args.text("command")):
		how = "a command that sleeps"
	default:
		return false
	}
	before, ok := p.last[key]
	p.last[key] = text
	same := ok && before == text && how != "job" // what a job prints is new, even if it is the same
	if !same && !empty(e) {
		return false
	}
	e.mark(Mark{Kind: kindPoll, How: how, Bytes: e.Bytes, Tokens: e.Tokens})
	return true
}

// empty reports whether a call returned no output and, if it was one of job, that the job goes on.
func empty(e *event) bool {
	exit := e.facts.Exit
	return e.rec.ProducedBytes == 0 && (e.rec.Tool != "job" || exit != nil && exit.How == record.EndedJob)
}
