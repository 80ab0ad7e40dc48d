package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/sandbox"
)

const wantHost = `a host with or without a port, such as "example.org", "*.example.org", "db.internal:5432", ` +
	`"example.org:*" or "[2001:db8::1]:443"`

// The part refuses lists that name no hosts, and says where they come from.
func TestRefused(t *testing.T) {
	t.Setenv("SPILLWAY_BASH_PRIVATE_HOSTS", "*")
	fromEnv, err := config.FromEnv(config.Config{})
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		cfg  config.Config
		want string
	}{
		"page": {config.Config{Bash: config.Bash{Hosts: []string{"example.org", "https://example.org/"}}},
			`config: Bash.Hosts is "https://example.org/", but must be ` + wantHost + ` (it is an address of a page: write its host alone)`},
		"every host": {fromEnv, `config: SPILLWAY_BASH_PRIVATE_HOSTS: Bash.PrivateHosts is "*", but must be ` + wantHost +
			` (it is every host: set Bash.Network for that)`},
		"number": {config.Config{Bash: config.Bash{Hosts: []string{"2130706433"}}}, `config: Bash.Hosts is "2130706433", but must be ` +
			wantHost + ` (it is a number that some programs take for an address: write the address in full, such as 127.0.0.1)`},
		"network": {config.Config{Bash: config.Bash{Network: true, Hosts: []string{"example.org"}}},
			`config: Bash.Network is true, but must be false with Bash.Hosts, as it lets commands reach every host`},
	} {
		t.Run(name, func(t *testing.T) {
			tt.cfg.Workspace = t.TempDir()
			_, err := tools.New(tt.cfg, sandbox.Part())
			require.EqualError(t, err, tt.want)
		})
	}
}
