// Package size writes and reads numbers of bytes. What a model is shown is counted in units of
// 1024; files are counted in units of 1000, as disks are.
package size

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Format prints a number of bytes in units of 1024: without decimals where it is whole ("30KB" is
// 30,720 bytes), with one otherwise ("50.4KB", "1.2MB"), and in plain bytes under 1024 ("512B").
func Format(n int64) string {
	if n > -1024 && n < 1024 {
		return fmt.Sprintf("%dB", n)
	}
	units := []string{"KB", "MB", "GB", "TB", "PB", "EB"}
	unit, divisor := 0, int64(1024)
	// Beyond 1023.95 of a unit, one decimal would print as 1024.0 of it.
	for unit < len(units)-1 && float64(n)/float64(divisor) >= 1023.95 {
		unit++
		divisor *= 1024
	}
	if n%divisor == 0 {
		return fmt.Sprintf("%d%s", n/divisor, units[unit])
	}
	return fmt.Sprintf("%.1f%s", float64(n)/float64(divisor), units[unit])
}

// File prints the size of a file as it is compared with Config.MaxFileBytes: from
// 1,000,000 bytes in decimal megabytes.
func File(n int64) string {
	const mega = 1_000_000
	switch {
	case n < mega:
		return Format(n)
	case n%mega == 0:
		return fmt.Sprintf("%dMB", n/mega)
	}
	return fmt.Sprintf("%.1fMB", float64(n)/mega)
}

// Written returns a size as [Parse] reads it.
func Written(n int64, files bool) string {
	switch {
	case files && n%1_000_000 == 0:
		return File(n)
	case files && n%1024 == 0:
		return strings.TrimSuffix(Format(n), "B") + "iB"
	case !files && n%1024 == 0:
		return Format(n)
	}
	return strconv.FormatInt(n, 10)
}

var errSyntax = errors.New("not a size")

// form has digits and nothing that strconv would read besides: no sign, no exponent, no other base.
var form = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) *(?:([KMGTkmgt])([Ii]?))?[Bb]?$`)

// Parse reads bytes: a number, with a unit or none. Units are powers of 1024, or, in
// sizes of files and without an i, of 1000.
func Parse(text string, files bool) (int64, error) {
	parts := form.FindStringSubmatch(text)
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
