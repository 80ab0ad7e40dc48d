// Command spillway serves the tools to any MCP client, over stdin and stdout
// or, with -http, over HTTP to clients on the same machine.
//
//	spillway [-workspace DIR] [-config FILE] [-read-only] [-allow-outside-workspace]
//	           [-sandbox ENGINE] [-http ADDR [-token-file FILE]] [-details] [-version]
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
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// The exit codes.
const (
	exitFailure = 1 // the connection broke
	exitUsage   = 2 // flags or options that are refused
)

// unread is how long a client that has closed its end may take to read what is there.
const unread = time.Minute

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// settings are what the flags and the environment ask for.
type settings struct {
	config    config.Config
	http      string // the address to serve HTTP at; stdin and stdout if it is empty
	tokenFile string
	token     string // for HTTP; a new one if it is empty
	details   bool   // results have _meta
	version   bool
}

// run is the program. stdout belongs to the protocol: everything for people goes
// to stderr.
func run(args []string, stderr io.Writer) int {
	set, err := configure(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return report(stderr, err, exitUsage)
	}
	if set.version {
		fmt.Println("spillway", version())
		return 0
	}
	// Before signals are watched, as they end the program while a token file that is a
	// pipe has nothing in it.
	if set.http != "" {
		if set.token, err = findToken(set.tokenFile); err != nil {
			return report(stderr, err, exitUsage)
		}
	}
	if err := undumpable(); err != nil {
		return report(stderr, fmt.Errorf("this program would be readable to its commands: %w", err), exitFailure)
	}
	// Watched from before there is anything to clean up until after it is. One that
	// whoever started the program has it ignore, as nohup does, stays ignored.
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	// A client that is gone must be an error of a write. Otherwise the signal ends
	// the program before the suite is closed. Ignoring it is no way: commands would
	// inherit that, and "yes | head" complain.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	suite, err := tools.New(set.config)
	if err != nil {
		return report(stderr, err, exitUsage)
	}
	code, server := exitFailure, newServer(suite, set.details, set.http == "")
	if set.http == "" {
		err = serve(ctx, suite, server, newCourteous(os.Stdin, os.Stdout))
	} else if at, opened := openEndpoint(set, stderr); opened != nil {
		err, code = opened, exitUsage
	} else {
		err = at.serve(ctx, suite, server)
	}
	if err = errors.Join(err, suite.Close()); err != nil {
		return report(stderr, err, code)
	}
	return 0
}

// report prints an error, of which the suite's configuration may have several,
// one a line.
func report(stderr io.Writer, err error, code int) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(stderr, "spillway:", strings.TrimSuffix(line, "\n"))
	}
	return code
}

// configure makes settings of the file, the environment and the flags.
func configure(args []string, stderr io.Writer) (settings, error) {
	var given settings
	var file string
	flags := flag.NewFlagSet("spillway", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // it would print the whole usage after an error
	flags.StringVar(&given.config.Workspace, "workspace", ".", "`DIR` that the tools work in and are confined to")
	flags.StringVar(&file, "config", "", "JSON `FILE` with options")
	flags.BoolVar(&given.config.ReadOnly, "read-only", false, "leave bash out")
	flags.BoolVar(&given.config.AllowOutsideWorkspace, "allow-outside-workspace", false, "let read, grep, find and ls go anywhere")
	flags.StringVar(&given.config.Bash.Sandbox, "sandbox", "off", "`ENGINE` that confines commands: auto, landlock or bwrap")
	flags.StringVar(&given.http, "http", "", "serve HTTP at `ADDR`, as 127.0.0.1:8080, to clients on this machine that have the token")
	flags.StringVar(&given.tokenFile, "token-file", "", "`FILE` with the token for -http; else that in "+tokenVariable+", else a new one, which is printed")
	flags.BoolVar(&given.details, "details", false, "send the numbers of each result in _meta.details, which some clients show to the model")
	flags.BoolVar(&given.version, "version", false, "print the version")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.Usage()
		return given, err
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err == nil && given.tokenFile != "" && given.http == "" {
		err = errors.New("-token-file is for -http: give an address too, as -http 127.0.0.1:8080")
	}
	if err != nil {
		return given, fmt.Errorf("%w (see -help)", err)
	}

	set := given
	if set.config, err = loaded(file); err != nil {
		return set, err
	}
	flags.Visit(func(f *flag.Flag) { // a flag that was not given must not hide the file's value
		switch f.Name {
		case "workspace":
			set.config.Workspace = given.config.Workspace
		case "read-only":
			set.config.ReadOnly = given.config.ReadOnly
		case "sandbox":
			set.config.Bash.Sandbox = given.config.Bash.Sandbox
		case "allow-outside-workspace":
			set.config.AllowOutsideWorkspace = given.config.AllowOutsideWorkspace
		}
	})
	return set, nil
}

// loaded is the configuration of a file, if there is one, and of the environment.
func loaded(file string) (cfg config.Config, err error) {
	if file != "" {
		if cfg, err = config.Load(file); err != nil {
			return cfg, err
		}
	}
	return config.FromEnv(cfg)
}

// serve serves one client until it hangs up, which is no error, or ctx ends.
func serve(ctx context.Context, suite *tools.Suite, server *mcp.Server, transport *courteous) error {
	ended := make(chan error, 1)
	server.AddReceivingMiddleware(transport.client.hear)
	// Not with ctx: the session would wait for the calls that are running, and
	// these for the suite, which is closed after it.
	go func() { ended <- server.Run(context.WithoutCancel(ctx), transport) }()
	var closed error
	var late <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return closed
		case <-transport.client.gone:
			return closed
		case <-transport.over:
			closed = suite.Close()
			late = time.After(unread)
		case <-late:
			return closed
		case err := <-ended:
			return errors.Join(closed, connectionError(err))
		}
	}
}

// connectionError is nil for a client that hung up.
func connectionError(err error) error {
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return nil // at the latest before it had its answer
	default:
		return fmt.Errorf("connection: %w", err)
	}
}
