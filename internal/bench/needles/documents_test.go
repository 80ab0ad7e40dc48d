package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of each part of the documents, nearly all needles are shown, and each result is JSON.
func TestDocuments(t *testing.T) {
	printed, err := documentTable()
	require.NoError(t, err)
	t.Log("\n" + printed)
	for _, h := range documentHalves {
		texts, err := load(h.name)
		require.NoError(t, err)
		r := row{}
		for _, text := range texts {
			require.True(t, json.Valid(text.text), text.Name)
			for _, s := range documentStrategies {
				if s.name != asJSON {
					continue
				}
				o := text.measure(s)
				r.add(o)
				shown, _ := s.show(text.text)
				require.True(t, json.Valid([]byte(shown)), text.Name)
				require.LessOrEqual(t, len(shown), 4<<10)
				if len(o.missed) > 0 {
					t.Logf("%s: missed %q", text.Name, o.missed)
				}
			}
		}
		require.GreaterOrEqual(t, r.share(), 95.0, h.name)
	}
}
