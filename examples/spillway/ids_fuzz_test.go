package main

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

var (
	plain   = regexp.MustCompile(`^-?[0-9]{1,15}$`)
	precise = regexp.MustCompile(`^[^eE]*([eE][+-]?[0-9]{1,3})?$`) // as a fraction of integers
)

// An id that comes back is the same in the SDK's answer, and whole numbers of 15 digits do.
func FuzzComesBack(f *testing.F) {
	for _, test := range ids {
		f.Add(test.sent)
	}
	f.Fuzz(func(t *testing.T, id string) {
		id = strings.TrimSpace(id)
		if !json.Valid([]byte(id)) || strings.IndexByte("{[tfn", id[0]) >= 0 {
			return
		}
		if !comesBack([]byte(id)) {
			if plain.MatchString(id) {
				t.Fatal("refused")
			}
			return
		}
		message, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","method":"ping","id":` + id + `}`))
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: message.(*jsonrpc.Request).ID, Result: []byte("{}")})
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ ID json.RawMessage }
		if err := json.Unmarshal(encoded, &answer); err != nil {
			t.Fatal(err)
		}
		if !sameID(id, string(answer.ID)) {
			t.Fatalf("answered as %s", answer.ID)
		}
	})
}

func sameID(sent, answered string) bool {
	if sent[0] != '"' {
		if !precise.MatchString(sent) {
			return true // it takes too long to tell
		}
		one, ok := new(big.Rat).SetString(sent)
		other, also := new(big.Rat).SetString(answered)
		return ok && also && one.Cmp(other) == 0
	}
	var one, other string
	return json.Unmarshal([]byte(sent), &one) == nil && json.Unmarshal([]byte(answered), &other) == nil && one == other
}
