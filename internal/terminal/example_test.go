package terminal_test

import (
	"fmt"
	"io"
	"os"

	"github.com/spillway-go/spillway/internal/terminal"
)

func ExampleFilter() {
	f := terminal.NewFilter(os.Stdout, "")
	io.WriteString(f, "\x1b[1mBuilding\x1b[0m\n")
	for percent := 0; percent <= 100; percent += 20 {
		fmt.Fprintf(f, "\r%3d%% \x1b[32m%.*s\x1b[0m\x1b[K", percent, percent/10, "##########")
	}
	io.WriteString(f, "\n\x1b]8;;https://example.com\x1b\\report\x1b]8;;\x1b\\ written")
	f.Close()
	// Output:
	// Building
	// 100% ##########
	// report written
}

func ExampleNewFilter() {
	f := terminal.NewFilter(os.Stdout, "")
	fmt.Fprint(f, "NAME\b\b\b\b\x1b[1mName\x1b[m\r\n")
	f.Close()
	// Output: Name
}

func ExampleFilter_Write() {
	f := terminal.NewFilter(os.Stdout, "")
	n, err := f.Write([]byte("\x1b[31"))
	fmt.Println(n, err)
	f.Write([]byte("mred \xe2\x9c"))
	f.Write([]byte("\x93\n"))
	// Output:
	// 4 <nil>
	// red ✓
}

func ExampleFilter_Pending() {
	f := terminal.NewFilter(io.Discard, "")
	io.WriteString(f, "fetched\nunpacking  7%\b\b\b42")
	fmt.Printf("%s\n", f.Pending())
	// Output: unpacking 42%
}

func ExampleFilter_Close() {
	f := terminal.NewFilter(os.Stdout, "")
	io.WriteString(f, "no newline\x1b[0")
	fmt.Println(f.Close())
	// Output: no newline<nil>
}
