package size

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0B", 512: "512B", 1023: "1023B", 1024: "1KB", 30720: "30KB", 30721: "30.0KB", 51610: "50.4KB",
		1258291: "1.2MB", 1 << 20: "1MB", 1<<20 - 1: "1.0MB", 128 << 20: "128MB", 20_000_000: "19.1MB", 1 << 30: "1GB",
		1<<63 - 1: "8.0EB", 1<<20 - 52: "1023.9KB", 1<<20 - 51: "1.0MB", 1 << 60: "1EB", -1023: "-1023B", -1024: "-1KB",
	} {
		require.Equal(t, want, Format(n), n)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 46218: "46,218", 1_234_567: "1,234,567"} {
		require.Equal(t, want, Thousands(n))
	}
}

func TestFile(t *testing.T) {
	for n, want := range map[int64]string{0: "0B", 1024: "1KB", 999_999: "976.6KB", 1_000_000: "1MB", 19_999_999: "20.0MB", 20_000_000: "20MB", 20_971_520: "21.0MB", 170_000_000: "170MB"} {
		require.Equal(t, want, File(n))
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string][2]int64{
		"0": {0, 0}, "30720": {30720, 30720}, "2048b": {2048, 2048}, "30 kb": {30 << 10, 30_000}, "1.5MB": {3 << 19, 1_500_000},
		"20MiB": {20 << 20, 20 << 20}, "5g": {5 << 30, 5_000_000_000}, "1TiB": {1 << 40, 1 << 40}, "0.3k": {307, 300},
		"1048575.5KB": {1<<30 - 512, 1_048_575_500}, "9223372036854775807": {math.MaxInt64, math.MaxInt64},
		"9007199254740991KiB": {math.MaxInt64 - 1023, math.MaxInt64 - 1023},
	} {
		for i, files := range []bool{false, true} {
			got, err := Parse(text, files)
			require.NoError(t, err, text)
			require.Equal(t, want[i], got, "%s, files %v", text, files)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1e3", "1_000", "0x10", "1.5", "1048576.5KB", "9007199254740992KiB", "9223372036854775808", "1KBKB", "K", ".5k", "1.k", "1..5k", "1IB", "1 KIBs", "1K B"} {
		_, err := Parse(text, false)
		require.Error(t, err, text)
	}
}

func TestWritten(t *testing.T) {
	for n, want := range map[int64][2]string{
		0: {"0B", "0B"}, 1000: {"1000", "1000"}, 30720: {"30KB", "30KiB"}, 20 << 20: {"20MB", "20MiB"},
		20_000_000: {"20000000", "20MB"}, 1_024_000_000: {"976.6MB", "1024MB"},
	} {
		require.Equal(t, want, [2]string{Written(n, false), Written(n, true)}, n)
	}
}
