package part_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/part"
)

// Every option that needs a part is refused without it, and says how to get it.
func TestRefused(t *testing.T) {
	set, err := part.Join(nil)
	require.NoError(t, err)
	cfg, err := config.Config{}.Resolved()
	require.NoError(t, err)
	require.NoError(t, set.Refused(cfg), "defaults need no part")
	for _, o := range config.Options() {
		if o.Part == "" {
			continue
		}
		value := map[string]string{"bool": "true", "list": "x", "size": "64MiB", "string": "x"}[o.Kind]
		if o.Values != nil && o.Kind != "bool" {
			value = o.Values[len(o.Values)-1]
		}
		cfg, err := config.Config{}.Set(o.Name, value, "test")
		require.NoError(t, err, o.Name)
		cfg, err = cfg.Resolved()
		require.NoError(t, err, o.Name)
		var refused *config.OptionError
		require.ErrorAs(t, set.Refused(cfg), &refused, o.Name)
		require.Equal(t, o.Name, refused.Option)
		require.Contains(t, refused.Want, "without its part: import github.com/spillway-go/spillway/"+o.Part)
		with, err := part.Join([]part.Part{{Path: o.Part}})
		require.NoError(t, err)
		require.NoError(t, with.Refused(cfg), o.Name)
	}
	cfg.Ask = func(context.Context, config.Call) (config.Answer, error) { return config.Answer{}, nil }
	require.ErrorContains(t, set.Refused(cfg), "Ask is set, but must be nil without its part: import github.com/spillway-go/spillway/tools/permission ")
}

func TestJoin(t *testing.T) {
	_, err := part.Join([]part.Part{{Path: "tools/a"}, {Path: "tools/b"}, {Path: "tools/a"}})
	require.EqualError(t, err, "tools: New was given the part tools/a twice")
}
