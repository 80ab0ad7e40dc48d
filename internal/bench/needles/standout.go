package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// sentenceRoom is what bash leaves for the sentence where it has nothing else to say.
const sentenceRoom = notice.Allowance - 280

// sentence shows the last kilobytes of a text as bash does, with the notice that names what stands out before them.
func sentence(kilobytes int) func(text []byte) (shown string, standout []string) {
	return func(text []byte) (shown string, standout []string) {
		policy := truncation.Policy{Strategy: truncation.Tail, Limits: limits(2000, kilobytes), Unmarked: true, Standout: true}
		r := policy.Truncate(string(text))
		stands := notice.Standout{Lines: r.Standout, More: r.StandoutMore, Before: true, Room: sentenceRoom}
		limit := int(policy.Limits.Bytes)
		more := stands.Needs(limit)
		policy.Limits.Bytes = truncation.Limit(limit - more)
		r = policy.Truncate(string(text))
		said := notice.Standout{Lines: r.Standout, More: r.StandoutMore, Before: true, Room: sentenceRoom + more}.Notice()
		lines := strings.Split(string(text), "\n")
		for _, m := range named.FindAllStringSubmatch(string(said), -1) {
			number, _ := strconv.Atoi(m[1])
			standout = append(standout, lines[number-1])
		}
		quoted := strings.NewReplacer(`\"`, `"`, `\t`, "\t", `\\`, `\`).Replace(string(said)) // as a model understands it
		return notice.Append(r.Text, notice.TailLines(r, notice.Saved{Path: ".clarvis/bash-k3x9q2mf.log"}), notice.Notice(quoted)), standout
	}
}

var named = regexp.MustCompile(`(?:: |, )(\d+) "(?:[^"\\]|\\.)*"`)

// digest shows a text as Digest does, in so many kilobytes or its own limit for 0, and which lines stand out in it.
func digest(kilobytes int) func(text []byte) (shown string, standout []string) {
	return func(text []byte) (shown string, standout []string) {
		r := truncation.Policy{Strategy: truncation.Digest, Limits: limits(0, kilobytes)}.Truncate(string(text))
		lines := strings.Split(string(text), "\n")
		for _, line := range r.Standout {
			standout = append(standout, lines[line.Number-1])
		}
		return r.Text, standout
	}
}
