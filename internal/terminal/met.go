package terminal

// Met counts what a [Filter] met in a raw output that texts do not have. The content of escape sequences does not
// count.
type Met struct {
	NULs     int64 // NUL bytes
	Runs     int64 // NUL bytes directly after another one
	Controls int64 // other control characters without effect in a line, except those that ring, feed, escape or end
	Invalid  int64 // bytes that are not valid UTF-8
	First    int64 // offset of the first of these in the output
}

// Any reports whether the output was more than text.
func (m Met) Any() bool { return m.NULs+m.Controls+m.Invalid > 0 }

// TakeMet returns what was met since the last call.
func (f *Filter) TakeMet() Met {
	met := f.met
	f.met = Met{}
	return met
}

// Met returns what was met since the last TakeMet.
func (f *Filter) Met() Met { return f.met }

func (f *Filter) meetInvalid(at int64) {
	if f.met.Invalid++; f.met.Invalid == 1 {
		f.met.First = at
	}
}

func (f *Filter) meetControl(c byte, at int64) {
	switch c {
	case 0:
		f.met.NULs++
		if f.lastNUL == at && at > 0 {
			f.met.Runs++
		}
		f.lastNUL = at + 1
	case '\a', '\b', '\v', '\f', '\r', shiftOut, shiftIn, subByte:
	default:
		f.met.Controls++
	}
}

// Programs for terminals print these to change the character set.
const (
	shiftOut = 0x0e
	shiftIn  = 0x0f
)
