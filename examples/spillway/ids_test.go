package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ids are ids as a client may send them, with the one in the answer. See modelcontextprotocol/go-sdk#1253.
var ids = []struct {
	sent, answered string
	refused        bool
}{
	{sent: `0`, answered: `0`},
	{sent: `-1`, answered: `-1`},
	{sent: `9007199254740991`, answered: `9007199254740991`},
	{sent: `-9007199254740991`, answered: `-9007199254740991`},
	{sent: `1e3`, answered: `1000`}, // the same number
	{sent: `2.50E+1`, answered: `25`},
	{sent: `30.00`, answered: `30`},
	{sent: `3100e-2`, answered: `31`},
	{sent: `-0`, answered: `0`},
	{sent: `-0.0e-7`, answered: `0`},
	{sent: `""`, answered: `""`},
	{sent: `"1"`, answered: `"1"`},
	{sent: `"1.5"`, answered: `"1.5"`},
	{sent: `"9007199254740993"`, answered: `"9007199254740993"`},
	{sent: `"ä\n"`, answered: `"ä\n"`},
	{sent: `9007199254740992`, answered: `9007199254740992`, refused: true},
	{sent: `9007199254740993`, answered: `9007199254740993`, refused: true},
	{sent: `-9007199254740993`, answered: `-9007199254740993`, refused: true},
	{sent: `9223372036854775808`, answered: `9223372036854775808`, refused: true},
	{sent: `1e16`, answered: `1e16`, refused: true},
	{sent: `1.5`, answered: `1.5`, refused: true},
	{sent: `-0.5`, answered: `-0.5`, refused: true},
	{sent: `1e-400`, answered: `1e-400`, refused: true},
	{sent: `1e400`, answered: `1e400`, refused: true},
	{sent: `1e99999999999999999999`, answered: `1e99999999999999999999`, refused: true},
	{sent: `7.00000000000000000000001`, answered: `7.00000000000000000000001`, refused: true},
	{sent: strings.Repeat("7", 5000), answered: strings.Repeat("7", 5000), refused: true},
	{sent: `"\ud800"`, answered: `"\ud800"`, refused: true}, // which would be answered as "\ufffd", and so would "\ud801"
	{sent: `null`, answered: `null`, refused: true},
	{sent: `{}`, answered: `null`, refused: true},
	{sent: `[1]`, answered: `null`, refused: true},
	{sent: `true`, answered: `null`, refused: true},
}

// Every request is answered by its own id, or refused by it.
func TestIDsOverStdio(t *testing.T) {
	t.Parallel()
	p := start(t, "-workspace", t.TempDir())
	p.initialize()
	for i, test := range ids {
		p.forget(test.answered)
		p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, test.sent))
		p.request(100+i, "ping", `{}`) // answered behind it
		var m message
		eventually(t, "the answer to "+test.sent, func() (ok bool) { m, ok = p.answer(test.answered); return ok })
		if refused := m.Error != nil && m.Error.Code == -32600 && m.Error.Message != ""; refused != test.refused ||
			refused == (m.Result != nil) {
			t.Errorf("%s: result %s, error %+v", test.sent, m.Result, m.Error)
		}
	}
	p.mu.Lock()
	if p.answers["null"].Error == nil || len(p.answers) > 2*len(ids)+1 {
		t.Errorf("%d answers", len(p.answers))
	}
	p.mu.Unlock()
	p.hang()
	p.endsWell()
}

