package proc

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// helper is the environment variable that makes this test program another one, which
// commands of tests run where no shell can be relied on to have it: what follows the
// colon is the address that a process calls, so that its end can be noticed.
const helper = "SPILLWAY_TEST_HELPER"

// spawnMemory is what a process holds at least that spawns another.
const spawnMemory = 40 << 20

// patience is how long a test waits for what happens at once on an idle machine.
const patience = 20 * time.Second

// holdsNoMore returns a function that fails if the program holds more than now. Tests run in parallel, so that what each of
// them leaves is counted when all have ended. Only Linux tells what a program holds.
var holdsNoMore = func() func() error { return func() error { return nil } }

func TestMain(m *testing.M) {
	if role, address, ok := strings.Cut(os.Getenv(helper), ":"); ok {
		os.Exit(play(role, address))
	}
	testkit.OwnNamespace()
	testkit.Waiting()
	holds := holdsNoMore()
	code := m.Run()
	fuzzing := flag.Lookup("test.fuzz").Value.String() != "" // which listens for signals to the end
	if code == 0 && !fuzzing && testkit.HasProc() {          // without it, nobody finds what left its session
		if err := holds(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// play is the main function of the helper. It returns the exit code.
func play(role, address string) int {
	switch role {
	case "print":
		fmt.Println("to stdout")
		fmt.Fprintln(os.Stderr, "to stderr")
		return 3
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<10)); err != nil {
				return 1
			}
		}
	case "call": // and answer until the end
		if conn, err := net.Dial("tcp", address); err == nil {
			io.Copy(conn, conn)
		}
	case "spawn": // a program that is not there yet
		held := bytes.Repeat([]byte("x"), spawnMemory)
		os.StartProcess(address, nil, &os.ProcAttr{})
		fmt.Println(len(held))
	case "leave", "wait": // a process that calls
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), helper+"=call:"+address)
		if err := child.Start(); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("started")
		if role == "wait" {
			time.Sleep(time.Hour)
		}
	}
	return 0
}
