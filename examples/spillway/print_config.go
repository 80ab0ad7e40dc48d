package main

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
)

// configured are the clients whose configuration is printed.
var configured = map[string]struct {
	servers string // the key of the servers
	folder  string // what stands for the directory that is open, if the client has that
	typed   bool   // a server has a type
	file    string
}{
	"claude": {"mcpServers", "", false, ".mcp.json in the project"},
	"cursor": {"mcpServers", "${workspaceFolder}", false, ".cursor/mcp.json in the project"},
	"vscode": {"servers", "${workspaceFolder}", true, ".vscode/mcp.json in the project"},
	"zed":    {"context_servers", "", false, "Zed's settings.json"},
}

// configuredNames are their names.
func configuredNames() []string { return []string{"claude", "cursor", "vscode", "zed"} }

// entry is what a client's configuration says of a server.
type entry struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// printConfig prints the configuration of a client that starts this program with these flags, or that finds it at an
// address. Where it belongs goes to stderr.
func printConfig(set mcpFlags, out, stderr io.Writer) error {
	client, known := configured[set.printConfig]
	if !known {
		return usage("-print-config %s: give one of %s", set.printConfig, strings.Join(configuredNames(), ", "))
	}
	server, note := entry{}, ""
	if set.http == "" {
		program, err := os.Executable()
		if err != nil {
			return fmt.Errorf("this program does not know its path: %w", err)
		}
		dir := client.folder
		if dir == "" {
			dir = "."
		}
		if server.Args, err = set.arguments(dir); err != nil {
			return err
		}
		server.Command = program
		if client.typed {
			server.Type = "stdio"
		}
	} else {
		if _, port, err := net.SplitHostPort(set.http); err != nil || port == "0" {
			return usage("-http %s: with -print-config, give the host and the port at which the server will be, as 127.0.0.1:8080", set.http)
		}
		server.URL, server.Headers = "http://"+set.http+path, map[string]string{
			"Authorization": "Bearer TOKEN", mcptools.ClientHeader: rand.Text(),
		}
		if client.typed || set.printConfig == "claude" {
			server.Type = "http"
		}
		note = ". Put the server's token in place of TOKEN; -token-file keeps it from start to start"
	}
	text := json.NewEncoder(out)
	text.SetIndent("", "  ")
	text.SetEscapeHTML(false)
	fmt.Fprintf(stderr, "spillway: this is for %s%s\n", client.file, note)
	return text.Encode(map[string]any{client.servers: map[string]entry{"spillway": server}})
}

// arguments are those that start this command again, from another directory. dir is the workspace if no flag is.
func (set mcpFlags) arguments(dir string) (args []string, err error) {
	absolute := func(name string) string {
		if err != nil || filepath.IsAbs(name) || strings.HasPrefix(name, "${") {
			return name
		}
		var whole string
		whole, err = filepath.Abs(name)
		return whole
	}
	args = []string{"mcp"}
	if !slices.ContainsFunc(set.given, func(g given) bool { return g.option == "Workspace" }) {
		args = append(args, "-workspace", absolute(dir))
	}
	if set.file != "" {
		args = append(args, "-config", absolute(set.file))
	}
	for _, g := range set.given {
		switch {
		case g.flag == "-set":
			args = append(args, g.flag, g.option+"="+g.value)
		case g.option == "Workspace":
			args = append(args, g.flag, absolute(g.value))
		case g.option == "ReadOnly", g.option == "AllowOutsideWorkspace":
			args = append(args, g.flag+"="+g.value)
		default:
			args = append(args, g.flag, g.value)
		}
	}
	if set.record != nil {
		args = append(args, "-record", *set.record)
	}
	if set.filter != "" {
		args = append(args, "-filter", set.filter)
	}
	if set.details {
		args = append(args, "-details")
	}
	if set.answerWithin != nil {
		args = append(args, "-answer-within", set.answerWithin.String())
	}
	if set.silence > mcptools.ShortestSilence {
		args = append(args, "-silence", set.silence.String())
	}
	return args, err
}

// definePrintConfig adds the flag.
func (set *mcpFlags) definePrintConfig(flags *flag.FlagSet) {
	flags.StringVar(&set.printConfig, "print-config", "", "print the configuration of a `CLIENT` that uses this server with the "+
		"other flags, and serve nothing: "+strings.Join(configuredNames(), ", "))
}
