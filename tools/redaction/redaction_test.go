package redaction_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/tools/redaction"
)

// Without the part, no suite and no record is made that would show what Redact hides.
func TestRefused(t *testing.T) {
	t.Setenv("SPILLWAY_REDACT", "known")
	fromEnv, err := config.FromEnv(config.Config{})
	require.NoError(t, err)
	values := func() []string { return []string{"tr0ub4dor&3-x"} }
	const without = ", but must be off without its part: import github.com/spillway-go/spillway/tools/redaction and give "
	for name, tt := range map[string]struct {
		cfg  config.Config
		want string // the beginning of the error; "" if the part is not needed
	}{
		"known":       {config.Config{Redact: config.RedactKnown}, "config: Redact is known"},
		"secrets":     {config.Config{Redact: config.RedactSecrets}, "config: Redact is secrets"},
		"environment": {fromEnv, "config: SPILLWAY_REDACT: Redact is known"},
		"values":      {config.Config{Redact: config.RedactKnown, RedactValues: values}, "config: Redact is known"},
		"off":         {config.Config{Redact: config.RedactOff, RedactValues: values}, ""},
		"nothing":     {config.Config{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tt.cfg.Workspace = t.TempDir()
			open := func(parts ...tools.Part) error {
				rec, err := record.Open(filepath.Join(t.TempDir(), "record.jsonl"), tt.cfg, parts...)
				if err == nil {
					err = rec.Close()
				}
				return err
			}
			start := func(parts ...tools.Part) error {
				s, err := tools.New(tt.cfg, parts...)
				if err == nil {
					err = s.Close()
				}
				return err
			}
			for to, call := range map[string]func(parts ...tools.Part) error{"tools.New": start, "record.Open": open} {
				if err := call(); tt.want == "" {
					require.NoError(t, err)
				} else {
					require.EqualError(t, err, tt.want+without+to+" redaction.Part() too")
				}
				require.NoError(t, call(redaction.Part()))
			}
		})
	}
}
