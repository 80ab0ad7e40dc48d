package main

import (
	"context"
	"errors"
	"flag"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// options are the flags for the configuration, which the commands share that need one. They
// go before the environment (SPILLWAY_...), that before the file, and that before the
// defaults.
type options struct {
	file   string
	given  []given
	record *string      // the file of -record; nil if that is not given
	filter string       // the command of -filter
	parts  []tools.Part // besides all.Parts; each is named as its flag is
}

// given is an option that a flag sets, or a list that it adds to.
type given struct {
	option, value, flag string
	adds                bool
}

// define adds flags of these names, or all without any.
func (o *options) define(flags *flag.FlagSet, names ...string) {
	all := flag.NewFlagSet("", flag.ContinueOnError)
	o.defineAll(all)
	all.VisitAll(func(f *flag.Flag) {
		if len(names) == 0 || slices.Contains(names, f.Name) {
			flags.Var(f.Value, f.Name, f.Usage)
		}
	})
}

func (o *options) defineAll(flags *flag.FlagSet) {
	add := func(name, option, about string, define func(name, usage string, f func(string) error)) {
		define(name, about, func(value string) error {
			o.given = append(o.given, given{option, value, "-" + name, strings.HasPrefix(option, "Rules.") || option == "Bash.Hosts"})
			return nil
		})
	}
	add("workspace", "Workspace", "work in `DIR`, and confine the tools to it (default: the current directory)", flags.Func)
	add("allow-outside-workspace", "AllowOutsideWorkspace", "let the tools read anywhere", flags.BoolFunc)
	add("read-only", "ReadOnly", "leave out bash and the tools that change files", flags.BoolFunc)
	add("allow", "Rules.Allow", "make the calls of a `RULE`, such as 'bash(git log *)' or 'edit(src/**)', and ask about "+
		"others that change or run something; again for more", flags.Func)
	add("ask", "Rules.Ask", "ask about the calls of a `RULE`, even if -allow has them", flags.Func)
	add("deny", "Rules.Deny", "refuse the calls of a `RULE`, such as 'read(**/.env)', even if the others have them", flags.Func)
	add("sandbox", "Bash.Sandbox", "confine commands with an `ENGINE`: auto, landlock, bwrap or off", flags.Func)
	add("allow-host", "Bash.Hosts", "let sandboxed commands reach a `HOST`, such as example.org, '*.example.org' or "+
		"example.org:8443, and no others; again for more", flags.Func)
	add("redact", "Redact", "replace secrets in all that is shown and kept: `WHICH` is off, known (values of variables "+
		"that commands do not get) or secrets (also what looks like a credential)", flags.Func)
	flags.StringVar(&o.file, "config", "", "take options from a `FILE` in JSON")
	const set = "set any option, as `NAME=VALUE` with the name that spillway config shows: " +
		"-set Grep.Limit=20; again for more"
	flags.Func("set", set, func(text string) error {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return errors.New("write it as -set Grep.Limit=20")
		}
		o.given = append(o.given, given{name, value, "-set", false})
		return nil
	})
}

// config is the configuration of the file, the environment and the flags.
func (o *options) config() (cfg config.Config, err error) {
	if o.file != "" {
		if cfg, err = config.Load(o.file); err != nil {
			return cfg, refused{err}
		}
	}
	if cfg, err = config.FromEnv(cfg); err != nil {
		return cfg, refused{err}
	}
	for _, g := range o.given {
		value := g.value
		if g.adds {
			value = "+" + value
		}
		if cfg, err = cfg.Set(g.option, value, g.flag); err != nil {
			return cfg, refused{err}
		}
	}
	return cfg, nil
}

// ruled reports whether there are rules, without which nothing is asked about.
func ruled(cfg config.Config) bool {
	return len(cfg.Rules.Allow)+len(cfg.Rules.Ask)+len(cfg.Rules.Deny) > 0
}

// asker is a Config.Ask.
type asker func(context.Context, config.Call) (config.Answer, error)

// unasked refuses what would be asked about, and says which flags allow it.
func unasked(_ context.Context, call config.Call) (config.Answer, error) {
	return config.Answer{}, question.Refusal(call, "nobody can be asked here")
}

// newSuite returns a suite with a configuration, and with these parts besides all.Parts. ask is asked if there are rules.
func newSuite(cfg config.Config, ask asker, more ...tools.Part) (*tools.Suite, error) {
	if ruled(cfg) {
		cfg.Ask = ask
	}
	suite, err := tools.New(cfg, append(all.Parts(), more...)...)
	if wrong, ok := errors.AsType[*config.OptionError](err); ok && more == nil && strings.HasPrefix(wrong.Option, "Checkpoint.") {
		wrong.Want = "left out without -checkpoint"
	}
	if err != nil {
		return nil, refused{err}
	}
	return suite, nil
}
