package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A signal ends a call and all that it started; what was printed until then is shown, and the
// exit code tells the signal. Calls on stdin end the same way, with their jobs.
func TestCallEndsBySignal(t *testing.T) {
	t.Parallel()
	needBash(t)
	for name, stdin := range map[string]string{
		"a call": "",
		"a job":  `bash {"command": "` + sleeper + `", "background": true}` + "\n" + `bash {"command": "echo begun; touch begun; sleep 600"}` + "\n",
	} {
		for by, code := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
			t.Run(name+", "+by.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				args := []string{"call", "-workspace", dir}
				if stdin == "" {
					args = append(args, "bash", "command=echo begun; touch begun; "+sleeper)
				}
				cmd := exec.Command(spillway(t), args...)
				var out, stderr strings.Builder
				cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { cmd.Process.Kill() })
				pids := []int{pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))}
				eventually(t, "the command", func() bool {
					_, err := os.Stat(filepath.Join(dir, "begun"))
					return err == nil
				})
				if err := cmd.Process.Signal(by); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait()
				if got := cmd.ProcessState.ExitCode(); got != code {
					t.Errorf("%v, want exit code %d", cmd.ProcessState, code)
				}
				late := strings.Contains(out.String(), "results so far follow") // the machine is so busy that the call was left
				if !strings.Contains(out.String(), "aborted: ") || !strings.Contains(out.String(), "\nbegun\n") && !late {
					t.Errorf("stdout: %s", out.String())
				}
				if want := "spillway: job 1 ends with this program\n"; stdin != "" && stderr.String() != want || stdin == "" && stderr.Len() > 0 {
					t.Errorf("stderr: %s", stderr.String())
				}
				for _, pid := range pids {
					gone(t, pid)
				}
			})
		}
	}
}
