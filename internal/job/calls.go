package job

import (
	"slices"
	"sync"
)

// Calls is the set of running calls. Its zero value is empty. It is safe for concurrent use.
type Calls struct {
	mu  sync.Mutex
	all []*Caller // in the order of their starts; several may share an id
}

type Caller struct {
	ID, Tool string
	command  *Job // started by the call; guarded by Calls.mu
}

// Add adds a call. The caller removes it at its end.
func (r *Calls) Add(c *Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, c)
}

func (r *Calls) Remove(c *Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.all, c); i >= 0 {
		r.all = slices.Delete(r.all, i, i+1)
	}
}

// Start records the command that a bash call with an id starts.
func (r *Calls) Start(id string, j *Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range slices.Backward(r.all) {
		if c.ID == id && c.Tool == "bash" && c.command == nil {
			c.command = j
			return
		}
	}
}

// Find returns the commands of the calls with an id. If there is none, it returns the tool of one of the calls, or "".
func (r *Calls) Find(id string) (commands []*Job, tool string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range slices.Backward(r.all) {
		if c.ID != id {
			continue
		}
		if c.command != nil {
			commands = append(commands, c.command)
		}
		if tool != "bash" {
			tool = c.Tool
		}
	}
	return commands, tool
}
