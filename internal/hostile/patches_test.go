//go:build linux

package hostile_test

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/patch"
)

// updating is a patch for f, of which each hunk has a number in it.
func updating(n int, hunk func(i int) string) args {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n*** Update File: f\n")
	for i := range n {
		b.WriteString(hunk(i))
	}
	b.WriteString("*** End Patch")
	return args{"patch": b.String()}
}

var patches = []hostile{
	{
		name: "hunks for a file of many lines", build: fill("f", piece{"\t\ta\n", 4_900_000}), opts: config.Config{Tools: config.ToolNames()},
		more: func() []call {
			return []call{
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@ -%d,1 +%d,1 @@\n-\t\ta\n+%d\n", 4000*i+1, i, i) })},
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@ -%d,2 +%d,1 @@\n-a\n-a\n+%d\n", 4000*i+1, i, i) })},
				{tool: "apply_patch", args: updating(1000, func(i int) string { return strings.Repeat("@@ a\n", 10) + fmt.Sprintf("-\t\ta\n+%d\n", i) })},
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@\n%s-b%d\n", strings.Repeat(" a\n", 200), i) })},
			}
		},
	},
	{
		name: "hunks for one long line", build: fill("f", piece{"ab", 9_900_000}), opts: config.Config{Tools: config.ToolNames()},
		more: func() []call {
			return []call{
				{tool: "apply_patch", args: updating(1000, func(i int) string { return fmt.Sprintf("@@ b\n-%s\n+%d\n", strings.Repeat("ab", 1000), i) })},
				{tool: "apply_patch", args: updating(1, func(i int) string { return "@@\n-" + strings.Repeat("ab", patch.MaxBytes/4) + "\n+x\n" })},
			}
		},
	},
	{
		name: "two files as large as they may be", opts: config.Config{Tools: config.ToolNames()},
		build: together(fill("f", piece{"first\n", 1}, piece{"a line of text\n", 1_300_000}, piece{"last\n", 1}),
			fill("g", piece{"first\n", 1}, piece{"a line of text\n", 1_300_000}, piece{"last\n", 1})),
		calls: []call{{tool: "apply_patch", args: args{"patch": "*** Begin Patch\n*** Update File: f\n@@\n-first\n+1\n@@\n-last\n+2\n*** Update File: g\n@@\n-first\n+1\n@@\n-last\n+2\n*** End Patch"}}},
	},
	{
		name: "patches of megabytes", opts: config.Config{Tools: config.ToolNames()},
		more: func() (calls []call) {
			for _, text := range []string{
				strings.Repeat("\n", patch.MaxBytes), strings.Repeat("```\n", patch.MaxBytes/4), strings.Repeat("<<EOF\n", patch.MaxBytes/6),
				"*** Begin Patch\n*** Update File: f\n" + strings.Repeat("@@ a\n", 240_000), "*** Begin Patch\n" + strings.Repeat("*** Delete File: f\n", 200_000),
				strings.Repeat("--- a\n+++ b\n", 120_000), "*** Begin Patch\n*** Add File: x\n+" + strings.Repeat("x", patch.MaxBytes-100) + "\n*** End Patch",
			} {
				calls = append(calls, call{tool: "apply_patch", args: args{"patch": text}})
			}
			return calls
		},
	},
}
