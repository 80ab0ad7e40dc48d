package proc

import (
	"os"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/program"
)

// guardian is a process that ends what the commands of a group left running if the host
// program dies without Close, by a signal, os.Exit or a panic, or drops the group. It is a shell blocked in read
// on a pipe that only the host program holds open. It costs one start of sh for each group,
// not for each command.
//
// It finds processes by the marks in their limits and in their environment, so it needs
// /proc, sh and grep. If it cannot be started, commands run all the same.
type guardian struct {
	mu       sync.Mutex
	starting chan struct{} // closed when the current start is over; nil if there is none
	closed   bool
	process  *os.Process // nil if it does not run
	hostPipe *os.File    // the host's end of the pipe
}

// guardianScript takes these arguments: the prefix of the group's marks, the prefix of the paths of its control
// groups, the paths of grep and rmdir, and the prefix of the paths of its groups in the pids controller. It has no
// PATH; everything else is built into the shell. It stops after two rounds that find nothing but zombies, because a
// zombie keeps its limits until it is reaped, which init of a container may never do. A process whose main thread has
// ended before the others is not a zombie. A process that hangs in the kernel stays, so there are at most 100 rounds,
// which take a second or two.
const guardianScript = `
trap '' HUP INT TERM
read -r _
rounds=0 clean=0
while [ $rounds -lt 100 ] && [ $clean -lt 2 ]; do
	rounds=$((rounds + 1)) clean=$((clean + 1))
	for group in "$2"*; do
		echo 1 >"$group/cgroup.kill"
	done
	for file in $("$3" -ls "^Max realtime timeout *$1" /proc/[0-9]*/limits; "$3" -ls "[=:]$1" /proc/[0-9]*/environ); do
		pid=${file#/proc/} pid=${pid%/*}
		ended=$("$3" -cs -e "^State:.Z" -e "^Threads:.1$" "/proc/$pid/status")
		kill -9 "$pid" && [ "$ended" != 2 ] && clean=0
	done
done
"$4" "$2"* "$5"*`

// startTime is how long a command waits for the guardian to start, which takes about 2 ms.
const startTime = time.Second

// guard starts the guardian unless it is running, and waits until it runs or cannot be started. mark is one of the
// group's marks. guard must not be called on a thread with its own descriptors, because a start in another thread may
// be waiting for one of them to close.
func (g *guardian) guard(mark uint64) {
	g.mu.Lock()
	if !g.closed && g.starting == nil && !g.alive() {
		g.kill() // reaps a guardian that something else killed
		g.starting = make(chan struct{})
		go g.start(marksOf(mark))
	}
	starting := g.starting
	g.mu.Unlock()
	if starting != nil {
		closedWithin(starting, startTime)
	}
}

func (g *guardian) alive() bool {
	if g.process == nil {
		return false
	}
	child, ended := childState(g.process.Pid)
	return child && !ended
}

func (g *guardian) start(marks string) {
	process, host, _ := launchGuardian(marks)
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.starting)
	g.starting, g.process, g.hostPipe = nil, process, host
	if g.closed {
		g.kill()
	}
}

func launchGuardian(marks string) (process *os.Process, host *os.File, err error) {
	var programs []string
	for _, name := range program.Unconfined {
		path, err := program.Find(name)
		if err != nil {
			return nil, nil, err
		}
		programs = append(programs, path)
	}
	names := []string{os.DevNull + "/", os.DevNull + "/"} // nothing is below these paths
	for i, parent := range []string{cgroupParent(), pidsParent()} {
		if parent != "" {
			names[i] = cgroupNames(parent, marks)
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	defer null.Close()
	root, err := (&Command{Dir: "/"}).openDir()
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	wait, host, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer wait.Close()
	pid, err := launch{
		path: programs[0], env: []string{"PATH=" + os.DevNull}, files: []*os.File{wait, null, null}, dir: root,
		argv: []string{"sh", "-c", guardianScript, "sh", marks, names[0], programs[1], programs[2], names[1]},
	}.start()
	if err != nil {
		host.Close()
		return nil, nil, err
	}
	process, _ = os.FindProcess(pid) // never an error on Unix
	return process, host, nil
}

// kill kills the guardian before it closes the pipe. In the other order the script would go on.
func (g *guardian) kill() {
	if g.process == nil {
		return
	}
	g.process.Kill()
	g.process.Wait()
	g.hostPipe.Close()
	g.process, g.hostPipe = nil, nil
}

func (g *guardian) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.kill()
}
