// Command naive is a small program without a suite: its argument is a command for bash.
package main

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/spillway-go/spillway/internal/bench/peers/programs/ask"
)

func main() {
	out, err := exec.Command("bash", "-c", os.Args[1]).CombinedOutput()
	if err == nil {
		err = ask.About(string(out))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
