package redact

import "bytes"

// verdict is what a rule says of a candidate.
type verdict uint8

const (
	no verdict = iota
	yes
	more // it depends on what follows
)

// result is what a rule makes of a candidate.
type result struct {
	verdict
	match
	hold int // for more: where the secret would begin
}

// rule describes a kind of credential.
type rule struct {
	kind     string
	literals []string // one of them stands in every secret of the kind, or before it
	before   bool     // the literal stands before the secret, and is no part of it
	check    func(v *view, at, after int) result
}

// prefixed returns the check of a token that is its literal and at least n bytes of a class. valid may be nil.
func prefixed(c *class, n int, valid func(secret []byte) bool) func(v *view, at, after int) result {
	return func(v *view, at, after int) result {
		if word[v.before(at)] {
			return result{}
		}
		end, known := v.run(after, c, n)
		if !known {
			return result{verdict: more, hold: at}
		}
		if end < after+n || valid != nil && !valid(v.text[at:end]) {
			return result{}
		}
		return result{verdict: yes, match: match{start: at, end: end, tail: c}}
	}
}

var rules = []rule{
	{kind: "GitHub token", literals: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, check: prefixed(word, 36, nil)},
	{kind: "GitHub token", literals: []string{"github_pat_"}, check: prefixed(word, 82, nil)},
	{kind: "AWS access key", literals: []string{"AKIA", "ASIA"}, check: prefixed(upper, 16, nil)},
	{kind: "Slack token", literals: []string{"xoxb-", "xoxp-", "xapp-"}, check: prefixed(token, 20, nil)},
	{kind: "password in a URL", literals: []string{"://"}, before: true, check: urlCheck},
}

var inUser = classOf("A-Za-z0-9._~%!$&'()*+,;=-")
var inPassword = classOf("A-Za-z0-9._~%!$&'()*+,;=:#?^|<>{}-")

func urlCheck(v *view, at, after int) result {
	user, known := v.run(after, inUser, 128)
	if !known {
		return result{verdict: more, hold: after}
	}
	if user == len(v.text) || v.text[user] != ':' {
		return result{}
	}
	end, known := v.run(user+1, inPassword, 256)
	if !known {
		return result{verdict: more, hold: user + 1}
	}
	if end == len(v.text) || v.text[end] != '@' || end == user+1 {
		return result{}
	}
	return result{verdict: yes, match: match{start: user + 1, end: end}}
}

// table finds the kinds.
type table struct {
	first [256][]candidate
}

type candidate struct {
	literal string
	rule    *rule
}

var kinds = newTable(rules)

func newTable(rules []rule) *table {
	t := &table{}
	for i := range rules {
		for _, l := range rules[i].literals {
			t.first[l[0]] = append(t.first[l[0]], candidate{l, &rules[i]})
		}
	}
	return t
}

// find implements finder.
func (t *table) find(v *view, from int) (m match, ok bool, resume, hold int) {
	for i := from; i < len(v.text); i++ {
		switch r := t.check(v, i); r.verdict {
		case yes:
			return r.match, true, 0, 0
		case more:
			return match{}, false, i, t.earliest(v, i+1, r.hold)
		}
	}
	return match{}, false, len(v.text), len(v.text)
}

// earliest returns the first place from i on, but not after hold, where a secret may begin.
func (t *table) earliest(v *view, i, hold int) int {
	for ; i < hold; i++ {
		switch r := t.check(v, i); r.verdict {
		case yes:
			hold = min(hold, r.start)
		case more:
			hold = min(hold, r.hold)
		}
	}
	return hold
}

// check returns what the first rule makes of what begins at i that does not say no.
func (t *table) check(v *view, i int) result {
	for _, c := range t.first[v.text[i]] {
		switch begins, known := v.has(i, c.literal); {
		case !known && c.rule.before:
			return result{verdict: more, hold: len(v.text)}
		case !known:
			return result{verdict: more, hold: i}
		case begins:
			if r := c.rule.result(v, i, i+len(c.literal)); r.verdict != no {
				return r
			}
		}
	}
	return result{}
}

// result completes what check returns.
func (u *rule) result(v *view, at, after int) result {
	r := u.check(v, at, after)
	if r.verdict != yes {
		return r
	}
	r.kind = u.kind
	if full := r.start + fullLength(r.kind); r.tail != nil && r.end < full {
		// Which placeholder fits depends on what follows.
		end, rest := r.tail.next(v, r.end)
		if rest != nil && end < full {
			return result{verdict: more, hold: r.start}
		}
		r.end, r.tail = end, rest
	}
	if bytes.HasPrefix(v.text[r.start:r.end], []byte(opening)) {
		return result{}
	}
	return r
}
