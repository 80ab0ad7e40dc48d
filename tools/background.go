package tools

// Background makes a job of the running command of a call of bash, as its timeout does with [config.OnTimeoutBackground]:
// the call returns what was printed so far, and the model is told that the user did that. callID is that of
// [WithCallID], or of the events of the call. When Background returns nil, the command is a job, which Jobs lists. If a
// tool has made several calls with the id, all their commands become jobs.
//
// The error is an [*Error]. Its code is [CodeNotFound] if no call of that id is running, or if its command has ended;
// [CodeInvalidInput] if the call is not of bash; [CodeStale] if its command has not started yet, as while the guard is
// asked; and [CodeDenied] if the command is a job already, if as many jobs run as may, or if the suite does not have the
// tools bash and job, or is closed.
func (s *Suite) Background(callID string) error {
	if s.isClosed() {
		return errorf(CodeDenied, "the suite is closed")
	}
	if s.shell.jobs == nil {
		return errorf(CodeDenied, "this suite has no jobs: for them it needs the tools bash and job")
	}
	commands, tool := s.calls.Find(callID)
	switch {
	case len(commands) > 0:
	case tool == "bash":
		return errorf(CodeStale, "the command of the call %s has not started yet. Try again when it runs", show(callID))
	case tool != "":
		return errorf(CodeInvalidInput, "the call %s is one of %s: only a command of bash can go to the background",
			show(callID), show(tool))
	default:
		if j := s.shell.jobs.StartedBy(callID); j != nil {
			return failure(j.Already(), "")
		}
		return errorf(CodeNotFound, "there is no running call %s. It has ended, or has another id: see "+
			"tools.WithCallID", show(callID))
	}
	var failed error
	moved := false
	for _, j := range commands {
		if err := j.Background(); err == nil {
			moved = true
		} else if failed == nil {
			failed = failure(err, "")
		}
	}
	if moved {
		return nil
	}
	return failed
}
