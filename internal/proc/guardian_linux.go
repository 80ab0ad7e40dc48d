package proc

import (
	"os"
	"strconv"
	"sync"
	"time"
)

// guardian is a process that ends what the commands of a group have left when the host
// program dies without Close: killed, by os.Exit, by a panic. It waits for the end of a
// pipe that only the host program holds, for which it is a shell that sleeps in a read. It
// costs a start of sh for each group, not for each command.
//
// It finds processes by the marks in their limits and in their environment, and so needs
// /proc, and a sh and a grep. Where it cannot be started, commands run all the same.
type guardian struct {
	mu       sync.Mutex
	starting chan struct{} // closed when the start that goes on is over; nil if none does
	closed   bool
	process  *os.Process // or nil
	host     *os.File    // the end of the pipe that tells that the host program lives
}

// guardianScript is given what the marks of the group begin with and what the paths of its
// control groups begin with. It goes on until it has found nothing twice. A process that
// no one reaps stays visible when it has ended, for which there is a bound: 100 rounds take
// a second or two.
const guardianScript = `
trap '' HUP INT TERM
read -r _
rounds=0 clean=0
while [ $rounds -lt 100 ] && [ $clean -lt 2 ]; do
	rounds=$((rounds + 1)) clean=$((clean + 1))
	for group in "$2"*; do
		echo 1 >"$group/cgroup.kill"
	done
	for file in $(grep -ls "^Max realtime timeout *$1" /proc/[0-9]*/limits; grep -ls "[=:]$1" /proc/[0-9]*/environ); do
		pid=${file#/proc/}
		kill -9 "${pid%/*}" && clean=0
	done
done
rmdir "$2"*`

// startTime bounds how long the first command waits for the guardian, which takes about
// two milliseconds.
const startTime = time.Second

// guard starts the guardian unless it runs, and waits until it does or cannot be started.
// mark is one of the group's. It must not be called on a thread with descriptors of its
// own: these may be what a start in another thread waits for to be closed.
func (g *guardian) guard(mark uint64) {
	g.mu.Lock()
	if !g.closed && g.starting == nil && !g.lives() {
		g.dismiss() // somebody has killed it
		g.starting = make(chan struct{})
		go g.start(strconv.FormatUint(mark/groupMarks, 10))
	}
	starting := g.starting
	g.mu.Unlock()
	if starting != nil {
		select {
		case <-starting:
		case <-time.After(startTime):
		}
	}
}

func (g *guardian) start(marks string) {
	process, host := startGuardian(marks)
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.starting)
	g.starting, g.process, g.host = nil, process, host
	if g.closed {
		g.dismiss()
	}
}

// lives reports whether there is a guardian that has not ended.
func (g *guardian) lives() bool {
	if g.process == nil {
		return false
	}
	child, ended := childState(g.process.Pid)
	return child && !ended
}

// startGuardian returns nil if it cannot be started.
func startGuardian(marks string) (*os.Process, *os.File) {
	wait, host, err := os.Pipe()
	if err != nil {
		return nil, nil
	}
	defer wait.Close()
	pid, err := launchGuardian(marks, wait)
	if err != nil {
		host.Close()
		return nil, nil
	}
	process, _ := os.FindProcess(pid) // never an error on Unix
	return process, host
}

func launchGuardian(marks string, wait *os.File) (pid int, err error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	root, err := (&Command{Dir: "/"}).openDir()
	if err != nil {
		return 0, err
	}
	defer root.Close()
	groups := os.DevNull + "/" // below it there is nothing
	if parent := cgroupParent(); parent != "" {
		groups = cgroupNames(parent)
	}
	return launch{
		path: "/bin/sh", argv: []string{"sh", "-c", guardianScript, "sh", marks, groups},
		env: []string{"PATH=" + os.Getenv("PATH")}, files: []*os.File{wait, null, null}, dir: root,
	}.start()
}

// dismiss ends the guardian. It must die before the pipe does.
func (g *guardian) dismiss() {
	if g.process == nil {
		return
	}
	g.process.Kill()
	g.process.Wait()
	g.host.Close()
	g.process, g.host = nil, nil
}

func (g *guardian) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.dismiss()
}
