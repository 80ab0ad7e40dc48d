package tools

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
)

var placeholder = regexp.MustCompile(`\{[A-Z][A-Za-z.]+(:ms)?\}`)

// fill puts the values of options in the place of their names in braces, as
// {Grep.Limit} or, in milliseconds, {Bash.Timeout:ms}, so that what a description
// promises is what is in force.
func fill(text string, cfg config.Config) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		name, ms := strings.CutSuffix(name[1:len(name)-1], ":ms")
		value, _, ok := cfg.Lookup(name)
		if d, err := time.ParseDuration(value); ok && ms && err == nil {
			return strconv.FormatInt(d.Milliseconds(), 10)
		}
		if !ok || ms {
			panic("tools: a description names the unknown option " + name)
		}
		return value
	})
}
