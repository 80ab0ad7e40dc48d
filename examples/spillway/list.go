package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/script"
)

// toolsCommand is spillway tools.
func toolsCommand(flags *flag.FlagSet) runner {
	var opts options
	opts.define(flags, "read-only", "sandbox", "allow-host", "set", "config") // what changes a description
	withScript := defineScript(flags)
	asJSON := flags.Bool("json", false, "print name, description and schema of each as JSON")
	return func(args []string, out io.Writer) error {
		cfg, err := opts.config()
		if err != nil {
			return err
		}
		cfg.Checkpoint = config.Checkpoint{} // tools are the same with other ones
		suite, err := newSuite(cfg, unasked)
		if err != nil {
			return err
		}
		defer suite.Close()
		if err := addScript(suite, cfg, *withScript || slices.Contains(args, script.Name)); err != nil {
			return err
		}
		list, err := chosen(suite.Tools(), args)
		if err != nil {
			return err
		}
		if *asJSON {
			return printSchemas(out, list)
		}
		for i, t := range list {
			if i > 0 {
				fmt.Fprintln(out)
			}
			if err := describe(out, t, widthOf(out)); err != nil {
				return err
			}
		}
		return nil
	}
}

// chosen is the tools of these names; without names, all.
func chosen(all []tools.Tool, names []string) (list []tools.Tool, err error) {
	var there []string
	for _, t := range all {
		there = append(there, t.Name())
	}
	for _, name := range names {
		i := slices.Index(there, name)
		if i < 0 && slices.Contains(config.ToolNames(), name) {
			return nil, usage("the options leave out %s (ReadOnly, Tools: see spillway config). There are %s",
				name, cmp.Or(strings.Join(there, ", "), "none"))
		}
		if i < 0 {
			return nil, usage("there is no tool %q%s The tools are %s", name, didYouMean(there, name), strings.Join(there, ", "))
		}
		list = append(list, all[i])
	}
	if len(names) == 0 {
		return all, nil
	}
	return list, nil
}

func printSchemas(out io.Writer, list []tools.Tool) error {
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
	}
	all := make([]tool, len(list))
	for i, t := range list {
		all[i] = tool{t.Name(), t.Description(), t.Schema()}
	}
	return printJSON(out, struct {
		Format int    `json:"format"`
		Tools  []tool `json:"tools"`
	}{jsonFormat, all})
}

// argument is one of a tool's, from its schema.
type argument struct {
	name, kind, about string
	values            []string // that it may have; nil for any
	required          bool
}

func namesOf(list []argument) []string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.name
	}
	return names
}

// allTools are those that a suite of that configuration has, to be described and not called. None are there if there is no
// such suite.
func allTools(cfg config.Config) []tools.Tool {
	cfg.Checkpoint = config.Checkpoint{}
	suite, err := tools.New(cfg, all.Parts()...)
	if err != nil {
		return nil
	}
	defer suite.Close()
	return suite.Tools()
}

// describe prints a tool as its model is told of it, in lines of that width.
func describe(out io.Writer, t tools.Tool, width int) error {
	list, err := argumentsOf(t)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(t.Name() + "\n")
	for line := range strings.SplitSeq(t.Description(), "\n") {
		fill(&b, line, 2, width)
	}
	at := 0
	for _, a := range list {
		at = max(at, len(a.name)+len("    ")+2)
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
	for _, a := range list {
		kind := a.kind
		if a.required {
			kind += ", required"
		}
		column(&b, a.name, "("+kind+") "+a.about, 4, at, width)
	}
	_, err = io.WriteString(out, b.String())
	return err
}

// argumentsOf is the arguments of a tool, in the order of its schema.
func argumentsOf(t tools.Tool) (list []argument, err error) {
	var schema struct {
		Properties json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(t.Schema(), &schema); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t.Name(), err)
	}
	properties := json.NewDecoder(strings.NewReader(string(schema.Properties)))
	if _, err := properties.Token(); err != nil { // the brace, or no properties
		return nil, nil
	}
	for properties.More() {
		name, err := properties.Token()
		if err != nil {
			return nil, err
		}
		var p struct {
			Type, Description string
			Enum              []string
			Items             struct{ Type string }
		}
		if err := properties.Decode(&p); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", t.Name(), err)
		}
		kind := cmp.Or(strings.Join(p.Enum, " | "), p.Type)
		a := argument{name: name.(string), kind: kind, about: p.Description, values: p.Enum}
		if p.Type == "boolean" {
			a.values = []string{"true", "false"}
		}
		if p.Items.Type != "" {
			a.kind = "list of " + p.Items.Type + "s"
		}
		a.required = slices.Contains(schema.Required, a.name)
		list = append(list, a)
	}
	return list, nil
}
