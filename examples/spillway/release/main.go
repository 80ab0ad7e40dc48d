// Command release builds the archives of a release of spillway, the same ones whenever it is
// run for the same commit with the same Go:
//
//	go run ./examples/spillway/release [-o DIR] [-for linux/amd64,...] v0.1.0
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	dir := flag.String("o", "dist", "`DIR` for the archives")
	const all = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"
	platforms := flag.String("for", all, "the `PLATFORMS`")
	flag.Parse()
	if err := release(flag.Arg(0), *dir, strings.Split(*platforms, ","), os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var semantic = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// release writes an archive for each platform, and SHA256SUMS. The current directory is that
// of the repository. What makes the archives other than those of a commit goes to doubts.
func release(version, dir string, platforms []string, doubts io.Writer) error {
	if !semantic.MatchString(version) {
		return fmt.Errorf("%q is no version. Give one, as v0.1.0", version)
	}
	work, err := os.MkdirTemp("", "spillway-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		binary, written, doubt, err := build(version, system, processor, work)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		if doubt != "" {
			fmt.Fprintf(doubts, "release: %s: %s\n", platform, doubt)
		}
		files, err := contents(binary, system)
		if err != nil {
			return err
		}
		name := "spillway_" + version + "_" + system + "_" + processor
		pack, ending := tarGz, ".tar.gz"
		if system == "windows" {
			pack, ending = zipped, ".zip"
		}
		var archive bytes.Buffer
		if err := pack(&archive, name, files, written); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+ending), archive.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive.Bytes()), name+ending)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// build builds the program, and gives the time of the commit: that of the files.
func build(version, system, processor, work string) (binary string, written time.Time, doubt string, err error) {
	binary = filepath.Join(work, system+"_"+processor)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=auto",
		"-ldflags", "-s -w -X main.release="+version, "-o", binary, "./examples/spillway")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=",
		"GOOS="+system, "GOARCH="+processor, "GOAMD64=v1", "GOARM64=v8.0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", written, "", fmt.Errorf("%w\n%s", err, out)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", written, "", err
	}
	doubt = "the program does not name its commit, as it was not built in a clone (a linked work tree is none to Go)"
	written = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) // the first of zip; not from a repository
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.time":
			doubt = ""
			written, err = time.Parse(time.RFC3339, s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			doubt = "there are changes that are not committed"
		}
	}
	return binary, written.UTC(), doubt, err
}

// file is a file of an archive.
type file struct {
	name string
	mode int64
	data []byte
}

// contents are the files of an archive.
func contents(binary, system string) (files []file, err error) {
	program := "spillway"
	if system == "windows" {
		program += ".exe"
	}
	for _, f := range []struct {
		from, name string
		mode       int64
	}{{binary, program, 0o755}, {"LICENSE", "LICENSE", 0o644}, {"examples/spillway/README.md", "README.md", 0o644}} {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return nil, err
		}
		files = append(files, file{f.name, f.mode, data})
	}
	return files, nil
}

func tarGz(w io.Writer, dir string, files []file, written time.Time) (err error) {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(packed)
	for _, f := range files {
		header := &tar.Header{
			Name: dir + "/" + f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: written, Format: tar.FormatUSTAR,
		}
		err = cmp.Or(err, archive.WriteHeader(header))
		_, broken := archive.Write(f.data)
		err = cmp.Or(err, broken)
	}
	return cmp.Or(err, archive.Close(), packed.Close())
}

func zipped(w io.Writer, dir string, files []file, written time.Time) (err error) {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: dir + "/" + f.name, Method: zip.Deflate, Modified: written}
		header.SetMode(os.FileMode(f.mode))
		part, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}
