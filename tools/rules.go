package tools

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/rules"
)

// Without this file, config/rules_check.go and the folder internal/rules, suites have no rules.
func init() { rulesOf = ruled }

func ruled(cfg config.Config) policy {
	if cfg.Ask == nil && empty(cfg.Rules) {
		return policy{}
	}
	r := &ruling{ask: cfg.Ask, asking: make(chan struct{}, 1)}
	r.set.Store(rules.New(cfg.Rules.Allow, cfg.Rules.Ask, cfg.Rules.Deny))
	return policy{r.decide, r.reads}
}

// ruling is the rules of a suite, with those that answers have added.
type ruling struct {
	ask    askFunc
	asking chan struct{} // holds a value while a call is asked about
	set    atomic.Pointer[rules.Set]
}

// reads returns what says whether a search may read a file.
func (r *ruling) reads() func(path string) (may, ask bool) {
	set := r.set.Load()
	if !set.LimitReads() {
		return nil
	}
	return func(path string) (may, ask bool) {
		decision := set.Reads(path).Decision
		return decision == rules.Allowed, decision == rules.Asked
	}
}

// decide judges a call, and asks about it if the rules say so.
func (r *ruling) decide(ctx context.Context, call config.Call, seen *foreseen) error {
	var paths []rules.Path
	for _, p := range seen.paths {
		paths = append(paths, rules.Path(p))
	}
	judged := rules.Call{
		Tool: call.Tool, Paths: paths, Line: seen.line, Place: seen.place,
		ReadOnly: seen.readOnly, Protected: seen.protected, Holds: seen.holds, Terminal: seen.terminal,
		LocalGo:   seen.localGo,
		ReadsOnly: seen.readsOnly || !call.Effects.Writes && !call.Effects.Executes,
	}
	verdict := r.set.Load().Judge(judged)
	if verdict.Decision == rules.Asked && r.ask != nil {
		select {
		case r.asking <- struct{}{}:
			defer func() { <-r.asking }()
		case <-ctx.Done():
			return failure(ctx.Err(), "")
		}
		verdict = r.set.Load().Judge(judged) // an answer that came meanwhile may hold for this call
	}
	switch {
	case verdict.Decision == rules.Allowed:
		return nil
	case verdict.Decision == rules.Denied:
		return errorf(CodeDenied, "%s. Do it without that, or ask the user", verdict.Why)
	case r.ask == nil:
		return errorf(CodeDenied, "%s, and nobody can be asked here. Do it without that, or ask the user", verdict.Why)
	}
	call.Why, call.Session = verdict.Why, verdict.Session
	answer, err := r.ask(ctx, call)
	if err != nil {
		return err
	}
	switch answer.Decision {
	case config.Once:
		return nil
	case config.Session:
		r.set.Store(r.set.Load().And(verdict.Session...))
		return nil
	}
	if reason := strings.TrimSpace(answer.Reason); reason != "" {
		return errorf(CodeDenied, "the user said no: %s", quote.Short(quote.Inline(reason), maxMessage))
	}
	return errorf(CodeDenied, "the user said no. Do not try it another way; ask what to do instead")
}
