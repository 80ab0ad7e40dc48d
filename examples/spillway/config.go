package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// jsonFormat is the version of what -json prints. A change that a program could stumble over raises it.
const jsonFormat = 1

// configCommand is spillway config.
func configCommand(flags *flag.FlagSet) runner {
	var opts options
	opts.define(flags)
	opts.addCheckpoint() // tools/checkpoint
	asJSON := flags.Bool("json", false, "print name, value and all else that is known of each as JSON")
	return func(args []string, out io.Writer) error {
		wanted, err := optionsOf(args)
		if err != nil {
			return err
		}
		cfg, err := opts.config()
		if err != nil {
			return err
		}
		resolved, wrong := tools.Check(cfg, append(all.Parts(), opts.parts...)...)
		if *asJSON && wrong == nil {
			return printOptions(out, wanted, resolved)
		}
		if !*asJSON {
			printTable(out, wanted, cfg.Describe())
		}
		if wrong != nil {
			return refused{wrong}
		}
		return nil
	}
}

// optionsOf returns the options of these names and groups, such as Grep.Limit and Grep; all of them without any.
func optionsOf(names []string) (list []config.Option, err error) {
	all := config.Options()
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		var known []string
		found := false
		for _, o := range all {
			group, _, _ := strings.Cut(o.Name, ".")
			known = append(known, group, o.Name)
			if strings.EqualFold(name, group) || strings.EqualFold(name, o.Name) {
				found, wanted[o.Name] = true, true
			}
		}
		if !found {
			return nil, usage("there is no option %q, and no group of options%s spillway config lists them all",
				name, didYouMean(known, name))
		}
	}
	return slices.DeleteFunc(all, func(o config.Option) bool { return !wanted[o.Name] }), nil
}

// groups are the names and groups that optionsOf knows.
func groups() (list []string) {
	for _, o := range config.Options() {
		group, _, inside := strings.Cut(o.Name, ".")
		if inside && !slices.Contains(list, group) {
			list = append(list, group)
		}
		list = append(list, o.Name)
	}
	return list
}

// printTable prints the lines of a table that begin with the name of an option.
func printTable(out io.Writer, wanted []config.Option, table string) {
	for line := range strings.Lines(table) {
		name, _, _ := strings.Cut(line, " ")
		if slices.ContainsFunc(wanted, func(o config.Option) bool { return o.Name == name }) {
			fmt.Fprint(out, line)
		}
	}
}

// jsonOption is an option as -json prints it.
type jsonOption struct {
	Name    string   `json:"name"`
	Value   string   `json:"value"`
	Source  string   `json:"source,omitempty"` // what set it; nothing if it has its default
	Env     string   `json:"env"`
	Key     string   `json:"key"`
	Kind    string   `json:"kind"`
	Default string   `json:"default,omitempty"`
	Floor   string   `json:"floor,omitempty"`
	Values  []string `json:"values,omitempty"`
	About   string   `json:"about"`
}

// printOptions prints the options with their values in a configuration that is resolved.
func printOptions(out io.Writer, wanted []config.Option, cfg config.Config) error {
	list := make([]jsonOption, len(wanted))
	for i, o := range wanted {
		value, source, _ := cfg.Lookup(o.Name)
		list[i] = jsonOption{o.Name, value, source, o.Env, o.Key, o.Kind, o.Default, o.Floor, o.Values, o.Doc}
	}
	return printJSON(out, struct {
		Format  int          `json:"format"`
		Options []jsonOption `json:"options"`
	}{jsonFormat, list})
}

// printJSON prints a value for programs, and so that people can read it.
func printJSON(out io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := out.Write(text.Bytes())
	return err
}
