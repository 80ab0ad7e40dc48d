// Package all has every part that tools.New takes. What a program adds to a suite by itself, tools/record and tools/script,
// is not among them.
package all

import (
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/notebook"
	"github.com/spillway-go/spillway/tools/patch"
	"github.com/spillway-go/spillway/tools/permission"
	"github.com/spillway-go/spillway/tools/redaction"
	"github.com/spillway-go/spillway/tools/sandbox"
)

// Parts returns all parts, for tools.New.
func Parts() []tools.Part {
	return []tools.Part{notebook.Part(), patch.Part(), permission.Part(), redaction.Part(), sandbox.Part()}
}
