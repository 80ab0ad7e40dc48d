package jsoncut

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Scores for how clearly a value reports a failure.
const (
	failing  = 90 // an error under its own name, a failed status
	unsound  = 60 // a code or count that is not 0, false under the name of a success
	mentions = 50 // a text about a failure
	unlike   = 40 // a value that few others have
	odd      = 30 // another type, or other keys, than the others have
)

// Keys, in lower case without separators.
var (
	failureKeys = set(`error errors err failure failures failed fatal exception exceptions problems panic
		failuremessage failuremessages errormessage errormessages errortext errorcode lasterror
		testexecerror depserrors invalid missing oomkilled dead traceback stacktrace reject rejected
		violations terminationreason stopreason failurereason`)
	countKeys = set(`errorcount fatalerrorcount numfailedtests numfailedtestsuites numruntimeerrortestsuites
		failurecount failedcount failures failed errors failedtests exitcode exitstatus returncode rc
		retcode unhealthy crashes crashcount numfailed numerrors throttled`)
	codeKeys    = set(`code status statuscode httpstatus httpstatuscode responsecode httpcode`)
	successKeys = set(`ok success successful succeeded passed healthy ready valid mergeable complete available isvalid
		online reachable verified`)
	failureWords = set(`failed failure error errored fatal critical crash crashed crashloopbackoff imagepullbackoff
		errimagepull oomkilled panic timeout timedout rejected denied unhealthy evicted broken notready
		down degraded unreachable expired aborted invalid missing impaired blocked conflict backoff
		failedscheduling unschedulable containercannotrun updatefailed createfailed deletefailed
		rollbackcomplete rollbackfailed emergency alert severe stopped lost corrupt startupfailure
		actionrequired dirty insufficientdata alarm`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// class is what a key says about its values.
type class struct {
	failure, count, code, success bool
	exit                          bool // codes below 100 are failures, too
}

func classOf(name []byte) class {
	key := plainKey(name)
	return class{failureKeys[key], countKeys[key], codeKeys[key], successKeys[key], key == "code"}
}

func (n *node) class() class {
	switch {
	case n.name.size == 0:
		return class{}
	case n.path == nil || n.path.key == "":
		return classOf(n.name.head)
	}
	return n.path.class
}

func (n *node) judge() {
	key := n.class()
	switch n.kind {
	case object, array:
		if key.failure && n.count > 0 {
			n.says = failing
		}
	case literal:
		if no := n.text.head[0] == 'f'; no && key.success || !no && key.failure {
			n.says = unsound
		}
	case number:
		if key.count || key.code {
			n.says = saysNumber(key, n.text)
		}
	case str:
		n.says = saysText(key, n.text)
	}
}

// HTTP status codes of failures start at the first and end before the second; exit codes are below the third.
const httpFails, httpEnd, exitEnd = 400, 600, 100

func saysNumber(key class, t text) int {
	value, err := strconv.ParseFloat(string(t.head), 64)
	switch {
	case err != nil || value == 0:
	case key.count, value < 0 || value >= httpFails && value < httpEnd, key.exit && value < exitEnd:
		return unsound
	}
	return 0
}

const (
	shortestWord, longestWord = 4, 48 // bytes of a failure word as programs write it
	shortestText              = 8     // bytes of a text about a failure
	longestKey                = 64    // bytes of a known key
)

func saysText(key class, t text) int {
	switch {
	case t.size == 0:
		return 0
	case key.failure:
		return failing
	case t.size <= longestWord && t.size >= shortestWord && failureWords[plainKey(t.head)]:
		return failing
	case key.code || key.count:
		if v, err := strconv.Atoi(string(t.head)); err == nil && v >= httpFails && v < httpEnd {
			return unsound
		}
	}
	if speaks(t.head) || speaks(t.tail) {
		return mentions
	}
	return 0
}

// speaks reports whether a text reports a failure in a failing position.
func speaks(s []byte) bool {
	if len(s) < shortestText || bytes.IndexByte(s, ' ') < 0 {
		return false
	}
	low := bytes.ToLower(s)
	is := func(begin string) bool { return bytes.HasPrefix(low, []byte(begin)) }
	has := func(phrase string) bool { return bytes.Contains(low, []byte(phrase)) }
	return slices.ContainsFunc(begins, is) || slices.ContainsFunc(phrases, has)
}

// The beginnings of texts about a failure, and words in them.
var (
	begins  = []string{"error", "fatal", "panic:", "traceback", "failed", "cannot ", "could not ", "unable to "}
	phrases = []string{
		"error: ", "exception: ", " failed", "panic: ", "fatal: ", "traceback (most", "permission denied", "timed out",
		" not found", "no such file", "refused", "back-off", "out of memory", "unexpected ", "unable to ", "is missing",
		"cannot ",
	}
)

// plainKey returns a short name in lower case without separators.
func plainKey(name []byte) string {
	if len(name) > longestKey {
		return ""
	}
	var b [longestKey]byte
	n := 0
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		case c == '_' || c == '-' || c == ' ' || c == '.':
			continue
		}
		b[n] = c
		n++
	}
	return string(b[:n])
}

// If more than one value in so many has a property at a place, that is normal there, and counts only as a fraction.
const usualFrom, usualFraction = 3, 10

// score returns how much a node stands out by itself, given all statistics.
func (n *node) score() int {
	s, p := n.says, n.path
	if p == nil {
		return s
	}
	if s > 0 && p.seen >= rareAmong && p.says*usualFrom > p.seen {
		s /= usualFraction
	}
	if s == mentions && p.values.common(n.hash) {
		s = 0
	}
	switch {
	case n.kind == object && n.shape != 0 && p.isStruct() && p.shapes.rare(n.shape, true),
		rare(p.kinds[n.kind], p.seen):
		s += odd
	case !n.kind.holds() && n.kind != null && p.values.rare(n.hash, n.kind == str):
		s += unlike
	case p.parent != nil && p.parent.all != p && rare(p.seen, p.parent.kinds[object]) && p.parent.isStruct():
		s += odd
	}
	return s
}

// most returns the highest score in n.
func (n *node) most() int {
	score := n.score()
	for _, kid := range n.kids {
		score = max(score, kid.most())
	}
	return score
}
