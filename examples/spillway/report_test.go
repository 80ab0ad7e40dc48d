package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/tools/record"
)

// made is the report of a record with one call.
func made(t *testing.T) *report.Report {
	r, err := report.Read("record", func(yield func(record.Line, error) bool) {
		yield(record.Line{Kind: "call", Tool: "ls", Text: "a"}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A page is for its owner alone, even where an older one was for others, and nothing else is left beside it.
func TestReportIsPrivate(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.html")
	write(t, page, []byte(report.Beginning+"older"))
	if err := os.Chmod(page, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeReport(page, made(t)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(page)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	entries, err := os.ReadDir(filepath.Dir(page))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A page is not written through a link, nor in the place of one, wherever it leads.
func TestReportThroughALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, page := filepath.Join(dir, "target.html"), filepath.Join(dir, "page.html")
	older := report.Beginning + "older"
	write(t, target, []byte(older))
	need.Symlink(t, target, page)
	if err := writeReport(page, made(t)); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("error %v", err)
	}
	if text, _ := os.ReadFile(target); string(text) != older {
		t.Errorf("the link's target is now %q", text)
	}
}

// Nothing is left of a page that cannot be written.
func TestReportNowhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := writeReport(filepath.Join(dir, "missing", "page.html"), made(t)); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}
