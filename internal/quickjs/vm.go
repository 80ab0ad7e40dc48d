// Package quickjs is QuickJS-NG in Go: a JavaScript engine that ends in any loop when it is told to, also inside of a
// built-in function, and whose memory has a limit. It reaches no file, network, environment or process: only a clock, the
// time zone and random numbers.
//
// quickjs.go is the WebAssembly of the npm package quickjs-wasi, translated to Go; see translate.
package quickjs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Why an engine ends.
var (
	ErrStopped = errors.New("the engine was stopped")
	ErrDepth   = errors.New("the calls are nested too deeply")
	ErrMemory  = errors.New("the engine has no memory left")
)

// VM is an engine. It is for one goroutine; Stop is for any.
type VM struct {
	m       *module
	host    map[string]Func
	rejects func(promise, reason Value, handled bool)
	dead    error
}

// Value is a value of JavaScript. Free gives it back.
type Value int32

// Func is a function that JavaScript calls. It does not keep args. It returns a string, a float64, a bool or nil, which
// is undefined.
type Func func(args []Value) any

// stack is how many bytes of its own stack an engine may use of the MiB that it has. With 512 KiB, 2,100 calls of a
// function are nested, and Go's stack has 16 MiB.
const stack = 512 << 10

const page = 64 << 10

// stackPages are the pages of the engine's own stack.
const stackPages = 16

// New makes an engine that holds at most so many bytes besides its stack of 1 MiB.
func New(memory int64, host map[string]Func) (vm *VM, err error) {
	vm = &VM{host: host}
	vm.m = newModule(imports{vm}, imports{vm})
	vm.m.pages = stackPages + memory/page
	err = vm.run(func() error {
		vm.m.X_initialize()
		if vm.m.Xqjs_init() != 0 {
			return ErrMemory
		}
		vm.m.Xqjs_set_max_stack_size(stack)
		global := Value(vm.m.Xqjs_get_global())
		defer vm.Free(global)
		for name := range host {
			text := vm.text(name)
			f := vm.m.Xqjs_new_host_function(text, int32(len(name)), 0)
			vm.m.Xqjs_set_prop_string(int32(global), text, f)
			vm.m.Xqjs_free_value(f)
			vm.m.Xwasm_free(text)
		}
		return nil
	})
	return vm, err
}

// Rejections has f called for each promise that is rejected while nothing handles that, and, with handled, for one of these
// that is handled later. f may keep both values, and frees them.
func (vm *VM) Rejections(f func(promise, reason Value, handled bool)) {
	vm.rejects = f
	vm.m.Xqjs_set_promise_rejection_handler(1)
}

// Stop ends what the engine does, for good.
func (vm *VM) Stop() { vm.m.stop.Store(true) }

// Refused reports whether the engine wanted more memory than it may have.
func (vm *VM) Refused() bool { return vm.m.refused }

// run calls into the engine. What ends there is dead from then on.
func (vm *VM) run(f func() error) (err error) {
	if vm.dead != nil {
		return vm.dead
	}
	if vm.m.stop.Load() {
		vm.dead = ErrStopped
		return vm.dead
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
			return
		case trap:
			vm.dead = r.err
		default: // unreachable code, an index out of range: a fault of the engine
			vm.dead = fmt.Errorf("quickjs: %v", r)
		}
		err = vm.dead
	}()
	return f()
}

// Eval runs code, and returns its value.
func (vm *VM) Eval(code, file string) (v Value, err error) {
	err = vm.run(func() error {
		text, name := vm.text(code), vm.text(file)
		if text == 0 || name == 0 {
			return ErrMemory
		}
		v = Value(vm.m.Xqjs_eval(text, int32(len(code)), name, 0))
		vm.m.Xwasm_free(text)
		vm.m.Xwasm_free(name)
		return vm.exception(v)
	})
	return v, err
}

// Call calls a function with strings, numbers, bools and values, and returns what it does.
func (vm *VM) Call(f Value, args ...any) (v Value, err error) {
	err = vm.run(func() error {
		list := vm.m.Xwasm_malloc(int32(4*len(args) + 4))
		if list == 0 {
			return ErrMemory
		}
		for i, a := range args {
			h, err := vm.made(a)
			if err != nil {
				return err
			}
			if _, given := a.(Value); !given {
				defer vm.Free(h)
			}
			binary.LittleEndian.PutUint32(vm.m.memory[list+int32(4*i):], uint32(h))
		}
		this := vm.m.Xqjs_get_undefined()
		v = Value(vm.m.Xqjs_call(int32(f), this, int32(len(args)), list))
		vm.m.Xwasm_free(list)
		return vm.exception(v)
	})
	return v, err
}

// Job runs what a settled promise has made ready to run, and reports whether there was anything.
func (vm *VM) Job() (ran bool, err error) {
	err = vm.run(func() error {
		if vm.m.Xqjs_is_job_pending() == 0 {
			return nil
		}
		ran = true
		if vm.m.Xqjs_execute_pending_job() < 0 {
			return vm.thrown()
		}
		return nil
	})
	return ran, err
}

