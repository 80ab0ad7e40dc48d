package readonly

import "strings"

// Listed is an option of the table.
type Listed struct {
	Command string // sort, or git log
	Option  string
	Does    string // what it does, if it is not harmless
	Takes   string // "", "value" or "optional"
	Exact   bool
}

// Table returns the options of the table.
func Table() (all []Listed) {
	seen := map[*program]bool{}
	for _, table := range []map[string]*program{programs(), networked()} {
		for _, p := range table {
			if !seen[p] {
				seen[p] = true
				all = p.list(p.name, all)
			}
		}
	}
	return all
}

func (p *program) list(command string, all []Listed) []Listed {
	for _, h := range p.harms {
		all = append(all, Listed{Command: command, Option: h.option, Does: h.does, Exact: p.exact})
	}
	for o, k := range p.long {
		all = append(all, Listed{Command: command, Option: o, Takes: k.String(), Exact: p.exact})
	}
	for letter, k := range p.short {
		if k != unknown {
			o := "-" + string(rune(letter))
			all = append(all, Listed{Command: command, Option: o, Takes: k.String(), Exact: p.exact})
		}
	}
	for name, s := range p.subs {
		all = s.list(command+" "+name, all)
	}
	return all
}

func (k kind) String() string {
	return strings.Fields("unknown flag optional value value")[k]
}
