package notice

import (
	"fmt"
	"strings"
	"time"
)

// Ended is a job that has ended.
type Ended struct {
	ID    int
	State string        // how, as [JobState.String] says
	After time.Duration // from its start
}

// maxEndedNamed is the number of jobs of which JobsEnded says how they ended.
const maxEndedNamed = 5

// JobsEnded says that jobs have ended, and how the first of them did. It is empty if there is none.
func JobsEnded(jobs []Ended) Notice {
	switch len(jobs) {
	case 0:
		return ""
	case 1:
		j := jobs[0]
		return Notice(fmt.Sprintf("Job %d has %s. Use job id=%d to read on", j.ID, j.how("ended: "), j.ID))
	}
	var named []string
	for _, j := range jobs[:min(len(jobs), maxEndedNamed)] {
		named = append(named, fmt.Sprintf("%d %s", j.ID, j.how("")))
	}
	list := "one"
	if len(jobs) > maxEndedNamed {
		list = "one, or job without an id to list all"
	}
	return Notice(fmt.Sprintf("%d jobs have ended: %s. Use job id=%d to read on in that %s",
		len(jobs), andMore(named, len(jobs)), jobs[0].ID, list))
}

// how says how a job ended and how long it ran. colon stands before a state that does not say itself that it is an end.
func (e Ended) how(colon string) string {
	if strings.HasPrefix(e.State, "ended ") {
		colon = ""
	}
	return fmt.Sprintf("%s%s (%s)", colon, e.State, seconds(e.After))
}

// seconds returns a time in whole seconds: "14 s", "2m5s".
func seconds(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < time.Second:
		return "under 1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

// Begin puts a notice before those in which a text may end. It returns false, and the text as it is, if that would take
// more than Allowance, of which used bytes are used besides the notices.
func Begin(text string, n Notice, used int) (string, bool) {
	bracket := strings.LastIndex(text, "\n\n[")
	if len(text)-bracket > Allowance {
		bracket = -1 // it is output
	}
	if bracket >= 0 {
		used += len(text) - bracket
	}
	longer := Append(text, n)
	if bracket >= 0 && isNotice(text[bracket+2:]) {
		at := bracket + len("\n\n[")
		longer = text[:at] + string(n) + ". " + text[at:]
	}
	if used+len(longer)-len(text) > Allowance {
		return text, false
	}
	return longer, true
}

// isNotice reports whether the last paragraph of a text looks like notices: sentences in a bracket.
func isNotice(paragraph string) bool {
	return strings.HasSuffix(paragraph, "]") && strings.Contains(paragraph, " ") && !strings.Contains(paragraph, "\n")
}
