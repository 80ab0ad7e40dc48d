package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRedact has a client meet secrets in every place at which a session has them: a file, a failing command's log, the
// environment, a full output. None is in what it gets, in the record, or in the spill directory.
func TestRedact(t *testing.T) {
	needBash(t)
	known := "maple-" + "Tq82vd-harbour"
	password, key := "Wq7zR2"+"mLk9Tb4", strings.Repeat("MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun\n", 9)
	basic := base64.StdEncoding.EncodeToString([]byte("deploy:" + password))
	t.Setenv("DEPLOY_TOKEN", known)
	dir := workspace(t)
	for name, text := range map[string]string{
		".env":   "DATABASE_URL=postgres://shop:" + password + "@db/shop\nPORT=5432\n",
		"id_rsa": "-----BEGIN RSA PRIVATE KEY-----\n" + key + "-----END RSA PRIVATE KEY-----\n",
		"curl.log": "* Connected to api.example port 443\n> GET /v1 HTTP/1.1\n> Authorization: Basic " + basic + "\n> Cookie: session=" +
			password + basic + "\n< HTTP/1.1 401 Unauthorized\ncurl: (22) The requested URL returned error: 401\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record := filepath.Join(t.TempDir(), "record.jsonl")
	p := start(t, "-workspace", dir, "-redact", "secrets", "-record", record, "-set", "Bash.Env=X="+known)
	p.initialize()
	leak := fmt.Sprintf("printf '%%s %%s\\n' %s %s", known[:7], known[7:]) // in two pieces: nobody can know
	calls := []struct{ tool, args string }{
		{"read", `{"path":".env"}`},
		{"read", `{"path":"id_rsa","offset":4}`},
		{"grep", `{"pattern":"postgres|MIIE|Authorization","context":2}`},
		{"bash", `{"command":"cat curl.log >&2; exit 22"}`},
		{"bash", `{"command":"env; cat /proc/$PPID/environ | tr '\\0' '\\n'; echo $DEPLOY_TOKEN"}`},
		{"bash", `{"command":"seq 20000; cat .env id_rsa curl.log; seq 20000"}`},
		{"bash", `{"command":"cat id_rsa; sleep 0.2; echo ` + known + `","background":true,"ready_when":"nothing","timeout_ms":2000}`},
		{"bash", `{"command":"echo ` + known + ` >> .clarvis/bash-k3x9q2mf.log"}`},
		{"edit", `{"path":".env","old_string":"PORT=5432","new_string":"PORT=5433"}`},
		{"read", `{"path":"` + known + `"}`},
	}
	for i, c := range calls {
		p.call(10+i, c.tool, c.args)
	}
	p.request(30, "resources/read", `{"uri":"spillway://output/bash-k3x9q2mf.log"}`)
	if r := p.call(31, "bash", fmt.Sprintf(`{"command":%q}`, leak)); !strings.Contains(r.Content[0].Text, known[:7]) {
		t.Fatalf("the test sees nothing: %+v", r)
	}
	p.forget("31")
	p.request(32, "ping", "{}") // what was sent before its answer was read
	var seen strings.Builder
	p.mu.Lock()
	for _, m := range p.answers {
		fmt.Fprintf(&seen, "%s %+v\n", m.Result, m.Error)
	}
	p.mu.Unlock()
	p.cmd.Process.Signal(os.Interrupt)
	<-p.exit
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	seen.Write(data)
	os.Remove(filepath.Join(dir, ".clarvis", "bash-k3x9q2mf.log")) // which a command wrote by itself
	err = filepath.WalkDir(filepath.Join(dir, ".clarvis"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "before-") { // what a file held stays as it is
			return err
		}
		data, err := os.ReadFile(path)
		seen.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{known, password, basic, strings.Split(key, "\n")[0], base64.StdEncoding.EncodeToString([]byte(known))[:20]} {
		for _, part := range []string{secret, secret[:len(secret)*3/4], secret[len(secret)/4:]} {
			if i := strings.Index(seen.String(), part); i >= 0 {
				t.Errorf("%q is in what was seen: %q", part, seen.String()[max(0, i-200):min(seen.Len(), i+200)])
			}
		}
	}
	if n := strings.Count(seen.String(), "redacted"); n < 20 {
		t.Errorf("%d placeholders and notices", n)
	}
}
