package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/tools"
)

// unread is how long a client that has closed its end may take to read what is there.
const unread = time.Minute

// waits is for somebody who starts the server by hand.
const waits = "spillway: waiting for an MCP client at stdin. Clients start this program themselves: " +
	"spillway mcp -print-config claude prints how. Ctrl-C ends it"

// mcpFlags are those of the command mcp.
type mcpFlags struct {
	options
	script    *bool  // whether there is the tool script
	http      string // the address to serve HTTP at; stdin and stdout if it is empty
	tokenFile string
	details   bool // results have _meta
	silence   time.Duration
	// answerWithin is the time within which calls are answered, 0 for no limit; nil if it goes by the client
	answerWithin *time.Duration

	printConfig string // the client whose configuration is printed
}

// mcpCommand is spillway mcp. stdout belongs to the protocol: everything for people goes to
// stderr.
func mcpCommand(flags *flag.FlagSet) runner {
	var set mcpFlags
	set.define(flags)
	set.defineRecord(flags)
	set.defineFilter(flags)
	set.defineCheckpoint(flags) // tools/checkpoint
	set.script = defineScript(flags)
	flags.StringVar(&set.http, "http", "",
		"serve HTTP at `ADDR`, such as 127.0.0.1:8080, to clients on this machine that have the token")
	flags.StringVar(&set.tokenFile, "token-file", "",
		"take the token for -http from `FILE`; without it from "+tokenVariable+", else a new one is printed")
	flags.BoolVar(&set.details, "details", false,
		"send the numbers of each result in _meta.details, which some clients show to the model")
	flags.DurationVar(&set.silence, "silence", mcptools.ShortestSilence,
		"end this program, with all that it runs, when a client on another machine was silent for `TIME`, such as 10m")
	flags.Func("answer-within", "answer each call within `TIME`, when a command that still runs becomes a job; 0 for no "+
		"limit (default 50s, and longer for clients that are known to wait longer)", set.setAnswerWithin)
	set.definePrintConfig(flags)
	return func(args []string, out io.Writer) error {
		if err := noArguments(args); err != nil {
			return err
		}
		if set.tokenFile != "" && set.http == "" {
			return usage("-token-file is for -http: give an address too, as -http 127.0.0.1:8080")
		}
		if set.silence < mcptools.ShortestSilence {
			return usage("-silence %v: give %v at least, which is how long such a client promises to be silent at most",
				set.silence, mcptools.ShortestSilence)
		}
		if set.http != "" {
			if set.silence > mcptools.ShortestSilence {
				return usage("-silence is for a client at stdin and stdout: leave it out, or -http")
			}
			set.silence = 0
		}
		if set.printConfig != "" {
			return printConfig(set, out, os.Stderr)
		}
		return serveMCP(set)
	}
}

func (set *mcpFlags) setAnswerWithin(value string) error {
	within, err := time.ParseDuration(value)
	if err != nil || within < 0 {
		return errors.New("give a time, such as 50s, or 0 for no limit")
	}
	set.answerWithin = &within
	return nil
}

// adapter returns what the server tells its clients, and when.
func (set *mcpFlags) adapter() *mcptools.Options {
	opts := &mcptools.Options{Details: set.details, AnswerWithin: mcptools.AnswerWithin}
	if set.answerWithin != nil {
		opts.AnswerWithin = func(*mcp.CallToolRequest) time.Duration { return *set.answerWithin }
	}
	return opts
}

func serveMCP(set mcpFlags) error {
	cfg, err := set.config()
	if err != nil {
		return err
	}
	// Before signals are watched, as they end the program while a token file that is a
	// pipe has nothing in it.
	var token string
	if set.http != "" {
		if token, err = findToken(set.tokenFile); err != nil {
			return refused{err}
		}
	}
	if err := undumpable(); err != nil {
		return fmt.Errorf("this program would be readable to its commands: %w", err)
	}
	ctx, stop := untilSignal()
	defer stop()
	set.filtered(&cfg)
	closeRecord, err := set.openRecord(&cfg)
	if err != nil {
		return err
	}
	defer closeRecord()
	suite, err := newSuite(cfg, askClient, set.parts...)
	if err != nil {
		return err
	}
	if err := addScript(suite, cfg, *set.script); err != nil {
		return errors.Join(err, suite.Close())
	}
	server := newServer(suite, set.adapter(), set.silence)
	if set.http == "" {
		if isTerminal(os.Stdin) {
			fmt.Fprintln(os.Stderr, waits)
		}
		err = serve(ctx, suite, server, newStdioTransport(os.Stdin, os.Stdout, set.silence))
	} else if at, opened := openEndpoint(set.http, token, os.Stderr); opened != nil {
		err = refused{opened}
	} else {
		err = at.serve(ctx, suite, server)
	}
	return errors.Join(err, suite.Close(), closeRecord(), context.Cause(ctx))
}

// askClient has the client ask its user. The answer of one that cannot names the flags that allow the call.
func askClient(ctx context.Context, call config.Call) (config.Answer, error) {
	answer, err := mcptools.Ask(ctx, call)
	if errors.Is(err, mcptools.ErrNoElicitation) {
		err = question.Refusal(call, "this MCP client cannot ask the user")
	}
	return answer, err
}

// serve serves one client until it hangs up, which is no error, or ctx ends.
func serve(ctx context.Context, suite *tools.Suite, server *mcp.Server, transport *stdioTransport) error {
	ended := make(chan error, 1)
	server.AddReceivingMiddleware(transport.client.middleware)
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
