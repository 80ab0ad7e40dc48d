package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

// computing are scripts that compute for long inside of one built-in function, which no engine asks whether it may go on.
var computing = map[string]string{
	"indexOf":    `const a = "a".repeat(1e7), b = "a".repeat(5e6) + "b"; return a.indexOf(b)`,
	"includes":   `const a = "a".repeat(1e7), b = "a".repeat(5e6) + "b"; return a.includes(b)`,
	"split":      `const a = "a".repeat(1e7), b = "a".repeat(5e6) + "b"; return a.split(b).length`,
	"replaceAll": `const a = "a".repeat(1e7), b = "a".repeat(5e6) + "b"; return a.replaceAll(b, "").length`,
	"map":        `const a = []; a.length = 4e9; return a.map(String).length`,
	"sort":       `const a = []; a.length = 4e9; return a.sort().length`,
	"join":       `const a = []; a.length = 4e9; return a.join("").length`,
	"every":      `const a = []; a.length = 4e9; return a.every(x => x)`,
	"array":      `return [].includes.call({length: 2 ** 53 - 1}, 1)`,
	"lastIndex":  `return [].lastIndexOf.call({length: 2 ** 53 - 1}, 1)`,
	"reverse":    `return [].reverse.call({length: 2 ** 53 - 1})`,
	"copyWithin": `return [].copyWithin.call({length: 2 ** 53 - 1}, 0, 1)`,
	"fill":       `return [].fill.call(new Proxy({length: 2 ** 53 - 1}, {set: () => true}), 1)`,
	"concat":     `const a = []; a.length = 4e9; return [].concat(a, a).length`,
	"raw":        `return String.raw({raw: {length: 2 ** 53 - 1}})`,
	"apply":      `for (;;) { try { Reflect.apply(Math.max, null, {length: 6e4}) } catch { } }`,
	"drop":       `return [].values().constructor.from({next: () => ({done: false})}).drop(2 ** 53 - 1).next()`,
	"iterator":   `return Iterator.prototype.drop.call({next: Object}, Infinity).next()`,
	"regexp":     `return /^(a|a)*$/.test("a".repeat(40) + "b")`,
	"match":      `return "a".repeat(3e5).match(/a*b/g)`,
	"normalize":  `for (;;) "\u0344".repeat(1e6).normalize("NFD")`,
	"big":        `return (3n ** 5000000n).toString().length`,
	"parse":      `const text = "[" + "[],".repeat(1e6) + "1]"; for (;;) JSON.parse(text)`,
	"dates":      `for (;;) new Date("x".repeat(1e6))`,
}

// Each ends by its own limit, and when its caller goes, wherever the engine is: with -short by one of the two.
func TestBuiltinsEnd(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Hour}, nil)
	limit := 50
	if testing.Short() {
		limit = 20
	}
	for i, name := range slices.Sorted(maps.Keys(computing)) {
		t.Run(name, func(t *testing.T) {
			code := computing[name]
			if !testing.Short() || i%2 == 0 {
				raw, err := json.Marshal(map[string]any{"code": code, "timeout_ms": limit})
				require.NoError(t, err)
				res, err := s.Call(t.Context(), script.Name, raw)
				require.NoError(t, err)
				require.Equal(t, tools.CodeTimeout, res.Code, res.Text)
				require.Contains(t, res.Text, fmt.Sprintf("timeout: the script was ended after %dms", limit))
			}
			if !testing.Short() || i%2 == 1 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(limit)*time.Millisecond)
				defer cancel()
				res := runIn(ctx, t, s, code)
				require.Equal(t, tools.CodeAborted, res.Code, res.Text)
			}
		})
	}
}
