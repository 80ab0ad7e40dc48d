package calls_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// orders is a JSON document of 2,000 orders, of which one failed.
func orders(separator string) string {
	var list []string
	for i := range 2000 {
		state := "paid"
		if i == 1500 {
			state = "refused"
		}
		list = append(list, fmt.Sprintf(`{"id":%d,"state":%q}`, i, state))
	}
	return `{"orders":[` + strings.Join(list, ","+separator) + "]}\n"
}

// A document on one line is saved as it is and with a line for each value, and what the notice says leads there.
func TestDocumentOnOneLine(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	text := orders("")
	res, err := inSuite(t, s, says(text), truncation.Policy{Strategy: truncation.JSON}).Call(t.Context(), nil)
	require.NoError(t, err)
	checkDocument(t, s, text, res.Text, res.Details.(tools.TruncatedDetails).FullOutputPath, res.Details.(tools.TruncatedDetails).PrettyPath)
}

func TestDocumentOfBash(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"orders.json": orders(""), "lines.json": orders("\n")})
	res := call(t, s, "bash", tools.BashParams{Command: "cat orders.json", Show: "digest"})
	r := res.Details.(tools.BashResult)
	pretty := strings.TrimPrefix(res.Text[strings.Index(res.Text, "a line for each value: "):], "a line for each value: ")
	checkDocument(t, s, orders(""), res.Text, r.FullOutputPath, pretty[:strings.Index(pretty, ".log")+4])

	res = call(t, s, "bash", tools.BashParams{Command: "cat lines.json", Show: "digest"})
	require.NotContains(t, res.Text, "a line for each value")
	require.Regexp(t, `\[`+suitetest.FullOutput(`\S+\.log`)+`\. The part \$\.orders\[2\.\.1499\] begins at line 2\. Use offset=2 to read it, grep, or jq '\.orders\[2:1500\]'\]$`, res.Text)

	res = call(t, s, "read", tools.ReadParams{Path: "lines.json", Show: "digest"})
	require.Contains(t, res.Text, `{"id": 1500, "state": "refused"}`)
	require.Contains(t, res.Text, "$.orders[2..1499] begins at line 2. Use offset=2 to read it")
}

func checkDocument(t *testing.T, s *tools.Suite, text, shown, full, pretty string) {
	body, said, found := strings.Cut(shown, "\n\n[")
	require.True(t, found, shown)
	require.True(t, json.Valid([]byte(body)), body)
	require.Contains(t, body, `{"id": 1500, "state": "refused"}`)
	require.Regexp(t, `^`+suitetest.FullOutput(``)+full+`\. The same with a line for each value: `+pretty+
		`\. In that file \$\.orders\[2\.\.1499\] begins at line 11\. Use offset=11 to read it, grep, or jq '\.orders\[2:1500\]'\]$`, said)
	raw, err := os.ReadFile(filepath.Join(s.Workspace(), full))
	require.NoError(t, err)
	require.Equal(t, text, string(raw))

	read := call(t, s, "read", tools.ReadParams{Path: pretty, Offset: 11, Limit: 2})
	require.Contains(t, read.Text, `"id": 2,`)
	require.Contains(t, call(t, s, "grep", tools.GrepParams{Path: pretty, Pattern: "refused"}).Text, `"state": "refused"`)
}
