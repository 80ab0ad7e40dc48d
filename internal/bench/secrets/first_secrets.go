package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/big"
	"strings"
)

var first = part{name: "first", kinds: firstKinds, carriers: firstCarriers, lookalikes: firstLookalikes, seed: 1}

// token returns a kind that is a prefix and n characters of an alphabet.
func token(name, prefix, alphabet string, n int) kind {
	return kind{name: name, make: func(g gen) (string, string) { return prefix + g.of(alphabet, n), "" }}
}

// summed returns a kind that ends with the checksum of GitHub and npm.
func summed(name, prefix string) kind {
	return kind{name: name, make: func(g gen) (string, string) {
		body := g.of(base62, 30)
		return prefix + body + sum62(body), ""
	}}
}

// sum62 returns the CRC-32 of text in base 62, with six digits.
func sum62(text string) string {
	s := big.NewInt(int64(crc32.ChecksumIEEE([]byte(text)))).Text(62)
	// big.Int has the small letters first.
	s = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
	return strings.Repeat("0", 6-len(s)) + s
}

// within returns a kind of whole texts in which format has the secret for its %s.
func within(name, format string, secret func(g gen) string) kind {
	return kind{name: name, whole: true, make: func(g gen) (string, string) {
		s := secret(g)
		return strings.Replace(format, "%s", s, 1), s
	}}
}

func alnum(n int) func(gen) string { return func(g gen) string { return g.of(base62, n) } }

// password returns one as people and programs make them.
func password(g gen) string {
	switch g.IntN(4) {
	case 0:
		return g.pick("Summer", "falcon", "Tr0ub", "river", "Bicycle") + g.of(digit, 4) + g.pick("!", "#", "$", "")
	case 1:
		return g.of(base62+"!#%^*_-", 14) + "7k"
	case 2:
		return g.pick("blue", "Zebra", "k1wi") + "-" + g.of(lower, 5) + "-" + g.of(digit, 3)
	}
	return g.of(base62, 20)
}

// pem returns a private key, with lines that end with newline.
func pem(g gen, label, newline string, n int) (text, body string) {
	body = base64.StdEncoding.EncodeToString(g.bytes(n))
	var lines []string
	for rest := body; rest != ""; {
		k := min(64, len(rest))
		lines = append(lines, rest[:k])
		rest = rest[k:]
	}
	return "-----BEGIN " + label + "-----" + newline + strings.Join(lines, newline) + newline + "-----END " + label + "-----" + newline, strings.Join(lines, newline)
}

func jwt(g gen) string {
	enc := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // maps of strings are always valid
		}
		return base64.RawURLEncoding.EncodeToString(b)
	}
	return enc(map[string]string{"alg": g.pick("HS256", "RS256", "ES256"), "typ": "JWT"}) + "." +
		enc(map[string]any{"sub": g.uuid(), "exp": 1790000000 + g.IntN(1e6)}) + "." + g.of(url64, 43)
}

