package quickjs

import (
	"crypto/rand"
	"encoding/binary"
	"time"
)

// imports are the functions that QuickJS calls.
type imports struct{ vm *VM }

func (i imports) Xhost_call(name, size, _, n, list int32) int32 {
	m := i.vm.m
	f := i.vm.host[string(m.memory[name:][:size])]
	args := make([]Value, n)
	for k := range args {
		args[k] = Value(binary.LittleEndian.Uint32(m.memory[int(list)+4*k:]))
	}
	v, err := i.vm.made(f(args))
	if err != nil {
		panic(trap{err})
	}
	return int32(v)
}

func (i imports) Xhost_promise_rejection(promise, reason, handled int32) {
	i.vm.rejects(Value(promise), Value(reason), handled != 0)
}

// Xhost_interrupt is not called: what the engine does is stopped from outside.
func (i imports) Xhost_interrupt() int32 { return 0 }

// There are no modules.
func (i imports) Xhost_module_normalize(_, _ int32) int32 { return 0 }
func (i imports) Xhost_module_load(_, _ int32) int32      { return 0 }

// Xhost_get_timezone_offset returns seconds east of UTC at a time, which comes in two halves.
func (i imports) Xhost_get_timezone_offset(high, low int32) int32 {
	_, offset := time.Unix(int64(high)<<32|int64(uint32(low)), 0).Zone()
	return int32(offset)
}

// Results of WASI's functions.
const (
	success       = 0
	badDescriptor = 8
)

func (i imports) Xclock_time_get(_ int32, _ int64, at int32) int32 {
	binary.LittleEndian.PutUint64(i.vm.m.memory[at:], uint64(time.Now().UnixNano()))
	return success
}

func (i imports) Xrandom_get(at, n int32) int32 {
	_, _ = rand.Read(i.vm.m.memory[at:][:n]) // it never fails
	return success
}

// There are no files.
func (i imports) Xfd_close(int32) int32                       { return badDescriptor }
func (i imports) Xfd_fdstat_get(_, _ int32) int32             { return badDescriptor }
func (i imports) Xfd_seek(_ int32, _ int64, _, _ int32) int32 { return badDescriptor }
func (i imports) Xfd_write(_, _, _, _ int32) int32            { return badDescriptor }
