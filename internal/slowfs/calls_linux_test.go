package slowfs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The calls wait, so that more of them do at once.
func TestMain(m *testing.M) {
	testkit.OwnNamespace()
	testkit.Waiting()
	os.Exit(m.Run())
}

// slowFiles is a workspace for calls whose file system does not answer.
var slowFiles = sync.OnceValue(func() map[string]string {
	var picture bytes.Buffer
	png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8)))
	return map[string]string{
		".git/HEAD":  "ref: refs/heads/main\n",
		".gitignore": "ignored\n",
		"a/b/file":   "text\n", "a/.gitignore": "*.o\n", "a/x.o": "", "c/file": "text\n",
		"large": strings.Repeat("a line of text\n", 20_000),
		"link@": "a/b/file", "link2@": "c", "link3@": "nowhere",
		"picture.png": picture.String(),
	}
})

// slowCalls are calls that wait for the workspace in every way there is.
var slowCalls = []struct{ name, tool, args string }{
	{"read", "read", `{"path":"a/b/file"}`},
	{"read the end", "read", `{"path":"large","offset":-3}`},
	{"read several", "read", `{"paths":["a/b/file","c/file","link"]}`},
	{"read an image", "read", `{"path":"picture.png"}`},
	{"read what is missing", "read", `{"path":"a/c/file"}`},
	{"grep", "grep", `{"pattern":"text"}`},
	{"grep a file", "grep", `{"pattern":"text","path":"large"}`},
	{"find", "find", `{"pattern":"file"}`},
	{"find by time", "find", `{"pattern":"file","sort":"mtime"}`},
	{"ls", "ls", `{}`},
	{"write", "write", `{"path":"a/b/file","content":"new"}`},
	{"bash", "bash", `{"command":"echo hi","cwd":"a"}`},
	{"bash with a file", "bash", `{"command":"seq 50000"}`},
}

// TestFileSystemThatDoesNotAnswer makes each system call of each tool the one that does not
// return: the call ends with its context all the same, and Close ends. What they leave
// behind ends as soon as that system call does.
//
// Commands have programs of their own, other runs of this test: a process that starts waits for what others have open to
// be written.
func TestFileSystemThatDoesNotAnswer(t *testing.T) {
	testkit.Raced(t)
	const variable = "SPILLWAY_TEST_SLOWFS_COMMAND"
	testkit.StartSignals()
	before := runtime.NumGoroutine()
	own, programs := os.Getenv(variable), map[*exec.Cmd]*bytes.Buffer{}
	for _, c := range slowCalls {
		if c.tool == "bash" && own == "" {
			program, out := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v",
				"-test.short="+strconv.FormatBool(testing.Short())), new(bytes.Buffer)
			program.Env = append(os.Environ(), variable+"="+c.name)
			program.Stdout, program.Stderr = out, out
			require.NoError(t, program.Start())
			programs[program] = out
		}
	}
	t.Run("calls", func(t *testing.T) {
		for _, c := range slowCalls {
			if c.name == own || c.tool != "bash" && own == "" {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					eachHangs(t, c.tool, c.args)
				})
			}
		}
	})
	for program, out := range programs {
		assert.NoError(t, program.Wait(), out)
	}
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// eachHangs makes a call as often as it asks its file system for something, and each time
// another one of these requests is not answered; every third with -short or the race detector,
// and of bash eight, or two with -short.
func eachHangs(t *testing.T, tool, args string) {
	requests, step := requestsOf(t, tool, args), 3/testkit.Some(3)
	if tool == "bash" {
		rounds := 8 // these take a second each
		if testing.Short() {
			rounds = 2
		}
		step = max(1, requests/rounds)
	}
	var all sync.WaitGroup
	for n := rand.N(step); n < requests; n += step {
		fs := Mount(t, slowFiles())
		all.Go(func() { hangs(t, fs, n, tool, args) })
		if tool == "bash" { // a process that starts waits for what others have open to be written
			all.Wait()
		}
	}
	all.Wait()
}

// requestsOf is how many operations a call asks its file system for.
func requestsOf(t *testing.T, tool, args string) int {
	fs := Mount(t, slowFiles())
	s, err := tools.New(config.Config{Workspace: fs.Dir}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer s.Close()
	begin := fs.Requests()
	_, err = s.Call(t.Context(), tool, json.RawMessage(args))
	require.NoError(t, err)
	n := fs.Requests() - begin
	require.NotZero(t, n)
	return n
}

// hangs makes a call whose operation n is not answered.
func hangs(t *testing.T, fs *FS, n int, tool, args string) {
	s, err := tools.New(config.Config{Workspace: fs.Dir}, all.Parts()...)
	if !assert.NoError(t, err) {
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	held := fs.Hold(n)
	type end struct {
		res tools.Result
		err error
	}
	ended := make(chan end, 1)
	go func() {
		res, err := s.Call(ctx, tool, json.RawMessage(args))
		ended <- end{res, err}
	}()
	what := tool + " " + args + ", operation " + strconv.Itoa(n)
	select {
	case <-held:
		cancel()
		select {
		case e := <-ended:
			assert.ErrorIs(t, e.err, context.Canceled, "%s: %q", what, e.res.Text)
		case <-time.After(time.Minute):
			t.Errorf("%s: it outlives its context", what)
		}
	case <-ended: // it was in need of fewer this time
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.Close()
	}()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Errorf("%s: Close does not end", what)
	}
	at := fs.Requests()
	fs.Release()
	<-closed
	// What goes on does so for the system calls that were under way, not for the whole.
	for last := -1; last != fs.Requests(); time.Sleep(50 * time.Millisecond) {
		last = fs.Requests()
	}
	// To find a path or a repository takes some thirty.
	assert.LessOrEqual(t, fs.Requests()-at, 40, what)
}

// TestManyPathsOnASlowDisk checks that a call for many files, once it is given up, goes on
// with none of those that are left.
func TestManyPathsOnASlowDisk(t *testing.T) {
	t.Parallel()
	paths := make([]string, 64)
	for i := range paths {
		paths[i] = "a/b/file"
	}
	args, err := json.Marshal(map[string]any{"paths": paths})
	require.NoError(t, err)
	var all sync.WaitGroup
	for _, n := range []int{5, 500} {
		fs := Mount(t, slowFiles())
		all.Go(func() { hangs(t, fs, n, "read", string(args)) })
	}
	all.Wait()
}
