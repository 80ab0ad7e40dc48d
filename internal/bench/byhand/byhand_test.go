package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/testkit/shop"
	"github.com/stretchr/testify/require"
)

// The calls still end in the answers, in at most forty, by default and with the options.
func TestOurs(t *testing.T) {
	t.Chdir("..")
	dir := t.TempDir()
	require.NoError(t, shop.Build(dir, megabytes))
	for name, set := range map[string]map[string]string{"by default": nil, "with options": options} {
		t.Run(name, func(t *testing.T) {
			tasks, err := replayOurs(dir, name, set)
			require.NoError(t, err)
			calls, bytes := cost(tasks...)
			require.Len(t, tasks, 20)
			require.LessOrEqual(t, calls, 40)
			pi, err := load(piFile)
			require.NoError(t, err)
			_, theirs := cost(pi...)
			require.Less(t, bytes, theirs)
		})
	}
}

// A call whose text does not answer the question is told, and which question it was.
func TestUnanswered(t *testing.T) {
	tasks := []task{{question: "the price", answer: "7,50", calls: []call{{tool: "read", args: "{}"}}}}
	text := "crème brûlée 8,50"
	read := func(string, string) (string, error) { return text, nil }
	require.ErrorContains(t, replay("ours", tasks, read), "the price: no 7,50 in the last text")
	text = "crème brûlée 7,50"
	require.NoError(t, replay("ours", tasks, read))
	calls, bytes := cost(tasks...)
	require.Equal(t, []int{1, 2 + len(text)}, []int{calls, bytes})
}

// Both did the same tasks, and the page shows of the table what differs.
func TestTable(t *testing.T) {
	ours, err := load("ours.txt")
	require.NoError(t, err)
	pi, err := load("pi.txt")
	require.NoError(t, err)
	require.Len(t, pi, len(ours))
	for i := range ours {
		require.Equal(t, ours[i].question, pi[i].question)
	}
	all, err := os.ReadFile("measured.md")
	require.NoError(t, err)
	shown, err := section.Read(filepath.Join("..", page), "byhand")
	require.NoError(t, err)
	for line := range strings.Lines(shown) {
		require.Contains(t, string(all), line)
	}
	_, err = load("main.go")
	require.ErrorContains(t, err, "not a call of a task")
}
