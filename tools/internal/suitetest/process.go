package suitetest

import (
	"os"
	"os/signal"
)

// StartSignals starts the runtime's goroutine for signals, which stays. Where SIGINT was
// ignored when the program was started, the first command does.
func StartSignals() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
}
