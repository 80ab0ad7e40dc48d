// Package browser_test opens reports in a real browser.
package browser_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/tools/record"
)

var shots = flag.String("shots", "", "`DIR` for pictures of the reports")

// chromium is the browser's path. Where it is missing the tests are skipped, but not in CI.
func chromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.NotEqual(t, "true", os.Getenv("CI"), "chromium is missing: apt-get install chromium")
	t.Skip("needs chromium: apt-get install chromium")
	return ""
}

// screen is how a page is looked at.
type screen struct {
	width, height int64
	dark          bool
}

// opened is a page in a browser, with what it did.
type opened struct {
	context.Context
	t    *testing.T
	path string

	mu       sync.Mutex
	requests []string // but for the page itself
	said     []string // on the console, and errors
}

// written writes the report of a record, and returns its path.
func written(t *testing.T, lines []byte) string {
	dir := t.TempDir()
	file := filepath.Join(dir, "session.jsonl")
	require.NoError(t, os.WriteFile(file, lines, 0o600))
	r, err := report.Read("session.jsonl", record.Read(file))
	require.NoError(t, err)
	page, err := os.Create(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	require.NoError(t, r.WriteHTML(page))
	require.NoError(t, page.Close())
	return page.Name()
}

// open opens a report in a browser of its own.
func open(t *testing.T, path string, s screen) *opened { return openPage(t, path, s, "#space > *") }

// openPage opens a page in a browser of its own, and waits until it has an element.
func openPage(t *testing.T, path string, s screen, ready string) *opened {
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(int(s.width), int(s.height)))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), flags...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	o := &opened{Context: ctx, t: t, path: "file://" + path}
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	o.do(chromedp.EmulateViewport(s.width, s.height))
	require.NoError(t, chromedp.Listen(ctx, o.listen))
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media)
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, runtime.Enable, cdp.Empty{})
	require.NoError(t, err)
	o.do(chromedp.Navigate(o.path), chromedp.WaitReady(ready))
	return o
}

// listen notes what a page should not do. A dialog is closed, so that the page goes on.
func (o *opened) listen(event any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != o.path {
			o.requests = append(o.requests, e.Request.URL)
		}
	case *runtime.EventConsoleAPICalled:
		o.said = append(o.said, "console."+string(e.Type))
	case *runtime.EventExceptionThrown:
		o.said = append(o.said, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		o.said = append(o.said, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		o.said = append(o.said, "dialog: "+e.Message)
		go chromedp.Call(o.Context, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	}
}

func (o *opened) do(actions ...chromedp.Action[chromedp.Void]) {
	o.t.Helper()
	require.NoError(o.t, chromedp.Do(o.Context, actions...))
}

// eval returns what an expression is in the page.
func eval[T any](o *opened, expression string) (value T) {
	o.t.Helper()
	value, err := chromedp.Run(o.Context, chromedp.Evaluate[T](expression))
	require.NoError(o.t, err, expression)
	return value
}

// awaited returns what a promise comes to.
func awaited[T any](o *opened, promise string) T {
	o.t.Helper()
	value, err := chromedp.Run(o.Context, chromedp.Evaluate[T](promise, chromedp.EvalAwaitPromise))
	require.NoError(o.t, err, promise)
	return value
}

// quiet requires that the page did nothing but show itself.
func (o *opened) quiet() {
	o.t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	require.Empty(o.t, o.requests, "requests")
	require.Empty(o.t, o.said, "console and errors")
}

// press presses a key where the focus is.
func (o *opened) press(keys ...string) {
	o.t.Helper()
	for _, key := range keys {
		o.do(chromedp.KeyEvent(key))
	}
}

// picture writes a picture of what is seen, if pictures are asked for.
func (o *opened) picture(name string, whole bool) {
	if *shots == "" {
		return
	}
	take := chromedp.CaptureScreenshot()
	if whole {
		take = chromedp.FullScreenshot(100)
	}
	picture, err := chromedp.Run(o.Context, take)
	require.NoError(o.t, err)
	require.NoError(o.t, os.MkdirAll(*shots, 0o755))
	require.NoError(o.t, os.WriteFile(filepath.Join(*shots, strings.ReplaceAll(name, " ", "-")+".png"), picture, 0o644))
}
