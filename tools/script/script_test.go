package script_test

import (
	"encoding/json"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

func TestTry(t *testing.T) {
	s, err := tools.New(config.Config{Workspace: "../.."})
	require.NoError(t, err)
	defer s.Close()
	tool, err := script.New(s, script.Options{})
	require.NoError(t, err)
	require.NoError(t, s.Add(tool))
	t.Log(tool.Description(), len(tool.Description()))
	for _, code := range []string{
		`return 1+1`, `return {a: [1,2,3]}`, `print("a", {b: 1}); console.log([1])`,
		`const {lines} = await tools.grep({pattern: "TODO", glob: "*.go"});
return Object.entries(Object.groupBy(lines, l => l.path)).map(([path, list]) => path + " " + list.length).join("\n");`,
		"const x = 1;\nconst y = null;\nreturn y.z", "const x = ;", "await tools.read({path: 'nope.go'})",
		`return (await tools.bash({command: "exit 3"})).exitCode`,
		`tools.read({path: "nope"}); return 5`,
		`await new Promise(() => {})`, `while(true){}`, `let a=[]; while(true) a.push({})`, `function f(){ return f()+1 } f()`,
		`const r = await Promise.all(Array.from({length: 20}, (_, i) => tools.bash({command: "echo " + i}))); return r.map(x => x.text.trim()).join(",")`,
		`await tools.read({path: "go.mod", bogus: 1})`, `throw "x"`, `throw null`, `throw {get message(){throw 1}}`,
		`return 10n`, `const a = {}; a.a = a; return a`, `await tools.script({code: "1"})`, `for (;;) tools.ls({})`, `while (true) print("x".repeat(1000))`,
		`return Object.keys(await tools.read({path: "go.mod"}))`, `image(await tools.read({path: "go.mod"}))`,
		`JSON.stringify = null; Promise = null; Object.prototype.then = 3; return await tools.ls({path: "docs"}).then(x => x.names.length)`,
	} {
		raw, _ := json.Marshal(map[string]string{"code": code})
		res, err := s.Call(t.Context(), "script", raw)
		require.NoError(t, err)
		text := res.Text
		if len(text) > 700 {
			text = text[:700]
		}
		t.Logf("\n>>> %s\n%s %s", code, res.Code, text)
	}
}
