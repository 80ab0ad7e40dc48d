package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// valuesOf returns arguments like args with each value of each parameter that has a list of values, and args itself.
func valuesOf(params any, args map[string]any) (all []map[string]any) {
	all = append(all, args)
	t := reflect.TypeOf(params)
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		values := strings.Split(t.Field(i).Tag.Get("arg"), "|")
		if len(values) < 2 {
			continue
		}
		for _, v := range values {
			with := maps.Clone(args)
			with[key] = v
			all = append(all, with)
		}
	}
	return all
}

// everyCall is a call of each tool, for each value that one of its arguments may have.
func everyCall() map[string][]map[string]any {
	change := "*** Begin Patch\n*** Update File: c.txt\n-gone\n+new\n*** End Patch\n"
	return map[string][]map[string]any{
		"read":  append(valuesOf(tools.ReadParams{}, map[string]any{"path": "a.txt"}), valuesOf(tools.ReadParams{}, map[string]any{"path": ".env"})...),
		"bash":  valuesOf(tools.BashParams{}, map[string]any{"command": "cat .env"}),
		"grep":  valuesOf(tools.GrepParams{}, map[string]any{"pattern": "TOKEN"}),
		"find":  valuesOf(tools.FindParams{}, map[string]any{"pattern": "*.txt"}),
		"ls":    valuesOf(tools.LsParams{}, map[string]any{}),
		"write": valuesOf(tools.WriteParams{}, map[string]any{"path": "new.txt", "content": "x\n"}),
		"edit":  valuesOf(tools.EditParams{}, map[string]any{"path": "b.txt", "old_string": "nothing", "new_string": "y"}),
		"apply_patch": valuesOf(struct {
			Patch string `json:"patch"`
		}{}, map[string]any{"patch": change}),
		"job": append(valuesOf(tools.JobParams{}, map[string]any{}), valuesOf(tools.JobParams{}, map[string]any{"id": 1})...),
	}
}

// TestEveryValueOfEveryArgument returns a result, whatever stands between the call and its tool, and never a typed nil.
// With -short it has a quarter of what may stand there: each with each of the others, but not all together.
func TestEveryValueOfEveryArgument(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, c := range everyCall()["read"] {
		shown[fmt.Sprint(c["show"])] = true
	}
	require.True(t, shown["digest"], "the arguments of read do not have the value that once ended the program")
	n := 0 // of modes with rules
	for _, mode := range []config.Redact{config.RedactOff, config.RedactKnown, config.RedactSecrets} {
		for _, rules := range []config.Rules{{}, {Allow: []string{"bash(cat *)", "edit", "write", "apply_patch"}}, {Deny: []string{"read(.env)"}}} {
			for i, observed := range []bool{false, true} {
				for j, viewed := range []bool{false, true} {
					if testing.Short() && i+2*j != n%4 {
						continue
					}
					name := fmt.Sprintf("%s/%d/%t/%t", mode, len(rules.Allow)+2*len(rules.Deny), observed, viewed)
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						cfg := config.Config{Redact: mode, Rules: rules, Tools: config.ToolNames()}
						if observed {
							cfg.Observe = func(_ context.Context, e config.Event) {
								if _, err := json.Marshal(e); err != nil {
									t.Errorf("an event that cannot be recorded: %v", err)
								}
							}
						}
						s := newSuite(t, cfg, map[string]string{
							"a.txt": countedLines(50), "b.txt": "b\n", "c.txt": "gone\n", ".env": "A=1\nTOKEN=" + tokenValue + "\nB=" + knownValue + "\n",
						})
						if viewed {
							v, err := s.With(tools.View{})
							require.NoError(t, err)
							s = v
						}
						everyCallReturns(t, s, mode)
					})
				}
			}
			n++
		}
	}
}

func everyCallReturns(t *testing.T, s *tools.Suite, mode config.Redact) {
	names := slices.Sorted(maps.Keys(everyCall()))
	require.Len(t, names, len(config.ToolNames()))
	for _, name := range names {
		for _, args := range everyCall()[name] {
			res := call(t, s, name, args)
			require.NotEqual(t, tools.CodeInternal, res.Code, "%s %v: %s", name, args, res.Text)
			require.NotEmpty(t, res.Text, "%s %v", name, args)
			if mode != config.RedactOff {
				nothingIn(t, whole(t, res), knownValue)
			}
			if mode == config.RedactSecrets {
				nothingIn(t, whole(t, res), tokenValue)
			}
		}
	}
}

