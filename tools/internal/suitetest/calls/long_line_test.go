package calls_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// oneLine is how a text with one long line is shown: much of it, how much is missing, and where all of it is.
var oneLine = regexp.MustCompile(`\[\.\.\. [34]\d{3} characters left out\. Full output: (\S+?\.\w+)[ .\]]` +
	`|\[Showing last 1KB of line 1 \(line is 4\.9KB\)\. ` + suitetest.FullOutput(`(\S+?\.\w+)`) + `[ .\]]`)

func requireOneLine(t *testing.T, s *tools.Suite, text, msg string) {
	t.Helper()
	require.Greater(t, strings.Count(text, "x"), 500, "%s: %s", msg, text)
	m := oneLine.FindStringSubmatch(text)
	require.NotNil(t, m, "%s: %s", msg, text)
	res := suitetest.Call(t, s, "read", map[string]any{"path": m[1] + m[2], "column": 4001})
	require.Contains(t, res.Text, "xend", "%s: %s", msg, res.Text)
}

// However an output is cut, something of a line that is longer than the limits is shown, and how to see the rest.
func TestOneLongLine(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	const command = "printf begin; head -c 4992 /dev/zero | tr '\\0' x; printf end"
	for n, strategy := range []truncation.Strategy{
		truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars, truncation.Middle,
		truncation.MiddleLines, truncation.HeadTailLines, truncation.Digest, truncation.JSON,
	} {
		cfg := config.Config{MaxBytes: 1024}
		if strategy != truncation.JSON {
			cfg.Bash.Strategy = strategy
		}
		s := suitetest.AllTools(t, cfg, nil)
		for i, end := range []string{"", "; echo"} {
			bash := suitetest.Call(t, s, "bash", map[string]any{"command": command + end})
			requireOneLine(t, s, bash.Text, string(strategy)+", bash"+end)
			if testing.Short() && i != n%2 {
				continue // a job has one of the ends with -short
			}
			started := suitetest.Call(t, s, "bash", map[string]any{"command": "read -r _; " + command + end, "background": true})
			id := started.Details.(tools.BashResult).Job
			job := suitetest.Call(t, s, "job", map[string]any{"id": id, "input": "\n", "wait_ms": 60000})
			requireOneLine(t, s, job.Text, string(strategy)+", job"+end)
		}
		big := tools.Func("big", "returns one line", func(context.Context, struct{}) (string, error) {
			return "begin" + strings.Repeat("x", 4992) + "end", nil
		})
		policy := truncation.Policy{Strategy: strategy, Limits: truncation.Limits{Bytes: 1024}}
		require.NoError(t, s.Add(tools.Truncate(big, policy)))
		requireOneLine(t, s, suitetest.Call(t, s, "big", map[string]any{}).Text, string(strategy)+", Bounded")
	}
}

func TestOneLongLineShown(t *testing.T) {
	t.Parallel()
	const command = "head -c 4997 /dev/zero | tr '\\0' x; printf end"
	s := suitetest.AllTools(t, config.Config{MaxBytes: 1024}, nil)
	for _, show := range []string{"head", "tail", "both", "digest"} {
		for _, end := range []string{"", "; echo"} {
			res := suitetest.Call(t, s, "bash", map[string]any{"command": command + end, "show": show})
			requireOneLine(t, s, res.Text, show+end)
		}
	}
	res := suitetest.Call(t, s, "bash", map[string]any{"command": command + "; echo; echo last", "show": "head"})
	require.Regexp(t, `^x{800,}\n\[\.\.\. 4\d+ characters left out\. Full output: `, res.Text)
}

var (
	arguments = regexp.MustCompile(`(offset|column|path)=(\S+?)(?:\.? |[.\]]|$)`)
	fullFile  = regexp.MustCompile(suitetest.FullOutput(`(\S+?\.\w+)`) + `[ .\]]`)
)

