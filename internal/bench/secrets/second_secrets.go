package main

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// second was made after the rules were written, and they were not changed for it.
var second = part{name: "second", kinds: secondKinds, carriers: secondCarriers, lookalikes: secondLookalikes, seed: 1001}

// generated returns a password as programs make them.
func generated(g gen) string {
	switch g.IntN(5) {
	case 0:
		return base64.StdEncoding.EncodeToString(g.bytes(18))
	case 1:
		return g.of(hex, 32)
	case 2:
		return g.of(lower, 3) + g.of(digit, 2) + g.of(upper, 3) + g.of("!@$%^*", 2) + g.of(lower, 4)
	case 3:
		return g.pick("Harbor", "Velvet", "Copper") + g.pick("Lamp", "Tree", "Moon") + g.pick("!", "@", "-") + g.of(digit, 2)
	}
	return g.of(lower+digit, 12)
}

// line returns a kind of whole texts that end with the secret's line.
func line(name, format string, secret func(g gen) string) kind {
	return within(name, format+"\n", secret)
}

func hexes(n int) func(gen) string { return func(g gen) string { return g.of(hex, n) } }

var secondKinds = []kind{
	{name: "OpenPGP private key", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "PGP PRIVATE KEY BLOCK", "\n", 1500)
		text = strings.Replace(text, "BLOCK-----\n", "BLOCK-----\nVersion: GnuPG v2\n\n", 1)
		return "$ gpg --export-secret-keys -a\n" + strings.Replace(text, "\n-----END", "\n="+g.of(base62, 4)+"\n-----END", 1), body
	}},
	{name: "encrypted key in a diff", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "ENCRYPTED PRIVATE KEY", "\n+", 900)
		return "@@ -0,0 +1,20 @@\n+" + strings.TrimSuffix(text, "+") + " unchanged line\n", body
	}},
	{name: "key that grep -n prints", whole: true, make: func(g gen) (string, string) {
		_, body := pem(g, "RSA PRIVATE KEY", "\n", 700)
		var b strings.Builder
		b.WriteString("1:-----BEGIN RSA PRIVATE KEY-----\n")
		for i, l := range strings.Split(body, "\n") {
			fmt.Fprintf(&b, "%d:%s\n", i+2, l)
		}
		b.WriteString("99:-----END RSA PRIVATE KEY-----\n")
		return b.String(), strings.Split(body, "\n")[3]
	}},
	{name: "half of a key", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "EC PRIVATE KEY", "\n", 300)
		half := strings.Join(strings.Split(body, "\n")[:3], "\n")
		return "$ head -4 key.pem\n" + text[:strings.Index(text, half)+len(half)] + "\n$ echo done with the key\ndone with the key\n", half
	}},
	{name: "PuTTY key", whole: true, make: func(g gen) (string, string) {
		_, body := pem(g, "", "\n", 250)
		n := strings.Count(body, "\n") + 1
		return fmt.Sprintf("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\nPublic-Lines: 1\nAAAAC3NzaC1lZDI1NTE5\nPrivate-Lines: %d\n%s\nPrivate-MAC: %s\n",
			n, body, g.of(hex, 64)), body
	}},
	token("age key", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
	token("AWS temporary key", "ASIA", upper[:24]+"234567", 16),
	line("AWS secret key in JSON", `  "SecretAccessKey": "%s",`, func(g gen) string { return g.of(std64, 40) }),
	line("AWS session token", `export AWS_SESSION_TOKEN=%s`, func(g gen) string { return "IQoJb3JpZ2luX2Vj" + g.of(std64, 300) + "==" }),
	line("signed URL", "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261123T101112Z&X-Amz-Expires=900&X-Amz-Signature=%s", hexes(64)),
	token("Google OAuth token", "ya29.a0", url64, 160),
	line("shared access key", "Endpoint=sb://demo.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=%s", func(g gen) string { return base64.StdEncoding.EncodeToString(g.bytes(32)) }),
	summed("GitHub user token", "ghu_"),
	token("GitLab runner token", "glrt-", url64, 20),
	{name: "Slack app token", make: func(g gen) (string, string) {
		return fmt.Sprintf("xapp-1-A%s-%s-%s", g.of(upper+digit, 10), g.of(digit, 13), g.of(hex, 64)), ""
	}},
	{name: "Discord bot token", make: func(g gen) (string, string) {
		return base64.RawStdEncoding.EncodeToString([]byte(g.of("123456789", 18))) + "." + g.of(url64, 6) + "." + g.of(url64, 38), ""
	}},
	token("Mailgun key", "key-", hex, 32),
	{name: "Mailchimp key", make: func(g gen) (string, string) { return g.of(hex, 32) + "-us" + g.of("123456789", 1), "" }},
	token("Square token", "sq0atp-", url64, 22),
	token("OpenRouter key", "sk-or-v1-", hex, 64),
	token("Groq key", "gsk_", base62, 52),
	token("Replicate token", "r8_", base62, 37),
	token("RubyGems key", "rubygems_", hex, 48),
	token("crates.io token", "cio", base62, 32),
	line("Heroku key", "HEROKU_API_KEY=%s", func(g gen) string { return g.uuid() }),
	token("Pulumi token", "pul-", hex, 40),
	{name: "Grafana token", make: func(g gen) (string, string) { return "glsa_" + g.of(base62, 32) + "_" + g.of(hex, 8), "" }},
	token("New Relic key", "NRAK-", upper+digit, 27),
	token("Sentry token", "sntryu_", hex, 64),
	token("Doppler token", "dp.pt.", base62, 43),
	token("Supabase key", "sbp_", hex, 40),
	{name: "Tailscale key", make: func(g gen) (string, string) {
		return "tskey-auth-k" + g.of(base62, 10) + "CNTRL-" + g.of(base62, 32), ""
	}},
	token("Linear key", "lin_api_", base62, 40),
	token("Notion token", "ntn_", base62, 46),
	{name: "Postman key", make: func(g gen) (string, string) { return "PMAK-" + g.of(hex, 24) + "-" + g.of(hex, 34), "" }},
	{name: "Airtable token", make: func(g gen) (string, string) { return "pat" + g.of(base62, 14) + "." + g.of(hex, 64), "" }},
	{name: "Terraform token", make: func(g gen) (string, string) {
		s := ".atlasv1." + g.of(url64, 67)
		return g.of(base62, 14) + s, s
	}},
	line("docker-compose", "    environment:\n      - POSTGRES_USER=app\n      - POSTGRES_PASSWORD=%s", generated),
	line("Dockerfile", "FROM alpine\nENV REDIS_PASSWORD=%s\nRUN true", generated),
	line("properties", "spring.datasource.username=app\nspring.datasource.password=%s", generated),
	line("tfvars", "db_user     = \"app\"\ndb_password = \"%s\"", generated),
	line("connection string", `"Default": "Server=db;Database=app;User Id=sa;Password=%s;Encrypt=true"`, func(g gen) string { return g.of(base62, 14) + "9x" }),
	line("PHP", "define( 'DB_PASSWORD', '%s' );", generated),
	line("Django", "SECRET_KEY = 'django-insecure-%s'", func(g gen) string { return g.of(lower+digit+"@#%^&*(-_=+)", 50) }),
	line("Rails", "production:\n  secret_key_base: %s", hexes(128)),
	line("Python call", `conn = psycopg2.connect(host="db", user="app", password="%s")`, generated),
	line("environment", "$ env\nHOME=/home/bob\nMYSQL_PWD=%s\nPGPASSFILE=/x", generated),
	line("command", "+ PGPASSWORD=%s psql -h db -U app -c 'select 1'", generated),
	line("flag", "$ ./app serve --db-password %s --port 80", generated),
	line("header of curl", `curl -H "PRIVATE-TOKEN: %s" https://git.internal/api/v4/projects`, alnum(24)),
	line("query", "GET /callback?state=1&access_token=%s&expires=3600 HTTP/1.1", alnum(40)),
	line("git credentials", "https://bob:%s@git.internal", alnum(30)),
	line("Kubernetes", "        - name: DB_PASSWORD\n          value: \"%s\"", generated),
	line("JSON of an API", `{"access_token":"%s","token_type":"bearer","expires_in":3600}`, alnum(48)),
	line("JSON in a log", `10:00 INFO body="{\"user\":\"app\",\"password\":\"%s\"}"`, func(g gen) string { return g.of(base62, 16) + "4Q" }),
	line("basic in a log", `{"headers":{"authorization":["Basic %s"]}}`, func(g gen) string { return base64.StdEncoding.EncodeToString([]byte("svc:" + g.of(base62, 20))) }),
	line("token header", "< x-auth-token: %s", alnum(36)),
	line("redis", "redis://:%s@cache.internal:6379/0", alnum(20)),
	line("sealed", "client-secret: %s", alnum(40)),
}

