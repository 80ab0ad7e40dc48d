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

	"github.com/spillway-go/spillway/internal/notice"
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

// parse sets the option from a text, as it stands in the environment or as a
// string in a file.
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
			n, err = parseSize(text, o.files)
		case kindDuration:
			n, err = parseDuration(text)
		default:
			n, err = parseCount(text)
		}
		if _, isInt := p.(*int); err == nil && isInt && int64(int(n)) != n {
			err = errSyntax // more than an int holds where it has 32 bits
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
		switch {
		case o.files && n%1024 == 0 && n%1_000_000 != 0:
			return strings.TrimSuffix(truncation.FormatSize(n), "B") + "iB"
		case o.files && n%1_000_000 == 0:
			return notice.FileSize(n)
		case !o.files && n%1024 == 0:
			return truncation.FormatSize(n)
		}
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

// Numbers are digits and nothing that strconv would read besides: no sign but the minus
// that the floors are there to refuse, no exponent, no other base.
var (
	countForm  = regexp.MustCompile(`^-?[0-9]+$`)
	sizeForm   = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) *(?:([KMGTkmgt])([Ii]?))?[Bb]?$`)
	millisForm = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
)

func parseCount(text string) (int64, error) {
	if !countForm.MatchString(text) {
		return 0, errSyntax
	}
	return strconv.ParseInt(text, 10, 64)
}

// parseSize reads bytes: a number, with a unit or none. Units are powers of 1024, or, in
// sizes of files and without an i, of 1000.
func parseSize(text string, files bool) (int64, error) {
	parts := sizeForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, errSyntax
	}
	number, base, unit := parts[1], int64(1024), int64(1)
	if files && parts[3] == "" {
		base = 1000
	}
	if parts[2] != "" {
		for range 1 + strings.Index("KMGT", strings.ToUpper(parts[2])) {
			unit *= base
		}
	}
	if n, err := strconv.ParseInt(number, 10, 64); err == nil && n <= math.MaxInt64/unit {
		return n * unit, nil
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == 1 || f >= 1<<20 {
		return 0, errSyntax
	}
	return int64(math.Round(f * float64(unit))), nil
}

// parseDuration reads nanoseconds from a number of milliseconds or a Go
// duration.
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
// "30KB", "2m". Call it on a resolved Config, or a zero value is "0". source is the file
// and line, or the environment variable, that set it; "" if none did, or if code has
// changed the value since. ok is false if there is no such option.
func (c Config) Lookup(name string) (value, source string, ok bool) {
	o, ok := named(name)
	if !ok {
		return "", "", false
	}
	return o.show(&c), c.source(o), true
}

// show returns the value of an option in a sentence.
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
		return notice.FileSize(n)
	}
	return o.format(n)
}
