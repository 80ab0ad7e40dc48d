package mcptools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/truncation"
)

// serving connects a client of a revision of the protocol to a server of a suite.
func serving(t *testing.T, cfg config.Config, revision string) (*mcp.ClientSession, *tools.Suite) {
	t.Helper()
	cfg.Workspace = t.TempDir()
	suite, err := tools.New(cfg, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { suite.Close() })
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcptools.Add(server, suite, nil)
	here, there := mcp.NewInMemoryTransports()
	go server.Run(context.Background(), there)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here,
		&mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	return session, suite
}

// A result whose output was cut links to all of it, for people, and the link can be read.
func TestLinks(t *testing.T) {
	t.Parallel()
	needBash(t)
	for revision, links := range map[string]int{"2025-03-26": 0, "2025-06-18": 1, "2025-11-25": 1, "2026-07-28": 1} {
		session, _ := serving(t, config.Config{}, revision)
		if res := invoke(t, session, "bash", `{"command": "seq 3"}`); len(res.Content) != 1 || res.Meta["details"] != nil {
			t.Errorf("%s: an output that is shown whole: %+v", revision, res)
		}
		res := invoke(t, session, "bash", `{"command": "seq 5000"}`)
		require.Len(t, res.Content, 1+links, revision)
		if links == 0 {
			continue
		}
		link, ok := res.Content[1].(*mcp.ResourceLink)
		if !ok || link.Annotations == nil || len(link.Annotations.Audience) != 1 || link.Annotations.Audience[0] != "user" || !strings.Contains(textOf(t, res), link.Name) {
			t.Fatalf("%s: %+v", revision, res.Content[1])
		}
		out, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link.URI})
		if err != nil || strings.Count(out.Contents[0].Text, "\n") != 5000 || out.Contents[0].URI != link.URI || out.TTLMs != 0 {
			t.Errorf("%s: %v", revision, err)
		}
	}
}

// Only full outputs are resources, and only up to a bound. What is no text comes as bytes.
func TestOutputsAreConfined(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	needBash(t)
	session, suite := serving(t, config.Config{}, "")
	dir := filepath.Join(suite.Workspace(), ".clarvis")
	name := func(command string) string {
		res := invoke(t, session, "bash", `{"command": "`+command+`"}`)
		return res.Content[1].(*mcp.ResourceLink).URI
	}
	read := func(uri string) (*mcp.ReadResourceResult, error) {
		return session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	}
	invoke(t, session, "write", `{"path": "a.txt", "content": "old\n"}`)
	invoke(t, session, "write", `{"path": "a.txt", "content": "new\n"}`)
	copies, err := filepath.Glob(filepath.Join(dir, "before-*.log"))
	if err != nil || len(copies) != 1 {
		t.Fatal(copies, err)
	}
	whole := name("head -c 1048576 /dev/zero | tr '\\\\0' '\\\\n'")
	require.NoError(t, os.Symlink("../a.txt", filepath.Join(dir, "bash-23456bcd.log")))
	const prefix = "spillway://output/"
	for _, uri := range []string{
		prefix, prefix + ".", prefix + "..", prefix + "../a.txt", prefix + "..%2Fa.txt", prefix + "%2e%2e%2fa.txt", prefix + `..\a.txt`,
		prefix + "a.txt", prefix + filepath.Base(copies[0]), prefix + "bash-23456bcd.log", prefix + "bash-99999zzz.log",
		"spillway://output", "file://" + dir + "/" + strings.TrimPrefix(whole, prefix), strings.TrimPrefix(whole, prefix), "",
	} {
		if out, err := read(uri); err == nil {
			t.Errorf("%q was read: %+v", uri, out)
		}
	}
	if out, err := read(whole); err != nil || len(out.Contents[0].Text) != 1<<20 {
		t.Errorf("an output of 1 MiB: %v", err)
	}
	if _, err := read(name("head -c 1048577 /dev/zero | tr '\\\\0' '\\\\n'")); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("one that is larger: %v", err)
	}
	if out, err := read(name("head -c 40000 /dev/zero | tr '\\\\0' '\\\\377'")); err != nil || len(out.Contents[0].Blob) != 40000 || out.Contents[0].Text != "" {
		t.Errorf("one that is no text: %v", err)
	}
}

// Only tools whose limits are raised say how much their results may hold.
func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		maxBytes int
		want     any
	}{
		{0, nil}, {50_000 - 1024, nil}, {50_001 - 1024, 50_001.}, {200 << 10, 205_824.}, {1 << 20, 500_000.},
	} {
		session, suite := serving(t, config.Config{MaxBytes: tt.maxBytes, Ls: config.Ls{MaxBytes: 4096}}, "")
		require.NoError(t, suite.Add(fake{name: "added"}))
		list, err := session.ListTools(t.Context(), nil)
		require.NoError(t, err)
		for _, tool := range list.Tools {
			want := tt.want
			switch tool.Name {
			case "ls", "write", "edit", "added": // which have limits of their own, and what has none of ours
				want = nil
			}
			if got := tool.Meta["anthropic/maxResultSizeChars"]; got != want {
				t.Errorf("%d bytes: %s says %v, want %v", tt.maxBytes, tool.Name, got, want)
			}
		}
	}
}

// A tool that changes nothing may still do something else each time it is called, unless it is the library's.
func TestIdempotent(t *testing.T) {
	tool, _ := mcptools.Tool(looking{fake{name: "read"}}, nil)
	require.True(t, tool.Annotations.ReadOnlyHint, "%+v", tool.Annotations)
	require.False(t, tool.Annotations.IdempotentHint, "%+v", tool.Annotations)
}

// looking is a tool without effects but reading.
type looking struct{ tools.Tool }

func (looking) Effects() config.Effects { return config.Effects{Reads: true} }

// Of the log that another program's server sends, the model sees the line that failed. The suite has all of it.
func TestDigestOfForeignLog(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 50_000 {
		if i == 12_345 {
			log.WriteString("ERROR checkout: payment refused: card expired\n")
		}
		fmt.Fprintf(&log, "INFO checkout: order %d paid in %d ms\n", i, i%97)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "foreign", Version: "1"}, nil)
	logs := &mcp.Tool{Name: "logs", InputSchema: json.RawMessage(`{"type": "object"}`)}
	server.AddTool(logs, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: log.String()}}}, nil
	})
	list, _, _ := connectTo(t, server)

	suite := suiteOf(t, tools.Truncate(list[0], truncation.Policy{Strategy: truncation.Digest}))
	res, err := suite.Call(t.Context(), "logs", []byte(`{}`))
	require.NoError(t, err)
	require.LessOrEqual(t, len(res.Text), truncation.DigestBytes)
	for _, want := range []string{
		"\nERROR checkout: payment refused: card expired\n", `lines like "INFO checkout: order `, ". Full output: .clarvis/tool-",
	} {
		assert.Contains(t, res.Text, want)
	}
	details := res.Details.(tools.TruncatedDetails)
	require.Len(t, details.Standout, 1)
	require.Equal(t, 12_346, details.Standout[0].Number, "%+v stands out", details.Standout)
	whole := fmt.Sprintf(`{"path": %q, "offset": 12346, "limit": 1}`, details.FullOutputPath)
	if res, err := suite.Call(t.Context(), "read", []byte(whole)); err != nil || !strings.HasPrefix(res.Text, "ERROR checkout") {
		t.Errorf("%v, %s", err, res.Text)
	}
}
