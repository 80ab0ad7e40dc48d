// Command remote calls tools where the files are: on a host behind ssh, in a container or in a
// pod. It copies the program that has the tools there if it is missing.
//
//	remote -on ssh://user@host/src grep '{"pattern": "TODO"}'
//	remote -on docker://web/app bash '{"command": "ps"}'
//	remote -on kubectl://default/web/app        a call a line from stdin: ls {"path": "."}
//	remote -on "any command that starts a server"
//
// An agent adds remote.Tools to its suite instead (see run).
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/examples/remote/carrier"
	"github.com/spillway-go/spillway/tools"
)

// maxLine is how many bytes a line with a call may have.
const maxLine = 16 << 20

func main() {
	on := flag.String("on", "", "`PLACE` where the tools work: ssh://[user@]host/dir, docker://container/dir "+
		"(or podman, nerdctl, runc), kubectl://namespace/pod/dir, or a command")
	flags := flag.String("flags", "",
		"`FLAGS` for the program there, separated by spaces, such as \"-read-only -sandbox auto\"")
	program := flag.String("program", "", "`COMMAND` instead of ssh, docker or kubectl, such as \"ssh -J gate\"")
	binary := flag.String("binary", "",
		"`FILE` with the program for the other side, with {os} and {arch} in its name; else it is built from -source")
	source := flag.String("source", "examples/spillway", "`DIR` with the source of the program")
	flag.Parse()
	options := carrier.Options{Args: strings.Fields(*flags), Program: strings.Fields(*program)}
	options.Binary = func(goos, goarch string) (string, error) {
		if *binary != "" {
			return strings.NewReplacer("{os}", goos, "{arch}", goarch).Replace(*binary), nil
		}
		return build(*source, goos, goarch)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := run(ctx, *on, options, flag.Args(), os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "remote:", err)
	}
	if !ok {
		stop()
		os.Exit(1)
	}
}

// run makes the call that is given, or those of the input, and reports whether all of them
// succeeded.
func run(
	ctx context.Context, on string, options carrier.Options, call []string, in io.Reader, out io.Writer,
) (ok bool, err error) {
	remote, err := carrier.Connect(ctx, on, options)
	if err != nil {
		return false, err
	}
	defer remote.Close()
	for _, difference := range mcptools.Differences(remote.Session, remote.Tools) {
		fmt.Fprintln(os.Stderr, "remote:", difference)
	}
	// An agent does this so that its guard, observer and limits apply to the remote tools.
	suite, err := tools.New(config.Config{Workspace: ".", Tools: []string{config.NoTools}})
	if err != nil {
		return false, err
	}
	defer suite.Close()
	if err := suite.Add(remote.Tools...); err != nil {
		return false, err
	}
	if len(call) > 0 {
		return invoke(ctx, suite, call[0], strings.Join(call[1:], " "), out)
	}
	ok = true
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if tool, args, _ := strings.Cut(strings.TrimSpace(lines.Text()), " "); tool != "" {
			done, err := invoke(ctx, suite, tool, args, out)
			if ok = ok && done; err != nil {
				return false, err
			}
		}
	}
	return ok, lines.Err()
}

func invoke(ctx context.Context, suite *tools.Suite, tool, args string, out io.Writer) (bool, error) {
	res, err := suite.Call(ctx, tool, json.RawMessage(cmp.Or(args, "{}")))
	if err != nil {
		return false, err
	}
	_, err = fmt.Fprintln(out, strings.TrimSuffix(res.Text, "\n"))
	return !res.IsError, err
}

// build compiles the program for a system. That is quick if nothing has changed, because of the
// compiler's cache, and the same source gives the same bytes, which need not be sent again.
func build(source, goos, goarch string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "spillway-remote", fmt.Sprintf("spillway-%s-%s", goos, goarch))
	cmd := exec.Command("go", "build", "-C", source, "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	if printed, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, printed)
	}
	return path, nil
}
