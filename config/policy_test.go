package config_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
)

// A policy is one option: an object in a file, its text in a variable. What it does not say is the default.
func TestPolicy(t *testing.T) {
	ends := truncation.Policy{First: 10, Last: 10, Threshold: 3000}
	five := ends
	five.First = 5
	all := truncation.Policy{First: 1, Last: 2, Threshold: 3, Marker: "\n<{count}>", Limits: truncation.Limits{Chars: 4}}
	const want = `, but must be an object with chars, first, last, threshold or marker, such as {"first": 10, "marker": "\n..."}`
	for _, tt := range []struct {
		text string
		want truncation.Policy
		err  string
	}{
		{`{}`, ends, ""},
		{` {"first": 5} `, five, ""},
		{`{"Chars": 4, "FIRST": 1, "last": 2, "threshold": 3, "marker": "\n<{count}>"}`, all, ""},
		{`{"first": 1.5}`, ends, `{"first":1.5}`},
		{`{"first": "5"}`, ends, `{"first":"5"}`},
		{`{"last": -1}`, ends, `{"last":-1}`},
		{`{"strategy": "head"}`, ends, `{"strategy":"head"}`},
		{`[1]`, ends, `a list`},
		{`true`, ends, `true`},
		{`"x"`, ends, `"x"`},
	} {
		loaded, err := load(t, `{"bash": {"policy": `+tt.text+`}}`)
		if tt.err != "" {
			require.ErrorContains(t, err, "Bash.Policy is "+tt.err+want)
			_, err = config.Config{}.Set("Bash.Policy", tt.text, "-set")
			require.ErrorContains(t, err, "config: -set: Bash.Policy is ", tt.text)
			continue
		}
		require.NoError(t, err, tt.text)
		t.Setenv("SPILLWAY_BASH_POLICY", tt.text)
		fromEnv, err := config.FromEnv(config.Config{})
		require.NoError(t, err, tt.text)
		for _, c := range []config.Config{loaded, fromEnv} {
			c, err = c.Resolved()
			require.NoError(t, err)
			require.Equal(t, tt.want, c.Bash.Policy)
			again, err := config.Config{}.Set("Bash.Policy", c.Values()["Bash.Policy"], "")
			require.NoError(t, err)
			require.Equal(t, tt.want, again.Bash.Policy, "what Values returns can be set")
		}
	}
	_, err := config.Config{}.Set("Bash.Policy", `{} {}`, "-set")
	require.ErrorContains(t, err, "Bash.Policy is ")
	for _, p := range []truncation.Policy{
		{Strategy: truncation.Head}, {Prefix: "x"}, {First: -1}, {Limits: truncation.Limits{Chars: -1}}, {Limits: truncation.Limits{Lines: 3}},
		{Save: func() (string, error) { return "", nil }},
	} {
		_, err := config.Config{Bash: config.Bash{Policy: p}}.Resolved()
		var refused *config.OptionError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, "Bash.Policy", refused.Option)
	}
	var object map[string]any
	for _, o := range config.Options() {
		if o.Name == "Bash.Policy" {
			require.NoError(t, json.Unmarshal([]byte(o.Default), &object))
			require.Equal(t, "policy", o.Kind)
		}
	}
	require.Len(t, object, 3)
}
