package tools_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script, and the table of TestTasks; read it before you commit it")

func TestMain(m *testing.M) { suitetest.Main(m) }

// TestScripts runs testdata/script. Besides the commands of testscript there are
//
//	config JSON           the configuration file of the suite for the calls that follow
//	call TOOL [JSON]      a call; its text is the standard output, and ! is for an error
//	details               the details of the last call, as JSON
//	lines FILE FROM TO    writes numbered lines
//	repeat FILE TEXT N    writes a text N times; \n in it is a line break
//	fifo FILE             makes a FIFO
//	chmod MODE FILE
//
// The workspace is $WORK/ws. It holds the script's files, but for those called
// .want, which are expected output and stay in $WORK.
//
// Spill files have names that cannot be guessed: SPILL stands for them.
func TestScripts(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			if part := partOf[filepath.Base(env.WorkDir)]; !need.HasPart(part) {
				env.T().Skip("without ", part)
			}
			s := &script{dir: filepath.Join(env.WorkDir, "ws")}
			env.Cd = s.dir
			if err := moveInto(env.WorkDir, s.dir); err != nil {
				return err
			}
			env.Values[key{}] = s
			env.Defer(s.close)
			return nil
		},
		// [proc] is where processes can be looked for.
		Condition: func(string) (bool, error) {
			return testkit.HasProc(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"config": cmdConfig, "call": cmdCall, "details": cmdDetails, "lines": cmdLines, "repeat": cmdRepeat, "fifo": cmdFifo,
		},
	})
}

// partOf names the parts that scripts need.
var partOf = map[string]string{
	"script-apply_patch": "tools/patch", "script-bash_shown": "tools/permission", "script-redact": "tools/redaction",
	"script-edit_cells": "tools/notebook", "script-edit_maps": "tools/notebook", "script-read": "tools/notebook",
	"script-read_repeat": "tools/notebook", "script-read_shown": "tools/notebook",
}

// moveInto makes the workspace of a script.
func moveInto(work, ws string) error {
	if err := os.Mkdir(ws, 0o755); err != nil {
		return err
	}
	files, err := os.ReadDir(work)
	for _, f := range files {
		if name := f.Name(); name != "ws" && name != ".tmp" && filepath.Ext(name) != ".want" && err == nil {
			err = os.Rename(filepath.Join(work, name), filepath.Join(ws, name))
		}
	}
	return err
}

type key struct{}

// script is the state of one script.
type script struct {
	dir   string
	cfg   config.Config
	suite *tools.Suite
	last  tools.Result
}

func (s *script) close() {
	if s.suite != nil {
		s.suite.Close()
		s.suite = nil
	}
}

func cmdConfig(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(key{}).(*script)
	s.close()
	file := filepath.Join(filepath.Dir(s.dir), "config.json")
	ts.Check(os.WriteFile(file, []byte(args[0]), 0o600))
	cfg, err := config.Load(file)
	ts.Check(err)
	s.cfg = cfg
}

func cmdCall(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(key{}).(*script)
	if s.suite == nil {
		cfg := s.cfg
		cfg.Workspace = s.dir
		suite, err := tools.New(cfg, all.Parts()...)
		ts.Check(err)
		s.suite = suite
	}
	var raw json.RawMessage
	if len(args) > 1 {
		raw = json.RawMessage(os.Expand(args[1], func(name string) string {
			if name == "SPILL" {
				return strings.TrimSuffix(filepath.Base(s.spilled(ts)), ".log")
			}
			return ts.Getenv(name)
		}))
	}
	res, err := s.suite.Call(context.Background(), args[0], raw)
	ts.Check(err)
	s.last = res
	if !utf8.ValidString(res.Text) {
		ts.Fatalf("not valid UTF-8: %q", res.Text)
	}
	fmt.Fprintln(ts.Stdout(), s.anonymous(res.Text))
	if res.IsError != neg {
		ts.Fatalf("error is %v: %s", res.IsError, res.Text)
	}
}

// spilled is the spill file of the script, of which there must be one.
func (s *script) spilled(ts *testscript.TestScript) string {
	files, err := filepath.Glob(filepath.Join(s.dir, ".clarvis", "*.log"))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("there are %d spill files", len(files))
	}
	return files[0]
}

func (s *script) anonymous(text string) string {
	files, _ := filepath.Glob(filepath.Join(s.dir, ".clarvis", "*.log"))
	for _, f := range files {
		text = strings.ReplaceAll(text, strings.TrimSuffix(filepath.Base(f), ".log"), "SPILL")
	}
	return strings.ReplaceAll(text, s.dir, "$WORK/ws")
}

func cmdDetails(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(key{}).(*script)
	data, err := json.Marshal(s.last.Details)
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), s.anonymous(string(data)))
}

func cmdLines(ts *testscript.TestScript, neg bool, args []string) {
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	to, err := strconv.Atoi(args[2])
	ts.Check(err)
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

func cmdRepeat(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := strings.ReplaceAll(args[1], `\n`, "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, n)), 0o644))
}

// A suite sweeps when it is built, unless it never does.
// It is alone: a process that another test starts may hold the lock of a sweep for a moment, which is then left out.
func TestSweepInterval(t *testing.T) {
	for interval, removed := range map[time.Duration]bool{0: true, time.Hour: true, -1: false} {
		dir := t.TempDir()
		old := filepath.Join(dir, ".clarvis", "bash-k3x9q2mf.log")
		require.NoError(t, os.Mkdir(filepath.Dir(old), 0o700))
		require.NoError(t, os.WriteFile(old, nil, 0o600))
		then := time.Now().Add(-48 * time.Hour)
		require.NoError(t, os.Chtimes(old, then, then))
		s, err := tools.New(config.Config{Workspace: dir, Spill: config.Spill{SweepInterval: interval}}, all.Parts()...)
		need.Built(t, err)
		require.NoError(t, err)
		s.Close()
		_, err = os.Stat(old)
		require.Equal(t, removed, os.IsNotExist(err), interval)
	}
}
