package rules_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/rules"
)

// TestNarrow: a rule about some files is never stricter than the one about all of them, whatever a line names.
func TestNarrow(t *testing.T) {
	t.Setenv("HOME", home)
	lines := append(everyday(t, "reads.txt"), everyday(t, "changes.txt")...)
	text, err := os.ReadFile("testdata/everyday/session.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if _, command, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); ok && line[0] != '#' && line[0] != ' ' {
			lines = append(lines, command)
		}
	}
	for _, c := range cases(t, vendorLines) {
		lines = append(lines, c.line)
	}
	passed := 0
	for n, tool := range []string{"edit", "write", "apply_patch", "read"} {
		for m, list := range []string{"deny", "ask"} {
			wide := parseRules(t, tool, "allow bash; "+list+" "+tool)
			for i, line := range lines {
				if testing.Short() && i%8 != n+4*m { // each line with one of the eight
					continue
				}
				call := inTree(line)
				limit := wide.Judge(call)
				for _, glob := range globsOf(call) {
					if rules.CheckStrict(tool+"("+glob+")") != nil {
						continue
					}
					narrow := parseRules(t, glob, "allow bash; "+list+" "+tool+"("+glob+")")
					got := narrow.Judge(call)
					if got.Decision > limit.Decision {
						t.Errorf("%s %s(%s) is stricter than %s: %s: %s", list, tool, glob, tool, line, got.Why)
					}
					if got.Decision == rules.Allowed {
						passed++
					}
				}
			}
		}
	}
	require.Greater(t, passed, 1000)
}

var withoutClasses = strings.NewReplacer("[", "?", "]", "?", "{", "?", "}", "?", ";", "?")

// globsOf returns patterns: a few, and the words of a line, which it is most likely to be refused for.
func globsOf(call rules.Call) (globs []string) {
	globs = []string{"**", "**/*", "*", "**/*.go", "src/**", ".git/**", "vendor/**", "**/.env", "~/**", "/tmp/**", "/**"}
	for _, c := range call.Line.Commands {
		for _, w := range c.Words {
			word := withoutClasses.Replace(w.Text)
			globs = append(globs, word, strings.TrimSuffix(word, "/")+"/**")
		}
	}
	return globs
}

const vendorLines = "testdata/vendor/lines.txt"

// TestVendor judges the lines of testdata/vendor/lines.txt by rules that keep a directory as it is.
func TestVendor(t *testing.T) {
	for _, list := range []string{"deny", "ask"} {
		set := parseRules(t, list, fmt.Sprintf("allow bash; %s edit(vendor/**)", list))
		reading := parseRules(t, list, fmt.Sprintf("allow bash; %s read(vendor/**)", list))
		for _, c := range cases(t, vendorLines) {
			got := set.Judge(inTree(c.line))
			switch c.want {
			case "reads":
				assert.Equal(t, rules.Allowed, got.Decision, "%s: %s", c.line, got.Why)
				assert.NotEqual(t, rules.Allowed, reading.Judge(inTree(c.line)).Decision, c.line)
			case "writes", "may":
				assert.NotEqual(t, rules.Allowed, got.Decision, c.line)
			default:
				t.Errorf("%s is no kind of line", c.want)
			}
		}
	}
}
