// Package lazyregexp has regular expressions that are compiled on first use: compiling the suite's sixty at the start
// of a program took a third of that start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression for package variables. Its methods are those of [regexp.Regexp].
type Regexp struct{ compiled func() *regexp.Regexp }

// New returns an expression whose first use panics if it is invalid.
func New(text string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

func (r *Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }

func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAll(b, by []byte) []byte { return r.compiled().ReplaceAll(b, by) }

func (r *Regexp) SubexpIndex(n string) int { return r.compiled().SubexpIndex(n) }

func (r *Regexp) SubexpNames() []string { return r.compiled().SubexpNames() }
