// Command mcp-server serves the five tools to any MCP client over stdin and
// stdout.
//
//	mcp-server [-workspace DIR] [-config FILE] [-read-only] [-allow-outside-workspace]
//
// Options come from the defaults, the file, the environment (SPILLWAY_...) and
// the flags, each over the one before it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// The exit codes.
const (
	exitFailure = 1 // the connection broke
	exitUsage   = 2 // flags or options that are refused
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run is the program. stdout belongs to the protocol: everything for people goes
// to stderr.
func run(args []string, stderr io.Writer) int {
	cfg, err := configure(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return report(stderr, err, exitUsage)
	}
	// Watched from before there is anything to clean up until after it is.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A client that is gone must be an error of a write. Otherwise the signal ends
	// the program before the suite is closed. Ignoring it is no way: commands would
	// inherit that, and "yes | head" complain.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	suite, err := tools.New(cfg)
	if err != nil {
		return report(stderr, err, exitUsage)
	}
	err = serve(ctx, newServer(suite), courteous{&mcp.StdioTransport{}})
	if err = errors.Join(err, suite.Close()); err != nil {
		return report(stderr, err, exitFailure)
	}
	return 0
}

// report prints an error, of which the suite's configuration may have several,
// one a line.
func report(stderr io.Writer, err error, code int) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(stderr, "mcp-server:", strings.TrimSuffix(line, "\n"))
	}
	return code
}

// configure makes the configuration of the file, the environment and the flags.
func configure(args []string, stderr io.Writer) (config.Config, error) {
	var given config.Config
	var file string
	flags := flag.NewFlagSet("mcp-server", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // it would print the whole usage after an error
	flags.StringVar(&given.Workspace, "workspace", ".", "`DIR` that the tools work in and are confined to")
	flags.StringVar(&file, "config", "", "JSON `FILE` with options")
	flags.BoolVar(&given.ReadOnly, "read-only", false, "leave bash out")
	flags.BoolVar(&given.AllowOutsideWorkspace, "allow-outside-workspace", false, "let read, grep, find and ls go anywhere")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.Usage()
		return given, err
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		return given, fmt.Errorf("%w (see -help)", err)
	}

	var cfg config.Config
	if file != "" {
		if cfg, err = config.Load(file); err != nil {
			return cfg, err
		}
	}
	if cfg, err = config.FromEnv(cfg); err != nil {
		return cfg, err
	}
	flags.Visit(func(f *flag.Flag) { // a flag that was not given must not hide the file's value
		switch f.Name {
		case "workspace":
			cfg.Workspace = given.Workspace
		case "read-only":
			cfg.ReadOnly = given.ReadOnly
		case "allow-outside-workspace":
			cfg.AllowOutsideWorkspace = given.AllowOutsideWorkspace
		}
	})
	return cfg, nil
}

// serve serves one client until it hangs up, which is no error, or ctx ends.
func serve(ctx context.Context, server *mcp.Server, transport mcp.Transport) error {
	ended := make(chan error, 1)
	// Not with ctx: the session would wait for the calls that are running, and
	// these for the suite, which is closed after it.
	go func() { ended <- server.Run(context.WithoutCancel(ctx), transport) }()
	select {
	case <-ctx.Done():
		return nil
	case err := <-ended:
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
			return nil // the client hung up before it had its answer
		}
		if err != nil {
			return fmt.Errorf("connection: %w", err)
		}
		return nil
	}
}
