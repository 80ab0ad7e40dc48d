// Package carrier runs tools where the files are: on a host behind ssh, in a container or in a
// pod. [Connect] copies the program spillway there if it is missing, starts it, and returns its
// tools, all through one pipe.
//
//	remote, err := carrier.Connect(ctx, "ssh://user@host/src", carrier.Options{Binary: find})
//	if err != nil {
//		return err
//	}
//	defer remote.Close()
//	err = suite.Add(remote.Tools...)
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
	// Binary returns the path of the program for a system, by Go's names, such as linux and
	// arm64. The program must be linked statically, because a container may have no libraries.
	Binary func(goos, goarch string) (path string, err error)
	// Args are flags for the program, such as -read-only; nil is none.
	Args []string
	// Program replaces the command ssh, docker, podman, nerdctl, runc or kubectl, and may add
	// arguments: "ssh", "-J", "gate". Nil is the command alone.
	Program []string
}

// Connection is a connection to a server, with the server's tools.
type Connection struct {
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
// The directory of ssh may begin with /~/, for the home directory. Without a directory the tools
// work where ssh or the container starts commands. A command must start a server itself. The
// context applies to Connect alone. The error contains the end of what the carrier printed.
func Connect(ctx context.Context, on string, options Options) (*Connection, error) {
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
	remote := &Connection{pipe: p}
	if at.bootstraps {
		err = bootstrap(p, options, append([]string{"mcp", "-workspace", at.dir}, options.Args...))
	}
	if err == nil {
		remote.Tools, remote.Session, err = mcptools.Connect(ctx, &mcp.IOTransport{Reader: p, Writer: input{p}})
	}
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("carrier: %s: %w%s", on, errors.Join(ctx.Err(), err), p.stderr())
	}
	// This server answers the pings of mcptools.Connect. If it waits for longer than usual, the
	// other side may be suspended, or its network away, for a while. Then only mcptools.Connect
	// gives up, which counts pings and not time.
	if at.bootstraps && mcptools.Silence(remote.Session) <= mcptools.ShortestSilence {
		p.setReadTimeout(maxSilence)
	}
	return remote, nil
}

// Close ends the server, everything that it runs, and the carrier.
func (f *Connection) Close() error {
	f.pipe.hangUp()
	return f.Session.Close()
}
