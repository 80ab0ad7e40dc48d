package proc

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a shell and all its descendants: the processes of a job object, which they cannot
// leave, because the job does not allow a breakaway.
type tree struct {
	*leader
	job    windows.Handle
	remove string // the script's file
}

// start starts a shell in its own job. files are its stdin, stdout and stderr. The shell is suspended until it is in
// the job, so that all its children are in it too.
func (sup *supervisor) start(s *shell, c Command, files []*os.File, _ func() bool) (*tree, error) {
	if err := c.checkDir(); err != nil {
		return nil, err
	}
	job, err := newJob()
	if err != nil {
		return nil, fmt.Errorf("job object: %w", err)
	}
	process, err := os.StartProcess(s.path, s.argv, &os.ProcAttr{
		Dir:   c.Dir,
		Env:   append([]string{}, c.Env...), // nil would mean the program's own
		Files: files,
		Sys: &syscall.SysProcAttr{
			CmdLine:       s.line,
			CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW,
		},
	})
	if err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	if err := assignToJob(process, job); err != nil {
		process.Kill()
		process.Wait()
		windows.CloseHandle(job)
		return nil, fmt.Errorf("starting %s: %w", s.path, err)
	}
	t := &tree{newLeader(process), job, s.remove}
	s.remove = ""
	return t, nil
}

// newJob makes a job whose processes end when its last handle is closed, as the system does if
// the program is killed.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// assignToJob puts a suspended process into a job and lets it run.
func assignToJob(process *os.Process, job windows.Handle) error {
	var assigned error
	err := process.WithHandle(func(handle uintptr) {
		assigned = windows.AssignProcessToJobObject(job, windows.Handle(handle))
	})
	if err := errors.Join(err, assigned); err != nil {
		return err
	}
	return resume(uint32(process.Pid))
}

// resume lets the only thread of a suspended process run. os.StartProcess does not keep the
// thread's handle.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		windows.CloseHandle(thread)
		return err
	}
	return err
}

// exitOf returns the exit code of a process. There are no signals.
func exitOf(state *os.ProcessState) (code int, signal string) { return state.ExitCode(), "" }

// maxListed is how many survivors are listed at most.
const maxListed = 1024

// survivors returns the processes of the job. It leaves out the console host, which the system starts, and which ends
// shortly after the last process that uses the console.
func (t *tree) survivors(time.Duration) ([]int, bool) {
	var pids []int
	for _, pid := range t.members() {
		if !isConsole(pid) {
			pids = append(pids, pid)
		}
	}
	return pids, true
}

// findsAll returns true, because a job object has every descendant.
func (t *tree) findsAll() bool { return true }

// isConsole reports whether a process is a console host.
func isConsole(pid int) bool {
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return false
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(process)
	var buffer [windows.MAX_PATH]uint16 // its path is shorter
	size := uint32(len(buffer))
	if err := windows.QueryFullProcessImageName(process, 0, &buffer[0], &size); err != nil {
		return false
	}
	return strings.EqualFold(windows.UTF16ToString(buffer[:size]), system+`\conhost.exe`)
}

func (t *tree) members() []int {
	var list struct {
		assigned, listed uint32
		pids             [maxListed]uintptr
	}
	// If there are more than fit, this is an error, but the list is usable.
	windows.QueryInformationJobObject(t.job, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	var pids []int
	for _, pid := range list.pids[:min(list.listed, maxListed)] {
		if int(pid) != t.process.Pid {
			pids = append(pids, int(pid))
		}
	}
	slices.Sort(pids)
	return pids
}

// terminate kills the job's processes, because Windows has no SIGTERM.
func (t *tree) terminate() { windows.TerminateJobObject(t.job, 1) }

// interrupt returns an error, because the processes have a console of their own, to which this program cannot send
// events.
func (t *tree) interrupt() error { return ErrNoInterrupt }

func (t *tree) end(bool) bool {
	t.terminate()
	return t.awaitEmpty(killTime)
}

func (t *tree) populated() bool { return len(t.members()) > 0 }

func (t *tree) release() {
	windows.CloseHandle(t.job)
	if t.remove != "" {
		os.Remove(t.remove)
	}
}
