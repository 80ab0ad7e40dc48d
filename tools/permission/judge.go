package permission

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/rules"
)

// judge is the rules of a suite, with those that answers have added.
type judge struct {
	ask    func(context.Context, config.Call) (config.Answer, error) // or nil
	asking chan struct{}                                             // holds a value while a call is asked about
	set    atomic.Pointer[rules.Set]
}

func newJudge(cfg config.Config) part.Judge {
	r := cfg.Rules
	if cfg.Ask == nil && len(r.Allow)+len(r.Ask)+len(r.Deny) == 0 {
		return part.AllowAll{}
	}
	j := &judge{ask: cfg.Ask, asking: make(chan struct{}, 1)}
	j.set.Store(rules.New(r.Allow, r.Ask, r.Deny))
	return j
}

func (j *judge) Reads() func(path string) (may, asked bool) {
	set := j.set.Load()
	if !set.LimitReads() {
		return nil
	}
	return func(path string) (may, asked bool) {
		decision := set.Reads(path).Decision
		return decision == rules.Allowed, decision == rules.Asked
	}
}

// maxReason is how many characters of the user's reason a model reads.
const maxReason = 700

// Decide judges a call, and asks about it if the rules say so.
func (j *judge) Decide(ctx context.Context, call part.Call) error {
	judged := rules.Call{
		Tool: call.Tool, ReadsOnly: call.ReadsOnly || !call.Effects.Writes && !call.Effects.Executes,
	}
	for _, p := range call.Named {
		judged.Paths = append(judged.Paths, rules.Path(p))
	}
	if l, ok := call.Line.(*line); ok {
		l.judged(ctx, &judged)
	}
	verdict := j.set.Load().Judge(judged)
	if verdict.Decision == rules.Asked && j.ask != nil {
		select {
		case j.asking <- struct{}{}:
			defer func() { <-j.asking }()
		case <-ctx.Done():
			return ctx.Err()
		}
		verdict = j.set.Load().Judge(judged) // an answer that came meanwhile may hold for this call
	}
	switch {
	case verdict.Decision == rules.Allowed:
		return nil
	case verdict.Decision == rules.Denied:
		return fault.Errorf(fault.Denied, "%s. Do it without that, or ask the user", verdict.Why)
	case j.ask == nil:
		return fault.Errorf(fault.Denied, "%s, and nobody can be asked here. Do it without that, or ask the user", verdict.Why)
	}
	asked := call.Call
	asked.Why, asked.Session = verdict.Why, verdict.Session
	answer, err := j.ask(ctx, asked)
	if err != nil {
		return err
	}
	switch answer.Decision {
	case config.DecisionOnce:
		return nil
	case config.DecisionSession:
		j.set.Store(j.set.Load().And(verdict.Session...))
		return nil
	}
	if reason := strings.TrimSpace(answer.Reason); reason != "" {
		return fault.Errorf(fault.Denied, "the user said no: %s", quote.Short(quote.Inline(reason), maxReason))
	}
	return fault.Errorf(fault.Denied, "the user said no. Do not try it another way; ask what to do instead")
}
