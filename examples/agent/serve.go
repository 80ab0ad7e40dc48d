package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

// servePrompt is the task that serve does.
const servePrompt = "Start the greeter, see that it greets me, Ada, while its tests run, and stop it."

// serve works with commands that go on. It waits for each once, for what it needs of it.
type serve struct {
	script

	server, tests int // the numbers of the jobs
}

func newServe() *serve {
	s := &serve{}
	s.step = s.start
	return s
}

// The greeter takes a name from one FIFO and greets it in another, and its test, which
// greets nobody before the user was greeted, does so with two names.
const (
	greeter = `mkfifo ask answer && echo "listening on ask"
while read name <ask; do echo "asked by $name"; echo "Hello, $name." >answer; done`
	greeterTest = `echo "2 tests"; until [ -e greeted ]; do sleep 0.1; done
for name in Grace Edsger; do
	echo $name >ask; read line <answer
	[ "$line" = "Hello, $name." ] && echo "ok $name" || exit 1
done`
)

// serveWorkspace makes a directory for the FIFOs, which the caller removes.
func serveWorkspace() (string, error) { return os.MkdirTemp("", "spillway-agent-") }

// The turns, in order, as those of survey.

func (s *serve) start(string) loop.Reply {
	return s.call("I start the greeter, and go on when it listens.", "bash",
		tools.BashParams{Command: greeter, Background: true, ReadyWhen: "^listening"}, s.started)
}

// job is the number of the job that a notice names, or 0.
func job(result string) int { return number(`\bJob (\d+) is running`, result) }

func (s *serve) started(result string) loop.Reply {
	if s.server = job(result); s.server == 0 {
		return give("The greeter does not start:", result)
	}
	return s.call(fmt.Sprintf("It listens, as job %d. I start its tests.", s.server), "bash",
		tools.BashParams{Command: greeterTest, Background: true, ReadyWhen: "tests$"}, s.testing)
}

func (s *serve) testing(result string) loop.Reply {
	if s.tests = job(result); s.tests == 0 {
		return give("The tests do not start:", result)
	}
	return s.call(fmt.Sprintf("They run, as job %d. Meanwhile I ask the greeter.", s.tests), "bash",
		tools.BashParams{Command: "echo Ada >ask; read line <answer; echo $line | tee greeted"}, s.greeted)
}

func (s *serve) greeted(result string) loop.Reply {
	if !strings.HasPrefix(result, "Hello, Ada.") {
		return give("It does not greet you:", result)
	}
	return s.call("One call waits for the end of the tests, however long they take.", "job",
		tools.JobParams{ID: s.tests, WaitMs: 600_000}, s.tested)
}

func (s *serve) tested(result string) loop.Reply {
	if !strings.Contains(result, fmt.Sprintf("[Job %d exited with code 0", s.tests)) {
		return give("The tests fail:", result)
	}
	return s.call("They pass. I stop the greeter, and see what it has printed.", "job",
		tools.JobParams{ID: s.server, Signal: "terminate"}, s.stopped)
}

func (s *serve) stopped(result string) loop.Reply {
	if !strings.Contains(result, "ended by signal SIGTERM (sent by this call)") {
		return give("It does not stop:", result)
	}
	return loop.Reply{Text: fmt.Sprintf("The greeter greeted you and passed its tests. It was asked %d times, and does not run any more.", strings.Count(result, "asked by "))}
}
