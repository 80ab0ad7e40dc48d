package calls_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/spillway-go/spillway/tools"
)

// This file holds what the property tests share: the invariants of every result,
// and what makes and describes trees of files.

// raw is Suite.Call with the bytes of the arguments, and the invariants.
func raw(t testing.TB, s *tools.Suite, tool, args string) (tools.Result, tools.Code) {
	t.Helper()
	res, err := s.Call(context.Background(), tool, json.RawMessage(args))
	return res, holds(t, res, err, 30<<10)
}
