package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// number returns the value of an option that is a number.
func (o option) number(c *Config) int64 {
	switch p := o.field(c).(type) {
	case *int:
		return int64(*p)
	case *int64:
		return *p
	case *time.Duration:
		return int64(*p)
	}
	return 0
}

func (o option) setNumber(c *Config, n int64) {
	switch p := o.field(c).(type) {
	case *int:
		*p = int(n)
	case *int64:
		*p = n
	case *time.Duration:
		*p = time.Duration(n)
	}
}

// parse sets the option from the text of an environment variable, or of a string in a file.
func (o option) parse(c *Config, text string) error {
	if !o.raw {
		text = strings.TrimSpace(text)
	}
	var err error
	switch p := o.field(c).(type) {
	case *string:
		if len(o.words) > 0 && !slices.Contains(o.words, text) {
			err = errSyntax
			break
		}
		*p = text
	case *[]string:
		*p = nil
		for _, s := range strings.Split(text, ",") {
			if s = strings.TrimSpace(s); s != "" {
				*p = append(*p, s)
			}
		}
	case *bool:
		*p, err = parseBool(text)
	default:
		var n int64
		switch o.kind {
		case kindSize:
			n, err = size.Parse(text, o.files)
		case kindDuration:
			n, err = parseDuration(text)
		default:
			n, err = parseCount(text)
		}
		if _, isInt := p.(*int); err == nil && isInt && int64(int(n)) != n {
			err = errSyntax // too large for an int of 32 bits
		}
		if err == nil {
			o.setNumber(c, n)
		}
	}
	if err != nil {
		return o.refuse(strconv.Quote(text), o.wanted())
	}
	return nil
}

func (o option) wanted() string {
	switch o.kind {
	case kindSize:
		if o.files {
			return `a size, as 20000000, "20MB" or "128MiB"`
		}
		return `a size, as 30720, "30KB" or "128MiB"`
	case kindDuration:
		return `a time, as "90s" or a number of milliseconds`
	case kindBool:
		return "true or false (or yes, on, 1, no, off, 0)"
	case kindList:
		return "a list of texts"
	case kindString:
		if len(o.words) > 0 {
			return "one of " + strings.Join(o.words, ", ")
		}
		return "a text"
	}
	return "a whole number"
}

func (o option) refuse(value, want string) *OptionError {
	return &OptionError{Option: o.name, Value: value, Want: want}
}

// format prints a number as it may be written.
func (o option) format(n int64) string {
	switch o.kind {
	case kindSize:
		return size.Written(n, o.files)
	case kindDuration:
		return shortDuration(time.Duration(n))
	}
	return strconv.FormatInt(n, 10)
}

// shortDuration prints 2m0s as 2m and 24h0m0s as 24h.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

var errSyntax = errors.New("syntax")

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "t", "yes", "on", "1":
		return true, nil
	case "false", "f", "no", "off", "0":
		return false, nil
	}
	return false, errSyntax
}

// Numbers are digits, without the other forms that strconv accepts: no exponent, no other base,
// and no sign but the minus, which the floors refuse.
var (
	countForm  = regexp.MustCompile(`^-?[0-9]+$`)
	millisForm = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
)

func parseCount(text string) (int64, error) {
	if !countForm.MatchString(text) {
		return 0, errSyntax
	}
	return strconv.ParseInt(text, 10, 64)
}

// parseDuration parses a number of milliseconds or a Go duration, and returns nanoseconds.
func parseDuration(text string) (int64, error) {
	if millisForm.MatchString(text) {
		ms, err := strconv.ParseFloat(text, 64)
		ns := ms * float64(time.Millisecond)
		if err != nil || math.Abs(ns) >= math.MaxInt64 {
			return 0, errSyntax
		}
		return int64(ns), nil
	}
	if strings.HasPrefix(text, "+") {
		return 0, errSyntax
	}
	d, err := time.ParseDuration(text)
	return int64(d), err
}

// Lookup returns the value of the option of that name ("Grep.Limit") as text: "2000",
// "30KB", "2m". Call it on a resolved Config; otherwise an option that is not set is "0".
// source is what set the option: the file and line, the environment variable, or the source
// given to [Config.Set]. It is "" if none of these did, or if code has changed the value since.
// ok is false if there is no such option.
func (c Config) Lookup(name string) (value, source string, ok bool) {
	o, ok := named(name)
	if !ok {
		return "", "", false
	}
	return o.show(&c), c.source(o), true
}

// show returns the value of an option, for use in a sentence.
func (o option) show(c *Config) string {
	switch p := o.field(c).(type) {
	case *string:
		return *p
	case *[]string:
		return strings.Join(*p, ", ")
	case *bool:
		return fmt.Sprint(*p)
	}
	n := o.number(c)
	switch {
	case o.kind == kindSize && !o.files:
		return truncation.FormatSize(n)
	case o.kind == kindSize && n%1024 != 0:
		return size.File(n)
	}
	return o.format(n)
}
