package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/stretchr/testify/require"
)

// The table of the manual is what the command prints.
func TestDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("masks lines of 5 MB")
	}
	t.Chdir("..")
	there, err := section.Read(page, "secrets")
	require.NoError(t, err)
	var printed strings.Builder
	require.NoError(t, run(&printed, false, false))
	require.Equal(t, printed.String(), there, "go -C internal/bench run ./secrets -write")
}

// TestGoals holds what is promised of each part.
func TestGoals(t *testing.T) {
	if testing.Short() {
		t.Skip("masks lines of 5 MB")
	}
	for i, p := range parts {
		for j, m := range modes {
			o := measured()[i][j]
			var b bytes.Buffer
			o.print(&b, p.name+", "+m.name)
			require.Equal(t, samples, o.secrets)
			require.Equal(t, samples, o.plain)
			require.GreaterOrEqual(t, o.kinds, 30)
			if m.name == "known" {
				require.Empty(t, o.missed, b.String())
				require.Empty(t, o.touched, b.String())
			} else {
				require.LessOrEqual(t, len(o.missed)*20, o.secrets, b.String())
				require.LessOrEqual(t, len(o.touched)*100, o.plain, b.String())
			}
		}
	}
}

// TestSeen says when a secret counts as missed.
func TestSeen(t *testing.T) {
	s := sample{text: []byte("a=0123456789 "), secret: "0123456789"}
	require.True(t, seen(s, s.text))
	require.True(t, seen(s, []byte("a=[x]3456    ")), "four of its characters")
	require.False(t, seen(s, []byte("a=[redacted] ")))
	require.False(t, seen(s, []byte("a=[x]345     ")))
	// The first characters of base64 are those of the name.
	s = sample{text: []byte("dXNlcjpzZWNyZXQx"), secret: "dXNlcjpzZWNyZXQx"}
	require.False(t, seen(s, []byte("dXNlcjp[redact] ")))
	require.True(t, seen(s, []byte("dXNlcjpzZWNyZXQx")))
}

// TestCorpus checks that a text holds its secret once it is made, and that the same text is made each time.
func TestCorpus(t *testing.T) {
	for _, p := range parts {
		again := p.secrets()
		for i, s := range p.secrets() {
			require.Equal(t, s, again[i])
			require.GreaterOrEqual(t, len(s.secret), 8, "%s", s.text)
			if s.carrier != "colors" {
				require.Equal(t, 1, min(bytes.Count(s.text, []byte(s.secret)), 1), "%s: %.200s", s.kind, s.text)
			}
		}
	}
	// GitHub's documentation has a token whose checksum is right.
	require.Equal(t, "0mLq17", sum62("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ"))
}
