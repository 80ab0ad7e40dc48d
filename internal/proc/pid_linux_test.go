package proc

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestPidsUsedAgain runs this test again in a pid namespace, where the pids of a job's
// processes, of its shell too, become those of others: these are neither named nor signalled.
func TestPidsUsedAgain(t *testing.T) {
	const variable = "SPILLWAY_TEST_PIDS"
	if dir := os.Getenv(variable); dir != "" {
		pidsUsedAgain(t, &bench{t, nil, dir, os.Getenv(variable + "_TOKEN")})
		return
	}
	t.Parallel() // it has a program of its own
	b := newBench(t, nil)
	flags := "-pfm"
	if os.Getuid() != 0 {
		flags = "-rpfm"
	}
	within := func(args ...string) *exec.Cmd { // the first process there is a shell, which reaps
		script := `mount -t proc none /proc && [ -w /proc/sys/kernel/ns_last_pid ] && { "$0" "$@"; exit $?; }`
		return exec.Command("unshare", append([]string{flags, "bash", "-c", script}, args...)...)
	}
	if out, err := within("true").CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	cmd := within(os.Args[0], "-test.run=^TestPidsUsedAgain$")
	cmd.Env = append(os.Environ(), variable+"="+b.dir, variable+"_TOKEN="+b.token)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func pidsUsedAgain(t *testing.T, b *bench) {
	for _, end := range []func(*Process){(*Process).Kill, (*Process).Terminate, func(p *Process) { p.Interrupt(); p.Kill() }} {
		for rounds := 1; !pidsOfJobUsedAgain(t, b, end); rounds++ {
			if rounds == 20 {
				t.Fatal("the pids of no job became free")
			}
		}
	}
}

// pidsOfJobUsedAgain returns false if a pid cannot be had again: a thread of this program has it,
// which may be started at any moment and stays. The pids of another job will do then.
func pidsOfJobUsedAgain(t *testing.T, b *bench, end func(*Process)) bool {
	b.g = NewGroup()
	defer b.g.Close()
	b.g.supervisor.noCgroup = true
	os.Remove(b.path("pids"))
	p, _ := b.detach(b.command(`setsid -f sleep $LONG; echo $$ >>$PIDS; for i in 1 2; do setsid bash -c 'echo $$ >>$PIDS; exec sleep $LONG' & done
		until [ $(wc -l <$PIDS) = 3 ]; do sleep 0.01; done`))
	p.Wait()
	pids := b.pids() // of the shell, of one that ends, and of one that stays
	syscall.Kill(pids[1], syscall.SIGKILL)
	var bystanders []*exec.Cmd
	defer func() {
		for _, cmd := range bystanders {
			cmd.Process.Kill()
			cmd.Wait()
		}
	}()
	for _, pid := range pids[:2] {
		cmd := startWithPid(t, pid)
		if cmd == nil {
			return false
		}
		bystanders = append(bystanders, cmd)
	}
	left, _ := p.Left()
	if len(left) != 2 || !slices.Contains(left, pids[2]) {
		t.Errorf("left %d, of %d", left, pids)
	}
	end(p)
	gone(t, p)
	b.g.Close()
	for _, cmd := range bystanders {
		if !alive(cmd.Process.Pid) {
			t.Errorf("process %d, which was not the job's, has ended", cmd.Process.Pid)
		}
	}
	return true
}

// startWithPid starts a process with a certain pid, or returns nil if that does not become free.
func startWithPid(t *testing.T, pid int) *exec.Cmd {
	t.Helper()
	for range 20 {
		must(t, os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte(strconv.Itoa(pid-1)), 0))
		cmd := exec.Command("sleep", "300")
		cmd.Env, cmd.SysProcAttr = []string{}, &syscall.SysProcAttr{Setsid: true}
		must(t, cmd.Start())
		if cmd.Process.Pid == pid {
			return cmd
		}
		cmd.Process.Kill()
		cmd.Wait()
		time.Sleep(time.Millisecond) // the first process of the namespace is to reap it
	}
	return nil
}
