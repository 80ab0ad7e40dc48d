package config_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// TestNumbersAreStrict has texts that a lenient reader would take for a number.
func TestNumbersAreStrict(t *testing.T) {
	for env, texts := range map[string][]string{
		"SPILLWAY_MAX_BYTES": {
			"12 34", "1 2KB", "12KB KB", "12kb kb", "12KBKB", "+12KB", "-12KB", "- 12", "1e3", "1e3KB", "0x10", "0x1p4KB", "1_000", "1,000",
			"٣٠", "３０KB", "30\u212aB", "30I", "30IB", "30KBI", ".5MB", "5.MB", "1.5", "1.5.5MB", "inf", "NaN", "InfKB", "KB", "9223372036854775808",
			"8388608TB", "99999999999999999999999999TB", "30K B", "30\nKB",
		},
		"SPILLWAY_GREP_LIMIT":   {"12 34", "+5", "1e3", "0x10", "1_000", "٣", "5KB", "99999999999999999999", "1.0", "--1", ""},
		"SPILLWAY_BASH_TIMEOUT": {"12 34", "+5", "+5s", "1e3", "0x10", "0x1p4", "1 s", "inf", "NaN", "٣s", "9223372036854775807", "99999999999999999999h", "1_0", "s"},
		"SPILLWAY_READ_ONLY":    {"2", "-1", "ja", "true false", "yes!", "null", "00"},
	} {
		for _, text := range texts {
			if text == "" {
				continue // as if it were unset
			}
			t.Setenv(env, text)
			_, err := config.FromEnv(config.Config{})
			var refused *config.OptionError
			require.ErrorAs(t, err, &refused, "%s=%q", env, text)
			require.Equal(t, env, refused.Source)
		}
		t.Setenv(env, "")
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int{
		"30720": 30720, " 30KB ": 30 << 10, "30 kb": 30 << 10, "30k": 30 << 10, "30Ki": 30 << 10, "1MiB": 1 << 20, "1.5mb": 3 << 19, "2048b": 2048, "0030720": 30720,
		"1gb": 1 << 30,
	} {
		t.Setenv("SPILLWAY_MAX_BYTES", text)
		c, err := config.FromEnv(config.Config{})
		require.NoError(t, err, text)
		require.Equal(t, want, c.MaxBytes, text)
	}
	for text, want := range map[string]time.Duration{
		"1500": 1500 * time.Millisecond, "1.5": 1500 * time.Microsecond, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "-1ms": -time.Millisecond, "-1": -time.Millisecond,
	} {
		t.Setenv("SPILLWAY_BASH_TIMEOUT", text)
		c, err := config.FromEnv(config.Config{})
		require.NoError(t, err, text)
		require.Equal(t, want, c.Bash.Timeout, text)
	}
	t.Setenv("SPILLWAY_SPILL_MAX_TOTAL_BYTES", strconv.FormatInt(math.MaxInt64, 10))
	c, err := config.FromEnv(config.Config{})
	require.NoError(t, err)
	require.EqualValues(t, int64(math.MaxInt64), c.Spill.MaxTotalBytes)
}

// What is just over the largest number is refused, whichever way it is written.
func TestNumbersThatAreTooLarge(t *testing.T) {
	for name, texts := range map[string][]string{
		"SPILLWAY_SPILL_MAX_TOTAL_BYTES": {"9223372036854775808", "8388608TB", "1048576.0KB"},
		"SPILLWAY_BASH_TIMEOUT":          {"9223372036854.775808", "-9223372036854.775809"},
	} {
		for _, text := range texts {
			t.Setenv(name, text)
			_, err := config.FromEnv(config.Config{})
			require.Error(t, err, text)
		}
		t.Setenv(name, "")
	}
}

func TestBooleans(t *testing.T) {
	for text, want := range map[string]bool{
		"true": true, "TRUE": true, "tRue": true, "t": true, "yes": true, "Yes": true, "YES": true, "on": true, "ON": true, "1": true, " on ": true,
		"false": false, "False": false, "f": false, "no": false, "NO": false, "off": false, "Off": false, "0": false,
	} {
		t.Setenv("SPILLWAY_READ_ONLY", text)
		c, err := config.FromEnv(config.Config{ReadOnly: !want})
		require.NoError(t, err, text)
		require.Equal(t, want, c.ReadOnly, text)
	}
	c, err := load(t, `{"readOnly": "On"}`)
	require.NoError(t, err)
	require.True(t, c.ReadOnly)
}

// The size of a file means the number that it prints, and prints as it is written.
func TestSizesOfFiles(t *testing.T) {
	for text, want := range map[string]int64{"20MB": 20_000_000, "20m": 20_000_000, "20MiB": 20 << 20, "1.5MB": 1_500_000, "1KiB": 1024, "2kb": 2000, "20000000": 20_000_000, "5GB": 5_000_000_000} {
		t.Setenv("SPILLWAY_MAX_FILE_BYTES", text)
		c, err := config.FromEnv(config.Config{})
		require.NoError(t, err, text)
		require.Equal(t, want, c.MaxFileBytes, text)
		shown, _, ok := c.Lookup("MaxFileBytes")
		require.True(t, ok)
		t.Setenv("SPILLWAY_MAX_FILE_BYTES", shown)
		again, err := config.FromEnv(config.Config{})
		require.NoError(t, err, shown)
		if text != "2kb" { // 2.0KB, as it is not a whole number of any unit
			require.Equal(t, want, again.MaxFileBytes, "%s prints as %s", text, shown)
		}
	}
}