var firstKinds = []kind{
	{name: "private key", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, g.pick("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"), "\n", 400+g.IntN(800))
		return "$ cat key.pem\n" + text + "$ ls\n", body
	}},
	{name: "private key in JSON", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "PRIVATE KEY", `\n`, 1200)
		return fmt.Sprintf("{\n  \"type\": \"service_account\",\n  \"project_id\": \"demo-%s\",\n  \"private_key\": \"%s\",\n  \"client_email\": \"x@demo.iam.gserviceaccount.com\"\n}\n",
			g.of(lower, 5), text), body
	}},
	{name: "private key in YAML", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "PRIVATE KEY", "\n    ", 600)
		return "tls:\n  key: |\n    " + text + "\nreplicas: 2\n", body
	}},
	token("AWS access key", "AKIA", upper[:24]+"234567", 16),
	within("AWS secret key", "[default]\naws_access_key_id = x\naws_secret_access_key = %s\nregion = eu-west-1\n", func(g gen) string { return g.of(std64, 40) }),
	token("Google API key", "AIza", url64, 35),
	token("Google OAuth secret", "GOCSPX-", url64, 28),
	within("Azure storage key", "DefaultEndpointsProtocol=https;AccountName=demo;AccountKey=%s;EndpointSuffix=core.windows.net\n",
		func(g gen) string { return base64.StdEncoding.EncodeToString(g.bytes(64)) }),
	within("Azure signature", "GET https://demo.blob.core.windows.net/c/f.txt?sv=2024-11-04&se=2026-12-01T00%3A00%3A00Z&sr=b&sp=r&sig=%s HTTP/1.1\n",
		func(g gen) string { return g.of(base62, 43) + "%3D" }),
	{name: "Azure client secret", make: func(g gen) (string, string) {
		s := g.of(base62, 3) + g.of(digit, 1) + "Q~" + g.of(base62+"_.-", 34)
		return s, s[4:]
	}},
	summed("GitHub token", "ghp_"),
	summed("GitHub app token", "ghs_"),
	{name: "GitHub fine-grained token", make: func(g gen) (string, string) {
		return "github_pat_" + g.of(base62, 22) + "_" + g.of(base62, 59), ""
	}},
	token("GitLab token", "glpat-", url64, 20),
	{name: "Slack token", make: func(g gen) (string, string) {
		return fmt.Sprintf("xoxb-%s-%s-%s", g.of(digit, 12), g.of(digit, 12), g.of(base62, 24)), ""
	}},
	{name: "Slack webhook", make: func(g gen) (string, string) {
		s := "T" + g.of(upper+digit, 8) + "/B" + g.of(upper+digit, 8) + "/" + g.of(base62, 24)
		return "https://hooks.slack.com/services/" + s, s
	}},
	{name: "Discord webhook", make: func(g gen) (string, string) {
		s := g.of(digit, 18) + "/" + g.of(url64, 68)
		return "https://discord.com/api/webhooks/" + s, s
	}},
	token("Stripe key", "sk_live_", base62, 24),
	{name: "OpenAI key", make: func(g gen) (string, string) {
		return "sk-proj-" + g.of(url64, 74) + "T3BlbkFJ" + g.of(url64, 74), ""
	}},
	token("Anthropic key", "sk-ant-api03-", url64, 95),
	token("Hugging Face token", "hf_", upper+lower, 34),
	summed("npm token", "npm_"),
	token("PyPI token", "pypi-AgEIcHlwaS5vcmc", url64, 120),
	token("Docker token", "dckr_pat_", url64, 27),
	token("Twilio key", "SK", hex, 32),
	{name: "SendGrid key", make: func(g gen) (string, string) { return "SG." + g.of(url64, 22) + "." + g.of(url64, 43), "" }},
	{name: "Telegram bot token", make: func(g gen) (string, string) {
		s := "AA" + g.of(url64, 33)
		return g.of("123456789", 10) + ":" + s, s
	}},
	token("DigitalOcean token", "dop_v1_", hex, 64),
	token("Shopify token", "shpat_", hex, 32),
	token("Vault token", "hvs.", url64, 90),
	token("Databricks token", "dapi", hex, 32),
	{name: "JWT", make: func(g gen) (string, string) { return jwt(g), "" }},
	within("bearer", "> GET /v1/me HTTP/1.1\n> Host: api.internal\n> Authorization: Bearer %s\n> Accept: */*\n", alnum(40)),
	within("basic", "> GET / HTTP/2\r\n> authorization: Basic %s\r\n> user-agent: curl/8.5.0\r\n", func(g gen) string {
		return base64.StdEncoding.EncodeToString([]byte("deploy:" + g.of(base62, 12)))
	}),
	within("cookie", "Host: app.internal\nCookie: theme=dark; %s\nAccept: text/html\n", func(g gen) string { return "session_id=" + g.of(base62, 32) }),
	within("set cookie", "< HTTP/1.1 200 OK\n< Set-Cookie: connect.sid=%s; Path=/; HttpOnly\n", func(g gen) string { return "s%3A" + g.of(base62, 32) + "." + g.of(base62, 43) }),
	within("API key header", "POST /ingest HTTP/1.1\nX-Api-Key: %s\nContent-Length: 2\n", alnum(32)),
	within("password in a URL", "2026-11-23 10:11:12 connecting to postgres://app:%s@db.internal:5432/app?sslmode=require\n", password),
	within("password in a URL", "remote.origin.url=https://x-access-token:%s@git.internal/team/app.git\n", alnum(24)),
	within("curl -u", "+ curl -sS -u deploy:%s https://repo.internal/upload\n", password),
	within("password in .env", "APP_ENV=production\nDB_HOST=db\nDB_PASSWORD=%s\nDB_PORT=5432\n", password),
	within("password in YAML", "database:\n  user: app\n  password: %s\n  pool: 5\n", password),
	within("password in JSON", "{\"user\": \"app\", \"password\": \"%s\", \"host\": \"db\"}\n", password),
	within("password in ini", "[client]\nuser = root\npassword = %s\n", password),
	within("npmrc", "//npm.example.org/:_authToken=%s\nalways-auth=true\n", func(g gen) string { return g.uuid() }),
	within("netrc", "machine api.internal login deploy password %s\n", password),
	within("docker config", "{\n\t\"auths\": {\n\t\t\"https://index.docker.io/v1/\": {\n\t\t\t\"auth\": \"%s\"\n\t\t}\n\t}\n}\n",
		func(g gen) string { return base64.StdEncoding.EncodeToString([]byte("bob:" + g.of(base62, 16))) }),
	within("secret in TOML", "[auth]\nclient_secret = \"%s\"\nissuer = \"https://id.internal\"\n", alnum(32)),
	within("XML", "<server>\n  <id>nexus</id>\n  <username>ci</username>\n  <password>%s</password>\n</server>\n", password),
}

