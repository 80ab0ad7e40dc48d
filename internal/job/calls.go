package job

import "sync"

// Calls has the calls that run, by their ids. Its zero value has none. It is safe for concurrent use.
type Calls struct {
	mu   sync.Mutex
	byID map[string]*Caller // those that share an id are linked
}

// Caller is a call that runs.
type Caller struct {
	ID, Tool string

	// Calls.mu guards these.
	same    *Caller
	command *Job // that it has started
}

// Add adds a call. The caller removes it at its end.
func (r *Calls) Add(c *Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[string]*Caller{}
	}
	c.same, r.byID[c.ID] = r.byID[c.ID], c
}

// Remove removes a call.
func (r *Calls) Remove(c *Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.byID[c.ID]
	if first == c {
		if r.byID[c.ID] = c.same; c.same == nil {
			delete(r.byID, c.ID)
		}
		return
	}
	for ; first != nil; first = first.same {
		if first.same == c {
			first.same = c.same
		}
	}
}

// Start notes the command that a call of bash of that id starts.
func (r *Calls) Start(id string, j *Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := r.byID[id]; c != nil; c = c.same {
		if c.Tool == "bash" && c.command == nil {
			c.command = j
			return
		}
	}
}

// Find returns the commands of the calls of that id. If there is none, it returns the tool of one of the calls, or "".
func (r *Calls) Find(id string) (commands []*Job, tool string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := r.byID[id]; c != nil; c = c.same {
		if c.command != nil {
			commands = append(commands, c.command)
		}
		if tool != "bash" {
			tool = c.Tool
		}
	}
	return commands, tool
}