// TestADigestForAProgram has no error that is nil and still not equal to nil.
func TestADigestForAProgram(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": countedLines(5000)})
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.txt", Show: "digest"})
	require.True(t, err == nil, "%#v", err)
	require.Contains(t, res.Text, "Digest of 5,000 lines")
}

// unlucky panics where it is asked to.
type unlucky struct {
	fake
	effects func() config.Effects
}

func (u unlucky) Effects() config.Effects { return u.effects() }

// panicky are the things of a host that a call runs, each of which panics with a secret in its message.
func panicky(t *testing.T) map[string]func(*config.Config) (added tools.Tool) {
	t.Helper()
	oh := func() { panic("oh " + knownValue) }
	return map[string]func(*config.Config) tools.Tool{
		"guard": func(c *config.Config) tools.Tool {
			c.Guard = func(context.Context, config.Call) error { oh(); return nil }
			return says("done")
		},
		"ask": func(c *config.Config) tools.Tool {
			c.Ask = func(context.Context, config.Call) (config.Answer, error) { oh(); return config.Answer{}, nil }
			c.Rules = config.Rules{Ask: []string{"read", "fetch"}}
			return says("done")
		},
		"values": func(c *config.Config) tools.Tool {
			began := false // New asks for them too
			c.RedactValues = func() []string {
				if began {
					oh()
				}
				began = true
				return nil
			}
			return says("done")
		},
		"tool": func(*config.Config) tools.Tool {
			return fake{"fetch", func(json.RawMessage) (tools.Result, error) { oh(); return tools.Result{}, nil }}
		},
		"details": func(*config.Config) tools.Tool {
			return fake{"fetch", func(json.RawMessage) (tools.Result, error) {
				return tools.Result{Text: "x", Details: panics{}}, nil
			}}
		},
		"tokens": func(*config.Config) tools.Tool {
			policy := truncation.Policy{Limits: truncation.Limits{Tokens: 1, CountTokens: func(string) int { oh(); return 0 }}}
			return tools.Truncate(says(strings.Repeat("many words ", 500)), policy)
		},
		"effects": func(c *config.Config) tools.Tool {
			c.Guard = func(context.Context, config.Call) error { return nil }
			return unlucky{fake{"fetch", says("done").call}, func() config.Effects { oh(); return config.Effects{} }}
		},
	}
}

// panics cannot be encoded.
type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("oh " + knownValue) }

// TestWhatPanicsInACall is internal, whoever's it is: it does not end the program, and shows no secret. The suite goes
// on.
func TestWhatPanicsInACall(t *testing.T) {
	t.Parallel()
	for name, with := range panicky(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen []config.Event
			cfg := config.Config{Redact: config.RedactKnown, Observe: func(_ context.Context, e config.Event) { seen = append(seen, e) }}
			added := with(&cfg)
			s := newSuite(t, cfg, map[string]string{"a.txt": "a\n"})
			require.NoError(t, s.Add(added))
			tool, args := "fetch", "{}"
			if name == "values" {
				tool, args = "read", `{"path":"a.txt"}`
			}
			for range 2 {
				res, err := s.Call(t.Context(), tool, json.RawMessage(args))
				require.NoError(t, err)
				require.Equal(t, tools.CodeInternal, res.Code, res.Text)
				require.True(t, strings.HasPrefix(res.Text, "internal: a bug in "), res.Text)
				require.NotContains(t, res.Text, knownValue)
			}
			require.Len(t, seen, 2)
			require.Equal(t, tools.CodeInternal, seen[1].Code)
			require.Equal(t, 1, seen[1].AtOnce, "a call that panicked still counts as running")
			for _, e := range seen {
				require.Contains(t, e.Stack, "calls_test.", "where it happened")
				require.NotContains(t, e.Stack, knownValue)
				require.NotContains(t, e.Text, "goroutine")
			}
		})
	}
}

// TestAPanicInACallOfNoTool does not show the name that was called, which may hold a secret.
func TestAPanicInACallOfNoTool(t *testing.T) {
	t.Setenv("DEPLOY_TOKEN", knownValue)
	cfg := config.Config{Redact: config.RedactKnown}
	panicky(t)["values"](&cfg)
	s := newSuite(t, cfg, nil)
	res, err := s.Call(t.Context(), "no\nsuch "+knownValue, nil)
	require.NoError(t, err)
	require.Equal(t, tools.CodeInternal, res.Code)
	require.Regexp(t, `^internal: a bug in the call: oh \[redacted\] *\. Try something else$`, res.Text)
	nothingIn(t, whole(t, res), knownValue)
}
