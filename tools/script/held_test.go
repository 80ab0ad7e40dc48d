package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// What a run holds of its calls is within MaxAllBytes, pictures included, and of calls that failed only why.
func TestHeld(t *testing.T) {
	o, err := Options{}.filled()
	require.NoError(t, err)
	r := &run{options: o, failed: map[int]failedCall{}, skips: skips{}}
	picture := tools.Image{MIMEType: "image/png", Data: make([]byte, 5<<20)}
	refused := 0
	for i := range 300 {
		a := &answer{
			request: request{id: i, at: " at <input>:3:1", tool: "read", args: `{"path": "a.png"}`},
			result:  tools.Result{Images: []tools.Image{picture}, Details: tools.ReadResult{Images: []tools.Image{picture}}},
		}
		r.take(a)
		require.Zero(t, a.result)
		if a.failed {
			refused++
			require.Contains(t, string(a.value), "too_large")
		}
	}
	held := int64(0)
	for _, img := range r.images {
		held += int64(len(img.Data))
	}
	require.LessOrEqual(t, held, o.MaxAllBytes)
	require.Equal(t, 300, refused+len(r.images))
	require.Len(t, r.failed, refused)

	args := strings.Repeat("x", 1<<20)
	e := &tools.Error{Code: tools.CodeNotFound, Message: strings.Repeat("no ", 1<<14)}
	for i := range 300 {
		r.take(&answer{request: request{id: 1000 + i, tool: "edit", args: args}, result: failed(e)})
	}
	kept := 0
	for id, call := range r.failed {
		kept += len(fmt.Sprint(id, call.line, call.tool, call.why))
	}
	require.Less(t, kept, 1<<20)
}
