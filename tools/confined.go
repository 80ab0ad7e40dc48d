package tools

import "github.com/spillway-go/spillway/internal/part"

// Sandbox describes what confined a command.
type Sandbox struct {
	Engine      string   `json:"engine"`                // "landlock" or "bwrap"
	ABI         int      `json:"abi,omitempty"`         // Landlock's version in the kernel; 0 with bwrap
	NotEnforced []string `json:"notEnforced,omitempty"` // what it cannot prevent on this system
	Writable    []string `json:"writable,omitempty"`    // other places than the workspace and $TMPDIR
}

// sandboxOf returns what confines a command, or nil if nothing does.
func sandboxOf(c part.Confined) *Sandbox {
	return (*Sandbox)(c.Facts())
}
