package tools_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// unzipped shows a file that gzip has compressed as what it holds.
type unzipped struct{}

func (unzipped) Describe() string { return "a gzip file (.gz) as the text in it" }

func (unzipped) Is(_ string, head []byte) bool { return bytes.HasPrefix(head, []byte("\x1f\x8b")) }

func (unzipped) Render(_ context.Context, w tools.FormatWriter, data []byte) error {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if r.Name != "" {
		w.Notice("It holds " + r.Name)
	}
	_, err = io.Copy(w, r) // which fails once that is more than MaxFileBytes
	return err
}

// A program has read show files of its own format. A page of them has limits and notices like that of any text.
func ExampleFormats() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	var log bytes.Buffer
	w := gzip.NewWriter(&log)
	w.Name = "build.log"
	io.WriteString(w, strings.Repeat("ok\n", 998)+"FAIL: TestTotal\nexit 1\n")
	w.Close()
	os.WriteFile(filepath.Join(dir, "build.log.gz"), log.Bytes(), 0o600)

	suite, err := tools.New(config.Config{Workspace: dir}, tools.Formats(unzipped{}))
	if err != nil {
		panic(err)
	}
	defer suite.Close()
	for _, p := range []tools.ReadParams{
		{Path: "build.log.gz", Limit: 2}, {Path: "build.log.gz", Offset: -2},
	} {
		res, err := suite.Read(context.Background(), p)
		fmt.Println(res.Text, err)
	}
	// Output:
	// ok
	// ok
	//
	// [998 more lines in file. Use offset=3 to continue] <nil>
	// FAIL: TestTotal
	// exit 1
	//
	// [It holds build.log] <nil>
}
