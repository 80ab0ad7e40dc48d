package bench_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// BenchmarkStandout runs a command that prints 100 MB, with and without a look at each line for what stands out. No
// part of a text is repeated.
func BenchmarkStandout(b *testing.B) {
	const size = 100 << 20
	dir := inMemory(b)
	change := func(off bool) func(*config.Config) {
		return func(c *config.Config) { c.Bash.NoStandout, c.Spill.MaxTotalBytes = off, 1<<30 }
	}
	with, without := suite(b, dir, change(false)), suite(b, dir, change(true))
	for name, line := range logs(b) {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(dir, name+".log")
			writeLog(b, path, size, line)
			defer os.Remove(path)
			run := func(s *tools.Suite) func() {
				return func() {
					res := call(b, s, "bash", tools.BashParams{Command: "cat " + path})
					os.Remove(filepath.Join(dir, res.Details.(tools.BashResult).FullOutputPath))
				}
			}
			compare(b, run(with), run(without))
		})
	}
}

func writeLog(b *testing.B, path string, size int, line func(io.Writer, *rand.Rand, int)) {
	file, err := os.Create(path)
	require.NoError(b, err)
	defer file.Close()
	out := &counter{Writer: bufio.NewWriterSize(file, 1<<20)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; out.n < size; i++ {
		line(out, r, i)
	}
	require.NoError(b, out.Flush())
}

type counter struct {
	*bufio.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.Writer.Write(p)
}

// logs write the i-th line, or lines, of a log each.
func logs(b *testing.B) map[string]func(w io.Writer, r *rand.Rand, i int) {
	tests, files := sourceNames(b)
	served := func(w io.Writer, r *rand.Rand, i int, id string) {
		fmt.Fprintf(w, "2026-11-20T12:%02d:%02d.%06dZ level=info msg=\"request served\" request_id=%s path=/api/v1/items/%d status=200 took=%dus\n",
			i/60%60, i%60, i*7919%1e6, id, i*31, i*17%1e5)
	}
	pick := func(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }
	return map[string]func(w io.Writer, r *rand.Rand, i int){
		"digits": func(w io.Writer, r *rand.Rand, i int) { served(w, r, i, fmt.Sprint(r.Uint64N(1e12))) },
		"hex":    func(w io.Writer, r *rand.Rand, i int) { served(w, r, i, fmt.Sprintf("%016x", r.Uint64())) },
		"uuid": func(w io.Writer, r *rand.Rand, i int) {
			id := fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())
			served(w, r, i, id[:8]+"-"+id[8:12]+"-4"+id[13:16]+"-a"+id[17:20]+"-"+id[20:])
		},
		"base64": func(w io.Writer, r *rand.Rand, i int) {
			p := make([]byte, 24)
			for i := range p {
				p[i] = byte(r.Uint32())
			}
			served(w, r, i, base64.StdEncoding.EncodeToString(p))
		},
		"json": func(w io.Writer, r *rand.Rand, i int) {
			switch i % 3 {
			case 0:
				fmt.Fprintf(w, `{"time":"2026-11-20T12:%02d:%02d.%03dZ","level":"info","msg":"request served","id":"%016x","path":"/api/v1/items/%d","status":%s,"took_ms":%d.%d}`+"\n",
					i/60%60, i%60, i%1000, r.Uint64(), r.IntN(1e6), pick(r, "200", "201", "304"), r.IntN(900), r.IntN(1000))
			case 1:
				fmt.Fprintf(w, `{"time":"2026-11-20T12:%02d:%02d.%03dZ","level":"debug","msg":"cache","key":"user:%d:%s","hit":%t,"bytes":%d}`+"\n",
					i/60%60, i%60, i%1000, r.IntN(1e5), pick(r, "profile", "cart", "orders", "session"), r.IntN(3) > 0, r.IntN(1e5))
			default:
				fmt.Fprintf(w, `{"time":"2026-11-20T12:%02d:%02d.%03dZ","level":"info","msg":"job done","queue":"%s","job":{"id":"%08x-%04x","attempt":%d},"worker":"w-%x"}`+"\n",
					i/60%60, i%60, i%1000, pick(r, "mail", "thumbnails", "billing"), r.Uint32(), r.IntN(1<<16), 1+r.IntN(3), r.IntN(1<<12))
			}
		},
		"go-test": func(w io.Writer, r *rand.Rand, i int) {
			name := tests[r.IntN(len(tests))]
			if r.IntN(3) == 0 {
				name += fmt.Sprintf("/#%02d", r.IntN(30))
			}
			indent := strings.Repeat("    ", strings.Count(name, "/"))
			fmt.Fprintf(w, "=== RUN   %s\n%s--- PASS: %s (%d.%02ds)\n", name, indent, name, r.IntN(2), r.IntN(100))
		},
		"access": func(w io.Writer, r *rand.Rand, i int) {
			agent := pick(r, `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`,
				`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15`,
				`curl/8.5.0`, `Go-http-client/1.1`, `kube-probe/1.29`)
			fmt.Fprintf(w, "10.%d.%d.%d - - [20/Nov/2026:12:%02d:%02d +0000] \"%s /%s/%d HTTP/1.1\" %s %d \"%s\" \"%s\"\n",
				r.IntN(256), r.IntN(256), r.IntN(256), i/60%60, i%60, pick(r, "GET", "GET", "GET", "POST"),
				pick(r, "api/v1/items", "static/js", "users", "api/v1/orders", "healthz"), r.IntN(1e5),
				pick(r, "200", "200", "304", "404"), r.IntN(1e5), pick(r, "-", "https://example.com/shop", "https://example.com/"), agent)
		},
		"build": func(w io.Writer, r *rand.Rand, i int) {
			name := files[r.IntN(len(files))]
			object := strings.TrimSuffix(name, ".go") + ".o"
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(w, "libtool: compile:  gcc -DHAVE_CONFIG_H -I. -I../include -Wall -g -O2 -MT %s -MD -MP -c %s -fPIC -DPIC -o %s\n", object, name, object)
			case 1:
				fmt.Fprintf(w, "[%3d%%] Building C object %s/CMakeFiles/core.dir/%s\n", r.IntN(101), filepath.Dir(name), object)
			default:
				fmt.Fprintf(w, "  CC      %s\n", object)
			}
		},
	}
}

var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// sourceNames returns the names of the tests and of the files in Go's source tree.
func sourceNames(b *testing.B) (tests, files []string) {
	root := goroot(b)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		name, _ := filepath.Rel(root, path)
		files = append(files, filepath.ToSlash(name))
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(path, "_test.go") {
			for _, m := range testName.FindAllSubmatch(text, -1) {
				tests = append(tests, string(m[1]))
			}
		}
		return nil
	})
	require.NoError(b, err)
	return tests, files
}
