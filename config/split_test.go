package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
)

func TestSplit(t *testing.T) {
	for list, want := range map[string][]string{
		"":                                     nil,
		" , ,":                                 nil,
		"read":                                 {"read"},
		"read, edit(src/**) ,job":              {"read", "edit(src/**)", "job"},
		"bash(git log --format=%h,%s),read":    {"bash(git log --format=%h,%s)", "read"},
		"edit(src/{a,b}/**), read(a,b)":        {"edit(src/{a,b}/**)", "read(a,b)"},
		"bash(echo (a, b), c),read":            {"bash(echo (a, b), c)", "read"},
		`bash(echo ')', a),read`:               {`bash(echo ')', a)`, "read"},
		`bash(echo ")\",", a),read`:            {`bash(echo ")\",", a)`, "read"},
		`bash(echo \), a),read`:                {`bash(echo \), a)`, "read"},
		`bash(echo '\'),read`:                  {`bash(echo '\')`, "read"},
		`bash (a, b),read`:                     {"bash (a, b)", "read"},
		"read(don't/**),edit(won't/**)":        {"read(don't/**)", "edit(won't/**)"}, // a name of a file, no quote
		`read(a\),edit`:                        {`read(a\)`, "edit"},
		"read),edit":                           {"read)", "edit"},
		"bash(git log, read":                   {"bash(git log, read"},
		"bash(echo 'a), read":                  {"bash(echo 'a), read"},
		`bash(a\`:                              {`bash(a\`},
		"*, mcp__server__tool, bash(readonly)": {"*", "mcp__server__tool", "bash(readonly)"},
	} {
		require.Equal(t, want, config.SplitRules(list), "%q", list)
	}
}

// Rules without a comma at the top come back as they were.
func FuzzSplit(f *testing.F) {
	for _, list := range []string{"read,edit(a,b)", `bash(a ')' "\"," \),),x`, "((,", "a),(b"} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		all := config.SplitRules(list)
		require.Equal(t, all, config.SplitRules(strings.Join(all, ", ")))
		for _, rule := range all {
			require.Equal(t, []string{rule}, config.SplitRules(rule))
		}
	})
}
