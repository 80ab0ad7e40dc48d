package truncation

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// The estimate is as near to a real tokenizer's counts as its documentation says.
func TestEstimateTokens(t *testing.T) {
	data := testkit.ReadFile(t, filepath.Join("testdata", "tokens", "counts.tsv"))
	counted, estimated := 0, 0
	for line := range strings.Lines(data) {
		f := strings.Fields(line)
		text := testkit.ReadFile(t, filepath.Join("testdata", "tokens", f[0]))
		n, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		cl, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		got := EstimateTokens(text)
		wrong := 100 * (float64(got)/float64(n) - 1)
		t.Logf("| %s | %d | %d | %d | %+.0f %% |", strings.TrimSuffix(f[0], ".txt"), n, cl, got, wrong)
		require.LessOrEqual(t, math.Abs(wrong), 18.5, f[0])
		counted += n
		estimated += got
	}
	t.Logf("all: %d, %d, %+.1f %%", counted, estimated, 100*(float64(estimated)/float64(counted)-1))
	require.InDelta(t, 1.0, float64(estimated)/float64(counted), 0.05)
	require.Zero(t, EstimateTokens(""))
}

func TestEstimateOfOneKind(t *testing.T) {
	for text, want := range map[string]int{
		"abcdefg": 1, "abcdefgh": 2, "привет": 2, "при": 1, "приве": 1, "123": 1, "1234": 2, "!?": 1, "!?!": 2,
		" ": 1, " \t\n\r": 1, "世": 1, "世界世界世": 4, "😀": 1, "😀😀😀😀😀": 3,
		"a b": 2, "a привет": 3, "a (": 2, "a 1": 3, "a 世": 3, "a  b": 3, "a\nb": 3, " a": 1, "a ": 2,
	} {
		require.Equal(t, want, EstimateTokens(text), "%q", text)
	}
}

func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		from, to rune
		want     class
	}{
		{0, '\b', mark}, {'\t', '\n', blank}, {'\v', '\f', mark}, {'\r', '\r', blank}, {0x0e, 0x1f, mark}, {' ', ' ', blank}, {'!', '/', mark},
		{'0', '9', digit}, {':', '@', mark}, {'A', 'Z', letter}, {'[', '`', mark}, {'a', 'z', letter}, {'{', 0x7f, mark},
		{0x80, 0x9f, other}, {'À', 'Ö', foreign}, {'а', 'я', foreign}, {0x2e7f, 0x2e7f, other}, {0x2e80, 0xdfff, wide}, {0xe000, 0xe000, other},
		{0xfeff, 0xfeff, other}, {0xff00, 0xffef, wide}, {0xfff0, 0xffff, other}, {0x1ffff, 0x1ffff, other}, {0x20000, 0x2ffff, wide}, {0x30000, 0x30000, foreign},
	} {
		for r := c.from; r <= c.to; r++ {
			require.Equal(t, c.want, classOf(r), "%U", r)
		}
	}
}

// A result never has more tokens than it may, however they are counted, and what
// has no more is whole.
func TestTokenBudgets(t *testing.T) {
	counts := []func(string) int{nil, func(s string) int { return len(strings.Fields(s)) }, func(s string) int { return (len(s) + 2) / 3 }}
	for seed := range testkit.Some(3000) {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		var b strings.Builder
		for range r.IntN(80) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		p := Policy{Strategy: strategies[r.IntN(7)], Limits: Limits{Tokens: Limit(1 + r.IntN(60)), CountTokens: counts[r.IntN(3)]}, First: r.IntN(5), Last: r.IntN(5)}
		if r.IntN(20) == 0 {
			p.Tokens = nothing
		}
		all := p.plan()
		p = all.Policy
		text := b.String()
		got := p.Truncate(text)
		require.LessOrEqual(t, all.countTokens(got.Text), most(p.Tokens), "%+v of %q", p, text)
		require.True(t, utf8.ValidString(got.Text))
		if valid := validUTF8(text); p.Tokens > 0 && len(valid) <= 16*int(p.Tokens) && all.countTokens(valid) <= int(p.Tokens) && p.Strategy != HeadTailLines {
			require.False(t, got.Truncated)
		}
		if got.Truncated && p.Strategy != HeadTailLines {
			require.Equal(t, ByTokens, got.TruncatedBy)
		}
		w := p.NewWriter()
		for rest := text; rest != ""; {
			n := min(1+r.IntN(50), len(rest))
			w.WriteString(rest[:n])
			rest = rest[n:]
		}
		require.Equal(t, got.Text, w.Result().Text, "%+v of %q", p, text)
	}
}
