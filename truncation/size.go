package truncation

import "fmt"

// FormatSize formats a number of bytes in binary units, as notices do: without decimals
// where whole ("30KB" is 30,720 bytes), with one otherwise ("50.4KB", "1.2MB"), and in
// plain bytes under 1024 ("512B").
func FormatSize(n int64) string {
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
