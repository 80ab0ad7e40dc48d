package proc

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// TestPidsUsedAgain runs this test again in a pid namespace, where the pids of a job's
// processes, of its shell too, become those of others: these are neither named nor signalled.
func TestPidsUsedAgain(t *testing.T) {
	const variable = "SPILLWAY_TEST_PIDS"
	if dir := os.Getenv(variable); dir != "" {
		pidsUsedAgain(t, &bench{t, nil, dir, os.Getenv(variable + "_TOKEN")})
		return
	}
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
		b.g = NewGroup()
		b.g.forest.noCgroup = true
		os.Remove(b.path("pids"))
		p, _ := b.detach(b.command(`setsid -f sleep $LONG; echo $$ >>$PIDS; for i in 1 2; do setsid bash -c 'echo $$ >>$PIDS; exec sleep $LONG' & done
			until [ $(wc -l <$PIDS) = 3 ]; do sleep 0.01; done`))
		p.Wait()
		pids := b.pids() // of the shell, of one that ends, and of one that stays
		syscall.Kill(pids[1], syscall.SIGKILL)
		var bystanders []*exec.Cmd
		for _, pid := range pids[:2] {
			var cmd *exec.Cmd
			eventually(t, func() error {
				must(t, os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte(strconv.Itoa(pid-1)), 0))
				cmd = exec.Command("sleep", "300")
				cmd.Env, cmd.SysProcAttr = []string{}, &syscall.SysProcAttr{Setsid: true}
				must(t, cmd.Start())
				if cmd.Process.Pid == pid {
					return nil
				}
				cmd.Process.Kill()
				cmd.Wait()
				return fmt.Errorf("pid %d is not free", pid)
			})
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
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
}