var firstCarriers = []carrier{
	{"log", func(g gen, _, v string) string {
		return fmt.Sprintf("2026-11-23T10:00:01Z INFO starting worker %d\n2026-11-23T10:00:02Z DEBUG using credential %s for upstream\n2026-11-23T10:00:03Z INFO ready\n", g.IntN(9), v)
	}},
	{".env", func(_ gen, k, v string) string {
		return "PORT=8080\n" + strings.ToUpper(strings.ReplaceAll(k, " ", "_")) + "=" + v + "\nDEBUG=0\n"
	}},
	{"diff", func(_ gen, _, v string) string {
		return "diff --git a/app.py b/app.py\n@@ -1,3 +1,3 @@\n import os\n-KEY = os.environ[\"KEY\"]\n+KEY = \"" + v + "\"\n print(1)\n"
	}},
	{"JSON", func(g gen, _, v string) string {
		return fmt.Sprintf(`{"id":%d,"config":{"credential":"%s","retries":3},"ok":true}`+"\n", g.IntN(1000), v)
	}},
	{"shell trace", func(_ gen, _, v string) string {
		return "+ set -e\n+ export CRED=" + v + "\n+ ./deploy --cred " + v + " --region eu\n"
	}},
	{"YAML", func(_ gen, _, v string) string {
		return "services:\n  app:\n    environment:\n      CRED: '" + v + "'\n"
	}},
	{"HTTP dump", func(_ gen, _, v string) string {
		return "> POST /v1/run HTTP/2\r\n> host: api.internal\r\n> x-credential: " + v + "\r\n> \r\n{\"a\":1}"
	}},
	{"URL", func(_ gen, _, v string) string {
		return "GET https://api.internal/v1/items?cred=" + v + "&page=2 200 12ms\n"
	}},
	{"source", func(_ gen, _, v string) string {
		return "func client() *Client {\n\treturn New(\"" + v + "\", nil)\n}\n"
	}},
	{"colors", func(_ gen, _, v string) string {
		return "\x1b[35mapp.py\x1b[m\x1b[K\x1b[36m:\x1b[m\x1b[K12:KEY = \"" + v[:3] + "\x1b[01;31m\x1b[K" + v[3:6] + "\x1b[m\x1b[K" + v[6:] + "\"\n"
	}},
}