var secondCarriers = []carrier{
	{"CI log", func(_ gen, _, v string) string {
		return "##[group]Run deploy\n##[debug]input 'credential' = " + v + "\n##[endgroup]\n"
	}},
	{"Python", func(_ gen, _, v string) string { return "client = Client('" + v + "', timeout=3)\n" }},
	{"XML", func(_ gen, _, v string) string {
		return "<config>\n  <entry key=\"cred\">" + v + "</entry>\n</config>\n"
	}},
	{"Markdown", func(_ gen, _, v string) string { return "Use `" + v + "` until Friday.\n" }},
	{"CSV", func(g gen, _, v string) string { return "id,cred,ok\n" + g.of(digit, 4) + "," + v + ",1\n" }},
	{"escaped JSON", func(_ gen, _, v string) string {
		return `{"msg":"{\"cred\":\"` + v + `\",\"n\":1}"}` + "\n"
	}},
	{"word diff", func(_ gen, _, v string) string { return "cred: [-" + "none" + "-]{+" + v + "+}\n" }},
	{"colored diff", func(_ gen, _, v string) string {
		return "\x1b[31m-cred: none\x1b[m\n\x1b[32m+\x1b[m\x1b[32mcred: " + v + "\x1b[m\n"
	}},
	{"CRLF", func(_ gen, _, v string) string { return "[app]\r\ncred=" + v + "\r\nx=1\r\n" }},
	{"stack trace", func(_ gen, _, v string) string {
		return "Error: request failed with " + v + "\n    at Object.<anonymous> (/app/x.js:1:2)\n"
	}},
}
