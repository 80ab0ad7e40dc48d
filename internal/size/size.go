// Package size writes numbers, and writes and reads sizes in bytes. Texts for models are measured in units of 1024;
// files in units of 1000, as disks are.
package size

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Format prints a number of bytes in units of 1024: without decimals if exact ("30KB" is 30,720 bytes), otherwise with
// one ("50.4KB", "1.2MB"), and in plain bytes under 1024 ("512B").
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

// File prints the size of a file for comparison with Config.MaxFileBytes: from 1,000,000 bytes in decimal megabytes.
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

// Written returns a size in the form that [Parse] reads.
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

// Thousands prints a number with commas: "46,218".
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

var errSyntax = errors.New("not a size")

// Parse reads bytes: a number, with or without a unit. Units are powers of 1024 or, in sizes of files and without an
// i, of 1000.
func Parse(text string, files bool) (int64, error) {
	// Only digits, although strconv would also read signs, exponents and other bases.
	number := text[:len(text)-len(strings.TrimLeft(text, "0123456789."))]
	whole, decimals, point := strings.Cut(number, ".")
	if whole == "" || point && (decimals == "" || strings.Contains(decimals, ".")) {
		return 0, errSyntax
	}
	name := strings.ToUpper(strings.TrimLeft(text[len(number):], " "))
	base, unit := int64(1024), int64(1)
	name, _ = strings.CutSuffix(name, "B")
	name, binary := strings.CutSuffix(name, "I")
	power := strings.Index("KMGT", name) + 1
	switch {
	case name == "" && !binary:
		power = 0
	case len(name) != 1 || power == 0:
		return 0, errSyntax
	case files && !binary:
		base = 1000
	}
	for range power {
		unit *= base
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