func TestIDsOverHTTP(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	session := second(t, s)
	for _, test := range ids {
		r := s.request("POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, test.sent))
		r.Header.Set("Mcp-Session-Id", session)
		res, body := s.do(r)
		if !test.refused {
			if res.StatusCode != http.StatusOK || !strings.Contains(body, `"id":`+test.answered) {
				t.Errorf("%s: %s, %s", test.sent, res.Status, body)
			}
			continue
		}
		var m message
		if err := json.Unmarshal([]byte(body), &m); res.StatusCode != http.StatusBadRequest || test.answered != "null" &&
			(err != nil || string(m.ID) != test.answered || m.Error == nil || m.Error.Code != -32600) {
			t.Errorf("%s: %s, %s", test.sent, res.Status, body)
		}
	}
}

// A request of a batch that is refused takes none of the others with it.
func TestIDsInBatch(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(spillway(t), "mcp", "-workspace", t.TempDir())
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`[{"jsonrpc":"2.0","id":2.5,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}]`,
		`[{"jsonrpc":"2.0","id":3.5,"method":"ping"}]`,
	}, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(out)) {
		for _, id := range []string{`"id":2.5,"error"`, `[{"jsonrpc":"2.0","id":2,"result"`, `"id":9007199254740993,"error"`, `"id":3.5,"error"`} {
			if strings.Contains(line, id) {
				got = append(got, id)
			}
		}
	}
	if len(got) != 4 || strings.Count(string(out), "\n") != 5 {
		t.Errorf("answered %q in:\n%s", got, out)
	}
}

// A cancellation ends the call that it names, and no other.
func TestCancelledIDs(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := t.TempDir()
	p := start(t, "-workspace", dir)
	p.initialize()
	wait := callOf("bash", `{"command":"echo $$ > shell; until [ -e go-on ]; do sleep 0.05; done; echo done"}`)
	p.write(`{"jsonrpc":"2.0","id":9007199254740991,"method":"tools/call","params":` + wait + `}`)
	pidIn(t, filepath.Join(dir, "shell"))
	for _, id := range []string{
		`9007199254740991.1`, `9007199254740991.00000000000000001`, `9007199254740992`, `"9007199254740991"`, `null`, `{}`, `1e400`,
	} {
		p.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id))
	}
	p.request(50, "ping", `{}`)
	write(t, filepath.Join(dir, "go-on"), nil)
	eventually(t, "the answer to the call", func() bool { _, ok := p.answer("9007199254740991"); return ok })
	if m, _ := p.answer("9007199254740991"); m.Error != nil || !strings.Contains(string(m.Result), "done") {
		t.Errorf("the call: %s, %+v", m.Result, m.Error)
	}
	if m, refused := p.answer("null"); refused {
		t.Errorf("a notification is answered: %+v", m.Error)
	}
	if err := os.Remove(filepath.Join(dir, "go-on")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "shell"), nil)
	p.write(`{"jsonrpc":"2.0","id":9007199254740990,"method":"tools/call","params":` + wait + `}`)
	shell := pidIn(t, filepath.Join(dir, "shell"))
	p.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":900719925474099e1}}`)
	gone(t, shell)
	p.hang()
	p.endsWell()
}

// Progress is told by the token that the client gave, or the call is refused.
func TestProgressTokens(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := t.TempDir()
	tokens := []string{`5`, `"5"`, `1e2`, `9007199254740991`, `9007199254740993`, `0.1000000000000000055`, `1e400`, `"\ud800"`}
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, token := range tokens {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"bash","arguments":`+
			`{"command":"echo half way; sleep 0.5"},"_meta":{"progressToken":%s}}}`, 10+i, token))
	}
	cmd := exec.Command(spillway(t), "mcp", "-workspace", dir)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	told, refused := map[string]bool{}, []int{}
	for line := range strings.Lines(string(out)) {
		var m struct {
			ID     int
			Params struct{ ProgressToken json.RawMessage }
			Error  *struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.Error != nil && m.Error.Code == -32602 {
			refused = append(refused, m.ID)
		} else if m.Params.ProgressToken != nil {
			told[string(m.Params.ProgressToken)] = true
		}
	}
	slices.Sort(refused)
	if want := []int{14, 15, 16, 17}; !slices.Equal(refused, want) {
		t.Errorf("refused are %d, not %d", refused, want)
	}
	for _, token := range []string{`5`, `"5"`, `100`, `9007199254740991`} {
		if !told[token] {
			t.Errorf("no progress for %s", token)
		}
	}
	if len(told) != 4 {
		t.Errorf("progress for %v", told)
	}
}
