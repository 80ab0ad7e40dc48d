// Package carrier takes tools to where the files are: a host behind ssh, a container, a
// pod. [Connect] puts the program spillway there, if it is missing, starts it, and gives
// its tools, all through one pipe.
//
//	far, err := carrier.Connect(ctx, "ssh://user@host/src", carrier.Options{Binary: find})
//	if err != nil {
//		return err
//	}
//	defer far.Close()
//	err = suite.Add(far.Tools...)
package carrier

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// Options are for [Connect]. The zero value is for a command that starts a server itself.
type Options struct {
	// Binary finds the program for a system, by the names that Go has for it, as linux and
	// arm64. It must be linked statically: a container may have no libraries.
	Binary func(goos, goarch string) (path string, err error)
	// Args are flags for the program, as -read-only; nil is none.
	Args []string
	// Program replaces the name of ssh, docker, podman, nerdctl, runc or kubectl, and may
	// add arguments: "ssh", "-J", "gate". Nil is the name alone.
	Program []string
}

// Far is a server on the other side, and its tools.
type Far struct {
	Tools   []tools.Tool
	Session *mcp.ClientSession
	pipe    *pipe
}

// Connect starts a server at a place:
//
//	ssh://[user@]host[:port]/dir
//	docker://container/dir (podman://, nerdctl:// and runc:// alike)
//	kubectl://namespace/pod/dir[?container=name]
//	command and its arguments, separated by spaces
//
// The directory of ssh may begin with /~/, for the home directory. Without a directory the
// tools work where ssh or the container starts commands. A command must start a server
// itself. The context is for Connect alone; what the carrier printed last is in its
// error.
func Connect(ctx context.Context, on string, options Options) (*Far, error) {
	at, err := parse(on, options.Program)
	if err != nil {
		return nil, err
	}
	p, err := start(at.argv)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	far := &Far{pipe: p}
	if at.boots {
		err = boot(p, options, append([]string{"mcp", "-workspace", at.dir}, options.Args...))
	}
	if err == nil {
		far.Tools, far.Session, err = mcptools.Connect(ctx, &mcp.IOTransport{Reader: p, Writer: input{p}})
	}
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("carrier: %s: %w%s", on, errors.Join(ctx.Err(), err), p.lastWords())
	}
	// This server answers the pings of mcptools.Connect. One that waits for longer than
	// usual is for a side that may be stopped meanwhile, or whose network takes a while to
	// come back: mcptools.Connect alone gives it up, which counts pings and not time.
	if at.boots && mcptools.Silence(far.Session) <= mcptools.ShortestSilence {
		p.expect(silence)
	}
	return far, nil
}

// Close ends the server with all that it runs, and the carrier.
func (f *Far) Close() error {
	f.pipe.hangUp()
	return f.Session.Close()
}
