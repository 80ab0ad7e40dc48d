package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// sessionFiles are the files of the recorded session, with their numbers of steps, of four lines each.
var sessionFiles = map[string]int{
	"README.md": 10, "docs/orders.md": 20, "cmd/shop/main.go": 25,
	"order/order.go": 90, "order/refund.go": 70, "order/order_test.go": 80,
	"store/store.go": 85, "store/memory.go": 50, "store/file.go": 35,
	"price/price.go": 55, "price/price_test.go": 35,
	"api/handler.go": 60, "api/routes.go": 20, "api/handler_test.go": 30,
}

// A session of 60 calls, a third of which read again what was shown before, costs at most half with receipts.
func TestSessionWithReceipts(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/session.txt")
	require.NoError(t, err)
	calls := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, calls, 60)
	full, none, _ := runSession(t, calls, config.RepeatFull)
	short, repeats, saved := runSession(t, calls, config.RepeatReceipt)
	t.Logf("%d bytes, %d with %d receipts: %.0f%%", full, short, repeats, float64(100*short)/float64(full))
	require.Zero(t, none)
	require.Equal(t, 20, repeats, "a third")
	require.InDelta(t, full-short, saved, 1, "but for a blank line between files")
	require.LessOrEqual(t, 2*short, full)
}

// runSession returns the bytes of the texts, the number of receipts, and what these say they have saved.
func runSession(t *testing.T, calls []string, repeat config.Repeat) (bytes, receipts, saved int) {
	files := map[string]string{}
	for name, steps := range sessionFiles {
		noun, _, _ := strings.Cut(path.Base(name), ".")
		if _, after, ok := strings.Cut(noun, "_"); ok {
			noun = after
		} else if strings.HasSuffix(name, ".md") {
			noun = "docs"
		}
		var b strings.Builder
		for n := 1; n <= steps; n++ {
			fmt.Fprintf(&b, "\t// %s step %d checks what step %d has left\n\tif err := s.%sStep%d(ctx, total); err != nil {\n"+
				"\t\treturn fmt.Errorf(\"step %d: %%w\", err)\n\t}\n", noun, n, n-1, noun, n, n)
		}
		files[name] = b.String()
	}
	s := newSuite(t, config.Config{Read: config.Read{Repeat: repeat}}, files)
	for _, line := range calls {
		tool, args, _ := strings.Cut(line, " ")
		res, err := s.Call(t.Context(), tool, json.RawMessage(args))
		require.NoError(t, err)
		require.False(t, res.IsError, "%s: %s", line, res.Text)
		bytes += len(res.Text)
		if page, ok := res.Details.(tools.ReadResult); ok && page.Receipt != nil {
			receipts++
			saved += page.Receipt.BytesSaved
		}
	}
	return bytes, receipts, saved
}
