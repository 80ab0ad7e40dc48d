package tools

import (
	"context"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/session"
)

// startState returns the state in which a command starts, and the run of Bash.Setup that it comes from, or nil.
func (s *shell) startState(ctx context.Context) (*session.State, *setupRun, error) {
	if s.setup == nil {
		return s.state.Load(), nil, nil
	}
	run, err := s.setup.current(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.redact.Refresh() // it may have set credentials
	return s.state.Load().Over(run.state), run, nil
}

// toldOf returns what is to be told of a run of Bash.Setup: once to the readers of a suite or a view.
func (s *shell) toldOf(run *setupRun) notice.Notice {
	if run == nil || s.toldSetup.Swap(run) == run {
		return ""
	}
	said := run.said(s.cfg.Bash.SetupFiles, s.redact)
	if run.again && s.cfg.Bash.KeepState {
		said = notice.Join(said, notice.SetupAgain)
	}
	return said
}
