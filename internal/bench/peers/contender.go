package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/bench/peers/programs/serve"
)

// A contender is a suite of tools that takes part. It runs in a process of its
// own, which answers a JSON line for each JSON line, and the text behind it if that
// is wanted.
type contender struct {
	id      string // as in the tables of calls
	name    string // as in the report
	version string
	limits  string                       // its defaults, in words
	command func(dir string) *exec.Cmd   // starts the process, for the tools over dir
	runtime string                       // the program that runs it, "" if it is one itself
	program megabytes                    // sizes of programs that have its tools
	rest    float64                      // MiB of the process before the first call
	note    func(scenario string) string // what to say of a scenario, if anything
}

// call is a tool call in the contender's own words.
type call struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// with is the call with one argument changed.
func (c call) with(key string, value any) call {
	args := maps.Clone(c.Args)
	args[key] = value
	return call{c.Tool, args}
}

// request is a call as it is sent.
type request struct {
	call
	Text bool `json:"text"` // the text is wanted, not only its length
}

// reply is what a call gave.
type reply = serve.Reply

// process is a contender that runs.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err bytes.Buffer
}

// patience is how long a call may take: none here should.
const patience = 3 * time.Minute

// start starts a contender and waits until it is ready.
func start(c *contender, dir string) (*process, error) {
	p := &process{cmd: c.command(dir)}
	p.cmd.Stderr = &p.err
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", c.name, err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	if _, err := p.answer(false); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is not ready: %w", c.name, err), p.close())
	}
	return p, nil
}

// call makes a call. The text comes along only if it is wanted: of the calls that
// are measured, carrying it over would take memory that the tool does not.
func (p *process) call(c call, text bool) (reply, error) {
	data, err := json.Marshal(request{c, text})
	if err != nil {
		return reply{}, err
	}
	if _, err := p.in.Write(append(data, '\n')); err != nil {
		return reply{}, fmt.Errorf("%s %v: %w: %s", c.Tool, c.Args, err, p.err.Bytes())
	}
	r, err := p.answer(text)
	if err != nil {
		return r, fmt.Errorf("%s %v: %w", c.Tool, c.Args, err)
	}
	return r, nil
}

func (p *process) answer(text bool) (r reply, err error) {
	late := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	defer late.Stop()
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	if err == nil && text {
		r.Text = make([]byte, r.Bytes)
		_, err = io.ReadFull(p.out, r.Text)
	}
	if err != nil {
		return r, fmt.Errorf("no answer: %w: %s", err, p.err.Bytes())
	}
	return r, nil
}

// close lets the contender end what it wants to end, and waits for it.
func (p *process) close() error {
	p.in.Close()
	late := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	defer late.Stop()
	return p.cmd.Wait()
}

// peak is the most memory that the process had, in MiB. Processes that it started
// are not in it.
func (p *process) peak() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("peak memory needs Linux's /proc: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kib float64
			_, err := fmt.Sscan(rest, &kib)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("no VmHWM in /proc/%d/status", p.cmd.Process.Pid)
}
