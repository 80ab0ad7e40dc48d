package job

import (
	"slices"
	"sync"
)

// Calls has the calls that run. Its zero value has none. It is safe for concurrent use.
type Calls struct {
	mu  sync.Mutex
	all []*Caller // in the order of their starts; several may share an id
}

// Caller is a call that runs.
type Caller struct {
	ID, Tool string
	command  *Job // that it has started; Calls.mu guards it
}

// Add adds a call. The caller removes it at its end.
func (r *Calls) Add(c *Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, c)
}

// Remove removes a call.
func (r *Calls) Remove(c *Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.all, c); i >= 0 {
		r.all = slices.Delete(r.all, i, i+1)
	}
}

// Start notes the command that a call of bash of that id starts.
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

// Find returns the commands of the calls of that id. If there is none, it returns the tool of one of the calls, or "".
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