// Get returns a property.
func (vm *VM) Get(of Value, name string) (v Value, err error) {
	err = vm.run(func() error {
		text := vm.text(name)
		v = Value(vm.m.Xqjs_get_prop_string(int32(of), text))
		vm.m.Xwasm_free(text)
		return vm.exception(v)
	})
	return v, err
}

// String returns a string as UTF-8, or "" for what is none.
func (vm *VM) String(v Value) string {
	if vm.m.Xqjs_is_string(int32(v)) == 0 {
		return ""
	}
	size := vm.m.Xwasm_malloc(4)
	if size == 0 {
		return ""
	}
	defer vm.m.Xwasm_free(size)
	at := vm.m.Xqjs_get_string_len(int32(v), size)
	if at == 0 {
		return ""
	}
	defer vm.m.Xqjs_free_cstring(at)
	n := binary.LittleEndian.Uint32(vm.m.memory[size:])
	return strings.ToValidUTF8(string(vm.m.memory[at:][:n]), "\uFFFD")
}

// Number returns a number, or 0 for what is none.
func (vm *VM) Number(v Value) float64 {
	if vm.m.Xqjs_is_number(int32(v)) == 0 {
		return 0
	}
	return vm.m.Xqjs_get_float64(int32(v))
}

// Free gives a value back.
func (vm *VM) Free(v Value) {
	if v != 0 && vm.dead == nil {
		vm.m.Xqjs_free_value(int32(v))
	}
}

// Same identifies an object: two values of the same object have the same.
func (vm *VM) Same(v Value) int32 { return vm.m.Xqjs_get_value_ptr(int32(v)) }

// Thrown is what JavaScript threw. Its fields are those of an error, or "".
type Thrown struct{ Name, Message, Stack string }

func (t *Thrown) Error() string { return t.Name + ": " + t.Message }

// exception returns what was thrown if v says that something was.
func (vm *VM) exception(v Value) error {
	switch {
	case v == 0:
		return ErrMemory
	case vm.m.Xqjs_is_exception(int32(v)) == 0:
		return nil
	}
	vm.Free(v)
	return vm.thrown()
}

func (vm *VM) thrown() error {
	e := Value(vm.m.Xqjs_get_exception())
	defer vm.Free(e)
	read := func(name string) string {
		v, err := vm.Get(e, name)
		if err != nil {
			return ""
		}
		defer vm.Free(v)
		return vm.String(v)
	}
	t := &Thrown{Name: read("name"), Message: read("message"), Stack: read("stack")}
	if *t == (Thrown{}) && vm.m.refused {
		return ErrMemory // there is none for an error that says so
	}
	return t
}

// made returns a value for one of Go. It is 0 for nil, which a host function may return.
func (vm *VM) made(a any) (Value, error) {
	var h int32
	switch a := a.(type) {
	case Value:
		return a, nil
	case string:
		text := vm.text(a)
		if text == 0 {
			return 0, ErrMemory
		}
		h = vm.m.Xqjs_new_string(text, int32(len(a)))
		vm.m.Xwasm_free(text)
	case float64:
		h = vm.m.Xqjs_new_number(a)
	case int:
		h = vm.m.Xqjs_new_number(float64(a))
	case bool:
		number := 0.0
		if a {
			number = 1
		}
		h = vm.m.Xqjs_new_number(number)
	default:
		h = vm.m.Xqjs_get_undefined()
	}
	if h == 0 || vm.m.Xqjs_is_exception(h) != 0 {
		return 0, ErrMemory
	}
	return Value(h), nil
}

// text puts a text into the engine's memory, with a zero behind it. It is 0 if there is no memory.
func (vm *VM) text(s string) int32 {
	at := vm.m.Xwasm_malloc(int32(len(s) + 1))
	if at != 0 {
		copy(vm.m.memory[at:], s)
		vm.m.memory[int(at)+len(s)] = 0
	}
	return at
}

// Version returns that of QuickJS.
func (vm *VM) Version() string {
	at := vm.m.memory[vm.m.Xqjs_get_quickjs_version():]
	return string(at[:bytes.IndexByte(at, 0)])
}

// Class returns the class that the engine gives an object, such as Map, whatever JavaScript has made of it.
func (vm *VM) Class(v Value) string {
	if vm.m.Xqjs_is_proxy(int32(v)) != 0 {
		return "Proxy"
	}
	name := Value(vm.m.Xqjs_get_class_name(int32(v)))
	if name == 0 || vm.m.Xqjs_is_exception(int32(name)) != 0 {
		return ""
	}
	defer vm.Free(name)
	return vm.String(name)
}

// State returns whether a promise is pending, fulfilled or rejected.
func (vm *VM) State(promise Value) string {
	if vm.m.Xqjs_is_promise(int32(promise)) == 0 {
		return ""
	}
	return [...]string{"pending", "fulfilled", "rejected"}[vm.m.Xqjs_promise_state(int32(promise))]
}

// Result returns the value or the reason of a promise that is settled.
func (vm *VM) Result(promise Value) Value { return Value(vm.m.Xqjs_promise_result(int32(promise))) }
