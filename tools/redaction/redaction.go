// Package redaction replaces secrets by placeholders in all that a suite shows, reports or keeps: the values of variables
// that commands do not get, those of Config.RedactValues, and credentials of a known kind. Hand [Part] to tools.New, and
// to record.Open if there is a record; without it, both refuse Config.Redact.
//
// It adds 0.3 MB to a program. It does not change files of the workspace, the copies that undo keeps of them, or
// what Guard, Ask and Rules get. Commands do not get the host's credentials in any case, with or without the part.
// docs/redaction.md has the kinds, and what the tools do around a secret.
package redaction

import (
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/tools"
)

// Part returns the part, for tools.New and record.Open.
func Part() tools.Part {
	return tools.Part{Path: "tools/redaction", Mask: redact.For}
}
