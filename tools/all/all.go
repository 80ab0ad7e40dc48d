// Package all has every part of which a program needs nothing but that a suite has it. That of tools/checkpoint is not
// among them, as the program keeps what takes checkpoints and puts them back, and neither is what a program adds to a
// suite by itself: tools/record and tools/script.
package all

import (
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/notebook"
	"github.com/spillway-go/spillway/tools/patch"
	"github.com/spillway-go/spillway/tools/permission"
	"github.com/spillway-go/spillway/tools/redaction"
	"github.com/spillway-go/spillway/tools/sandbox"
)

// Parts returns these parts, for tools.New.
func Parts() []tools.Part {
	return []tools.Part{notebook.Part(), patch.Part(), permission.Part(), redaction.Part(), sandbox.Part()}
}
