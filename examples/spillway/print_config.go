package main

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/notice"
)

// configured are the clients whose configuration is printed.
var configured = map[string]clientForm{
	"claude": {servers: "mcpServers", file: ".mcp.json in the project"},
	"codex":  {servers: "mcp_servers", file: "~/.codex/config.toml", toml: true, bytes: 8500},
	"cursor": {servers: "mcpServers", folder: "${workspaceFolder}", file: ".cursor/mcp.json in the project"},
	"gemini": {servers: "mcpServers", file: ".gemini/settings.json in the project", httpURL: true},
	"qwen":   {servers: "mcpServers", file: ".qwen/settings.json in the project", httpURL: true, bytes: 25_000, lines: 1000},
	"vscode": {servers: "servers", folder: "${workspaceFolder}", typed: true, file: ".vscode/mcp.json in the project"},
	"zed":    {servers: "context_servers", file: "Zed's settings.json"},
}

// configuredNames are their names.
func configuredNames() []string { return slices.Sorted(maps.Keys(configured)) }

// clientForm is how a client is configured.
type clientForm struct {
	servers string // the key of the servers
	folder  string // what stands for the directory that is open, if the client has that
	typed   bool   // a server has a type
	httpURL bool   // the address of a server has a key of its own
	toml    bool   // its configuration is TOML, and has the name of a variable for the token
	file    string

	// bytes and lines are those of a result that the client shows whole, if it shows less than the server gives by
	// default; docs/mcp.md has the sources. Codex shows 10,000 bytes of a result as JSON, in which a line break is two.
	bytes, lines int
}

// limits are the flags with which the server's results, with their notices, are shown whole, unless the options say less.
func (c clientForm) limits(cfg config.Config) (flags []string) {
	lower := func(name string, is, most int) {
		if most > 0 && (is == 0 || is > most) {
			flags = append(flags, "-set", fmt.Sprint(name, "=", most))
		}
	}
	lower("MaxBytes", cfg.MaxBytes, max(0, c.bytes-notice.Allowance))
	lower("MaxLines", cfg.MaxLines, max(0, c.lines-noticeLines))
	return flags
}

// noticeLines is how many lines the notices of a result may have, with what stands out in it.
const noticeLines = 100

// entry is what a client's configuration says of a server.
type entry struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	HTTPURL string            `json:"httpUrl,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// writeJSON writes a server in JSON.
func writeJSON(out io.Writer, servers string, server entry) error {
	text := json.NewEncoder(out)
	text.SetIndent("", "  ")
	text.SetEscapeHTML(false)
	return text.Encode(map[string]any{servers: map[string]entry{"spillway": server}})
}

// writeTOML writes a server in TOML, whose strings and lists of strings are those of JSON.
func writeTOML(out io.Writer, servers string, server entry) error {
	lines := []string{fmt.Sprintf("[%s.spillway]", servers)}
	set := func(key string, value any) {
		var text strings.Builder
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(value) // no error: they are strings
		lines = append(lines, key+" = "+strings.TrimSuffix(text.String(), "\n"))
	}
	if server.Command != "" {
		set("command", server.Command)
		set("args", server.Args)
	} else {
		set("url", server.URL)
		set("bearer_token_env_var", tokenVariable)
		set("http_headers."+mcptools.ClientHeader, server.Headers[mcptools.ClientHeader])
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
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
		cfg, err := set.config()
		if err != nil {
			return err
		}
		server.Args = append(server.Args, client.limits(cfg)...)
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
		if client.httpURL {
			server.URL, server.HTTPURL = "", server.URL
		}
		if client.typed || set.printConfig == "claude" {
			server.Type = "http"
		}
		note = ". Put the server's token in place of TOKEN; -token-file keeps it from start to start"
		if client.toml {
			note = ". It takes the server's token from the variable " + tokenVariable
		}
	}
	fmt.Fprintf(stderr, "spillway: this is for %s%s\n", client.file, note)
	if client.toml {
		return writeTOML(out, client.servers, server)
	}
	return writeJSON(out, client.servers, server)
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
	for _, p := range set.parts {
		args = append(args, "-"+strings.TrimPrefix(p.Path, "tools/"))
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
