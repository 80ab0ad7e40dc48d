package tools

import (
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Without this file, and the folder internal/sandbox, suites have no sandbox.
func init() { confine = confineInSandbox }

func confineInSandbox(cfg config.Config, ws *workspace.Workspace, procs *proc.Group) (confinement, []string, error) {
	box, err := sandbox.Confine(cfg, ws, procs.Run)
	if box == nil {
		return unconfined{}, cfg.Bash.Env, err
	}
	return boxed{box}, box.Environ(cfg.Bash.Env), nil
}

// boxed is a sandbox as the confinement of a suite.
type boxed struct{ *sandbox.Sandbox }

func (b boxed) facts() *Sandbox {
	now := Sandbox(b.Now())
	return &now
}
