package main

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The rest of a result is got back as a model would: by doing what the text says.
// The same rules hold for every contender.
var (
	bracket    = regexp.MustCompile(`(?:^|\n\n)(\[[^\n]*\])(?:\n\nCommand exited with code \d+)?$`)
	fullOutput = regexp.MustCompile(`Full output: ([^\]]+?)(?:\]|\. Lines )`)
	useOffset  = regexp.MustCompile(`\boffset=(-?\d+)(?: column=(\d+))?`)
	useColumn  = regexp.MustCompile(`column=(\d+)`)
	useLimit   = regexp.MustCompile(`Use limit=(\d+)`)
	useBash    = regexp.MustCompile(`Use bash[^:]*: (.+)\]$`)
	useRange   = regexp.MustCompile(`view_range: \[(\d+), (\d+)\]`)
	narrow     = regexp.MustCompile(`Narrow the view_range`)
)

// split divides a text into what the tool was asked for and the notice at its end,
// which may be empty.
func split(text string) (body, notice string) {
	m := bracket.FindStringSubmatchIndex(text)
	if m == nil {
		return text, ""
	}
	return text[:m[0]], text[m[2]:m[3]]
}

// next is the call that a result says to make for more; false if it names none.
func next(c call, r reply) (call, bool) {
	_, said := split(string(r.Text))
	if r.Error {
		said = string(r.Text)
	}
	number := func(re *regexp.Regexp) (int, bool) {
		m := re.FindStringSubmatch(said)
		if m == nil {
			return 0, false
		}
		n, err := strconv.Atoi(m[1])
		return n, err == nil
	}
	if m := useOffset.FindStringSubmatch(said); m != nil {
		n, _ := strconv.Atoi(m[1])
		c = c.with("offset", n)
		delete(c.Args, "column")
		if n, err := strconv.Atoi(m[2]); err == nil {
			c = c.with("column", n)
		}
		return c, true
	}
	if n, ok := number(useColumn); ok {
		return c.with("column", n), true
	}
	if n, ok := number(useLimit); ok {
		return c.with("limit", n), true
	}
	if m := useBash.FindStringSubmatch(said); m != nil {
		return call{"bash", map[string]any{"command": m[1]}}, true
	}
	if m := useRange.FindStringSubmatch(said); m != nil {
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		return c.with("view_range", []int{from, to}), true
	}
	if asked, ok := c.Args["view_range"].([]int); ok && narrow.MatchString(said) {
		return c.with("view_range", []int{asked[0], (asked[0] + asked[1]) / 2}), true
	}
	return c, false
}

// spilled is the file that a result names, "" if it names none.
func spilled(text string) string {
	if m := fullOutput.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// told says that a text tells that it is not all.
func told(r reply) bool {
	_, notice := split(string(r.Text))
	return notice != "" || r.Error || strings.Contains(string(r.Text), "[output truncated]")
}

// sound says that a text is UTF-8 and has no character in the place of a broken
// one: there is none in what the contenders are given.
func sound(text []byte) bool {
	return utf8.Valid(text) && !strings.ContainsRune(string(text), utf8.RuneError)
}
