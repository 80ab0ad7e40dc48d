package notice

import (
	"fmt"
	"strings"
	"time"
)

type Ended struct {
	ID    int
	State string        // from [JobState.String]
	After time.Duration // from its start to its end
}

const maxEndedNamed = 5

// JobsEnded is empty without jobs.
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
		named = append(named, fmt.Sprintf("job %d %s", j.ID, j.how("")))
	}
	list := "one"
	if len(jobs) > maxEndedNamed {
		list = "one, or job without an id to list all"
	}
	return Notice(fmt.Sprintf("%d jobs have ended: %s. Use job id=%d to read on in that %s",
		len(jobs), andMore(named, len(jobs)), jobs[0].ID, list))
}

// how says how a job ended and how long it ran. colon precedes a state that does not itself speak of an end.
func (e Ended) how(colon string) string {
	if strings.HasPrefix(e.State, "ended ") {
		colon = ""
	}
	return fmt.Sprintf("%s%s %s", colon, e.State, later(e.After))
}

// later says when something happened, in whole seconds from its start: "after 14 s", "after 2m5s".
func later(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < time.Second:
		return "within 1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("after %d s", d/time.Second)
	}
	return "after " + d.String()
}