// follow reads with the arguments that the last sentence of a notice advises, and so on until none are advised, and
// returns what it was shown of the file. It knows nothing else.
func follow(t *testing.T, s *tools.Suite, path, text string) string {
	t.Helper()
	var whole strings.Builder
	for range mostPages {
		_, said := noticeOf(text)
		if i := strings.LastIndex(said, "Use "); i >= 0 {
			said = said[i:]
		}
		if i := strings.LastIndex(said, "Or "); i >= 0 {
			said = said[i:]
		}
		advised := arguments.FindAllStringSubmatch(said, -1)
		if advised == nil {
			return whole.String()
		}
		args := map[string]any{"path": path}
		for _, a := range advised {
			n, err := strconv.Atoi(a[2])
			require.NoError(t, err, "%s: %s", a[0], said)
			args[a[1]] = n
		}
		res := suitetest.Call(t, s, "read", args)
		require.False(t, res.IsError, "%v: %s", args, res.Text)
		text = res.Text
		body, said := noticeOf(text)
		if strings.Contains(said, " column=") {
			body = strings.TrimSuffix(body, "\n") // the line goes on
		}
		whole.WriteString(body)
	}
	t.Fatal("it leads nowhere")
	return ""
}

// longTexts have lines that are too long for a result, at each place.
func longTexts() map[string]string {
	long := strings.Repeat("let é=f(1);", 2000) // 24 KB
	short := strings.Repeat("short\n", 100)
	return map[string]string{
		"one": long + "\n", "one without end": long, "two": long + "\n" + strings.ToUpper(long) + "\n",
		"three": long + "\n" + long + "\n" + long + "\n", "first": long + "\n" + short, "last": short + long + "\n",
		"between": short + long + "\n" + short,
	}
}

// What show=digest of read says leads to the rest of the first line that it does not show whole.
func TestDigestOfLongLinesLeadsOn(t *testing.T) {
	for name, text := range longTexts() {
		for _, bash := range []bool{true, false} {
			cfg := config.Config{MaxBytes: 4096, Tools: []string{"read"}}
			if bash {
				cfg.Tools = append(cfg.Tools, "bash")
			}
			s := suitetest.New(t, cfg, map[string]string{"x.js": text})
			res := suitetest.Call(t, s, "read", map[string]any{"path": "x.js", "show": "digest"})
			require.Regexp(t, `characters left out|KB of this line left out`, res.Text, name)
			require.NotRegexp(t, `\b1 lines`, res.Text)
			rest := follow(t, s, "x.js", res.Text)
			require.True(t, strings.HasSuffix(text, rest), name)
			at := strings.Index(text, "let")
			begun := len(text) - len(rest) - at // of the first long line
			require.GreaterOrEqual(t, begun, 0, name)
			require.Contains(t, res.Text, text[at:at+begun], name)
		}
	}
}

// Whatever part of an output is shown, its file leads to all of it, line by line and piece by piece.
func TestLongLinesOfCommandsLeadOn(t *testing.T) {
	t.Parallel()
	texts := longTexts()
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		s := suitetest.AllTools(t, config.Config{MaxBytes: 4096}, map[string]string{"x.js": text})
		for j, show := range []string{"head", "tail", "both", "digest"} {
			if testing.Short() && (i+j)%2 != 0 {
				continue // two of the ways for each text
			}
			res := suitetest.Call(t, s, "bash", map[string]any{"command": "cat x.js", "show": show})
			m := fullFile.FindStringSubmatch(res.Text)
			require.NotNil(t, m, "%s, %s: %s", name, show, res.Text)
			require.NotRegexp(t, `\b0 of 1 lines|\b1 lines`, res.Text)
			if strings.HasPrefix(name, "one") {
				require.Regexp(t, `characters left out|last 4KB of line 1 \(line is 23\.4KB\)`, res.Text)
			}
			read := suitetest.Call(t, s, "read", map[string]any{"path": m[1]})
			body, _ := noticeOf(read.Text)
			require.Equal(t, text, body+follow(t, s, m[1], read.Text), "%s, %s", name, show)
		}
	}
}

// The part of a document that is on a long line is named with its column.
func TestPartOfLongLine(t *testing.T) {
	text := "{\n\"items\": [1" + strings.Repeat(", 1", 5000) + "],\n\"last\": 2}\n"
	s := suitetest.AllTools(t, config.Config{MaxBytes: 4096}, map[string]string{"x.json": text})
	res := suitetest.Call(t, s, "read", map[string]any{"path": "x.json", "show": "digest"})
	require.Contains(t, res.Text, "The part $.items[2..4999] begins at line 2. Use offset=2 column=15 to read it")
	res = suitetest.Call(t, s, "read", map[string]any{"path": "x.json", "offset": 2, "column": 15})
	require.Regexp(t, `^, 1, 1`, res.Text)
}
