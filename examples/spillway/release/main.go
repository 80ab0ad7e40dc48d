// Command release builds what a release of spillway consists of, the same files whenever it is run for the same commit
// with the same Go:
//
//	go run ./examples/spillway/release [-o DIR] [-for linux/amd64,...] v0.1.0
//
// For each platform it makes an archive and an MCP bundle; beside these a container image, server.json for the MCP
// registry, and SHA256SUMS.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	dir := flag.String("o", "dist", "`DIR` for the files")
	root := flag.String("root", "", "write what the image for one platform holds to `DIR`, and nothing else")
	const all = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"
	platforms := flag.String("for", all, "the `PLATFORMS`")
	flag.Parse()
	do := release
	if *root != "" {
		do, *dir = unpacked, *root
	}
	if err := do(flag.Arg(0), *dir, strings.Split(*platforms, ","), os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var semantic = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// output is the directory of a release, and the checksums of what it holds.
type output struct {
	dir  string
	sums strings.Builder
}

// write writes a file, and returns its checksum.
func (o *output) write(name string, data []byte) (sum string, err error) {
	sum = fmt.Sprintf("%x", sha256.Sum256(data))
	fmt.Fprintf(&o.sums, "%s  %s\n", sum, name)
	return sum, os.WriteFile(filepath.Join(o.dir, name), data, 0o644)
}

// release writes the files of a release for these platforms. The current directory is that of the repository. What
// makes the files other than those of a commit goes to doubts.
func release(version, dir string, platforms []string, doubts io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out := &output{dir: dir}
	server := newServer(version)
	var images []build
	err := buildAll(version, platforms, doubts, func(b build) error {
		files, err := b.files()
		if err != nil {
			return err
		}
		pack, ending := tarGz, ".tar.gz"
		if b.system == "windows" {
			pack, ending = zipped, ".zip"
		}
		var archive, bundle bytes.Buffer
		if err := pack(&archive, below(b.name(), files), b.written); err != nil {
			return err
		}
		if _, err := out.write(b.name()+ending, archive.Bytes()); err != nil {
			return err
		}
		if files, err = bundled(b, files); err != nil {
			return err
		}
		if err := zipped(&bundle, files, b.written); err != nil {
			return err
		}
		sum, err := out.write(b.name()+".mcpb", bundle.Bytes())
		server.addBundle(b.name()+".mcpb", sum)
		if b.system == "linux" {
			images = append(images, b)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(images) > 0 {
		image, err := packImage(images)
		if err != nil {
			return err
		}
		if _, err := out.write("spillway_"+version+"_image.tar", image); err != nil {
			return err
		}
		server.addImage()
	}
	text, err := server.encode()
	if err != nil {
		return err
	}
	if _, err := out.write("server.json", text); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(out.sums.String()), 0o644)
}

// unpacked writes what the image for a platform holds.
func unpacked(version, dir string, platforms []string, doubts io.Writer) error {
	if len(platforms) != 1 || !strings.HasPrefix(platforms[0], "linux/") {
		return fmt.Errorf("an image is for one platform, not for %q: give it as -for linux/amd64", platforms)
	}
	return buildAll(version, platforms, doubts, func(b build) error {
		files, err := rootFiles(b)
		if err != nil {
			return err
		}
		for _, f := range files {
			path := filepath.Join(dir, filepath.FromSlash(f.name))
			if strings.HasSuffix(f.name, "/") {
				err = os.MkdirAll(path, 0o755)
			} else if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				err = os.WriteFile(path, f.data, 0o644)
			}
			if err == nil {
				err = os.Chmod(path, f.permissions())
			}
			if err == nil && f.owner != 0 {
				err = os.Chown(path, f.owner, f.owner)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
