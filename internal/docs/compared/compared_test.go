package compared_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/compared"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// pages are what the part is made of.
var pages = map[string]string{
	"README.md": "<!-- compared -->\n<!-- /compared -->\n",
	"docs/performance.md": `<!-- peers -->
| suite | version | limits | idle, MiB | program, MB | with the SDK, MB |
|---|---|---|---|---|---|
| Spillway | this one | some | 13 | 9.1 | 17.2 |
| agenttoolset | v9 | some | 11 | 15.3 | 15.4 |
| pi-coding-agent | 8 | some | 126 | – | – |
| naive | – | none | 11 | 2.1 | 14.2 |

| suite | bounded | recoverable | valid UTF-8 | process left behind |
|---|---|---|---|---|
| Spillway | 2 of 2 | 3 of 3 | 1 of 1 | 0 of 2 |
| agenttoolset | 1 of 2 | 2 of 3 | 1 of 1 | 1 of 2 |
| pi-coding-agent | 1 of 2 | 1 of 3 | 1 of 1 | 2 of 2 |
| naive | 0 of 2 | 0 of 3 | 1 of 1 | waits for it |
<!-- /peers -->
`,
	"internal/bench/peers/measured.md": "<!-- costs -->\n" +
		"| bash: `seq 1 12400000`, 100 MB | **128**, 18 | 4041, 17 | 529, 173 | 246, 429 |\n" +
		"| grep: 7 matches in 20000 files | **55.7**, 18 | 83.8, 12 | – | 90.9, 12 |\n" +
		"| bash: `echo hi` | 2.14, 14 | **0.53**, 12 | 3.68, 130 | 1.62, 12 |\n" +
		"| read: 200 MB log, its first page | 35.2, 17 | **0.31**, 16 | 1208, 954 | 146, 823 |\n" +
		"| to the model | a | b | c | d |\n<!-- /costs -->\n",
	"docs/truncation.md": "<!-- parts -->\n" +
		"| unseen | pi-coding-agent, 2000 lines or 50 KB | 41% | 15497 | 50143 | 26 | 37 | – |\n" +
		"| unseen | agenttoolset, 100 KB | 78% | 27402 | 50143 | 26 | 37 | – |\n" +
		"| unseen | `tail`, 2000 lines or 30 KB, and what stands out | 68% | 9601 | 50143 | 26 | 37 | 19 |\n<!-- /parts -->\n",
}

const want = `The tools of Anthropic's Go SDK (` + "`tools/agenttoolset`" + ` v9), of pi
(` + "`@earendil-works/pi-coding-agent` 8), and `os.ReadFile` and `bash -c`" + ` alone:

| | Spillway | agenttoolset | pi | no suite |
|---|---|---|---|---|
| [lines that say what failed](docs/truncation.md#what-a-cut-shows), in so many tokens | 68% in 9,601 | 78% in 27,402 | 41% in 15,497 | 100% in 50,143 |
| the rest can be fetched as the text says | 3 of 3 | 2 of 3 | 1 of 3 | 0 of 3 |
| processes left behind | 0 of 2 | 1 of 2 | 2 of 2 | waits for it |
| what commands changed can be put back | [with a part](docs/checkpoint.md) | no | no | no |
| 100 MB of output: time, memory | 128 ms, 18 MiB | 4041 ms, 17 MiB | 529 ms, 173 MiB | 246 ms, 429 MiB |
| 7 matches in 20,000 files | 55.7 ms | 83.8 ms | – | 90.9 ms |
| a program with the tools; with Anthropic's SDK too | 9.1 MB; 17.2 MB | 15.3 MB; 15.4 MB | – | 2.1 MB; 14.2 MB |

Spillway loses where it starts a shell for each command (` + "`echo hi`" + `: 2.14 ms, agenttoolset 0.53 ms), where it counts the
lines of a log for its first page (200 MB: 35.2 ms, agenttoolset 0.31 ms), and in what it adds to a program with
Anthropic's SDK.
`

func TestWrite(t *testing.T) {
	root := t.TempDir()
	for name, text := range pages {
		testkit.WriteFile(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	require.NoError(t, compared.Write(root))
	got, err := section.Read(filepath.Join(root, "README.md"), "compared")
	require.NoError(t, err)
	require.Equal(t, want, got)

	page := filepath.Join(root, "docs", "performance.md")
	require.NoError(t, os.WriteFile(page, []byte(strings.Replace(pages["docs/performance.md"], "| agenttoolset | v9", "| other | v9", 1)), 0o600))
	require.ErrorContains(t, compared.Write(root), "of the row agenttoolset")
	require.NoError(t, os.Remove(page))
	require.ErrorIs(t, compared.Write(root), os.ErrNotExist)
}
