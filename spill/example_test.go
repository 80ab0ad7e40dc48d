package spill_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/spill"
)

// A command's output is written as it comes. Only an output that is too long to be
// shown is kept.
func ExampleWriter() {
	base, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(base)
	d := spill.NewDir(filepath.Join(base, ".clarvis"))
	defer d.Close()

	for _, lines := range []int{3, 3000} {
		w := d.NewWriter("bash")
		fmt.Fprint(w, strings.Repeat("a line of output\n", lines))
		if w.Size() > 30<<10 {
			w.Spill() // what comes from here on goes to the file at once
			fmt.Fprintln(w, "the last line")
			path, err := w.Keep()
			info, _ := os.Stat(path)
			fmt.Println(filepath.Ext(path), info.Size(), err)
		}
		w.Close() // the file stays if it was kept
	}
	files, _ := filepath.Glob(filepath.Join(d.Path(), "*.log"))
	fmt.Println(len(files), "file")
	// Output:
	// .log 51014 <nil>
	// 1 file
}

// The output of a server can be read while it runs.
func ExampleWriter_Publish() {
	base, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(base)
	d := spill.NewDir(base)
	defer d.Close()
	w := d.NewWriter("job")
	defer w.Close()
	path, err := w.Publish()
	fmt.Fprint(w, "listening")
	shown, _ := os.ReadFile(path)
	end := make([]byte, 3)
	w.ReadAt(end, w.Size()-3)
	fmt.Printf("%s %s %v\n", shown, end, err)
	// Output: listening ing <nil>
}

// Trouble with the directory is said at the end, and stops nothing before.
func ExampleDir_link() {
	base, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(base)
	os.Symlink(base, filepath.Join(base, "link"))
	d := spill.NewDir(filepath.Join(base, "link"))
	w := d.NewWriter("bash")
	defer w.Close()
	n, err := w.Write([]byte("output"))
	fmt.Println(n, err)
	_, err = w.Keep()
	fmt.Printf("no file in %s: %v\n", filepath.Base(d.Path()), err)
	// Output:
	// 6 <nil>
	// no file in link: link is not a directory, or is a link to one
}

func ExampleSweep() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	d := spill.NewDir(dir)
	defer d.Close()
	for age := range 3 { // of 0, 20 and 40 hours
		w := d.NewWriter("bash")
		fmt.Fprint(w, strings.Repeat("x", 1000))
		path, _ := w.Keep()
		written := time.Now().Add(-20 * time.Hour * time.Duration(age))
		os.Chtimes(path, written, written)
	}
	report, err := spill.Sweep(context.Background(), dir, spill.Options{MaxAge: 24 * time.Hour, MaxTotalBytes: 1500})
	fmt.Printf("%+v %v\n", report, err)
	// Output: {Removed:2 RemovedBytes:2000 Kept:1 KeptBytes:1000 Busy:0 Failed:0} <nil>
}

// A program says what it begins, so that the next one can tidy up if it is killed.
func ExampleTurn() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	d := spill.NewDir(dir)
	defer d.Close()
	turn, err := d.Lock(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer turn.End()
	fmt.Printf("left behind: %q\n", turn.Left)
	fmt.Println(turn.Note([]byte("half.tmp")))
	// Output:
	// left behind: ""
	// <nil>
}

// Two programs that share a directory take turns.
func ExampleDir_Lock() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	a, b := spill.NewDir(dir), spill.NewDir(dir)
	defer a.Close()
	defer b.Close()
	turn, err := a.Lock(context.Background())
	fmt.Println(err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = b.Lock(ctx)
	fmt.Println(err)
	turn.End()
	// Output:
	// <nil>
	// context canceled
}
