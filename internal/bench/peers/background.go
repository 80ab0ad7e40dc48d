package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// seconds that a process in the background lives: long enough to be seen on a busy
// machine, short enough for who waits for it.
const seconds = 8

// background runs the command with a sleep that nobody else has, closes the
// contender, and looks whether the sleep is still there.
func (p *prober) background() error {
	fresh, err := start(p.who, p.dir)
	if err != nil {
		return err
	}
	prefix := ""
	if strings.HasPrefix(p.first.Args["command"].(string), "setsid") {
		prefix = "setsid "
	}
	mark := fmt.Sprintf("%d.%010d", seconds, rand.Uint32())
	measured := p.p
	p.p = fresh
	r, err := p.ask(p.first.with("command", sleeper(prefix, mark)))
	p.p = measured
	p.Told, p.Rest = told(r), shown
	if !strings.Contains(string(r.Text), "started") {
		p.Rest = lost
	}
	if r.Nanoseconds > int64(seconds)*1e9 {
		p.note("the call waits for the process")
	} else if appears(mark) {
		p.Left = "ended"
	}
	if closed := fresh.close(); err == nil && closed != nil {
		err = fmt.Errorf("%s: %w", p.who.name, closed)
	}
	if p.Left != "" && alive(mark) {
		p.Left = "left behind"
	}
	return err
}

// appears waits for a process to start: the shell prints before the fork of it runs
// the program.
func appears(mark string) bool {
	for range 500 {
		if alive(mark) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// alive says whether a process has mark as an argument. A process that waits to
// be collected has no arguments any more.
func alive(mark string) bool {
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return false
	}
	for _, name := range list {
		// The shell has the mark inside of its command, the sleep by itself.
		if data, err := os.ReadFile(name); err == nil && strings.Contains(string(data), "\x00"+mark+"\x00") {
			return true
		}
	}
	return false
}
