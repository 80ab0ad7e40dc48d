package main

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// third was made after the rules were changed for the second part. Nothing was changed for it.
var third = part{name: "third", kinds: thirdKinds, carriers: thirdCarriers, lookalikes: thirdLookalikes, seed: 2001}

// chosen returns a password as people make them, or a manager of passwords does.
func chosen(g gen) string {
	switch g.IntN(5) {
	case 0:
		return g.pick("Winter", "Dragon", "Monday", "Sunrise") + g.of(digit, 2) + g.pick("!", "?", "$$", "#1")
	case 1:
		return g.of(base62+"-_.~", 24)
	case 2:
		return g.of(lower, 6) + "-" + g.of(upper, 5) + "-" + g.of(digit+lower, 6)
	case 3:
		return g.pick("gr33n", "m0nkey", "pl4net") + g.of(digit, 3) + g.of("!@%", 1)
	}
	return g.of(hex, 20)
}

var thirdKinds = []kind{
	{name: "key in a Go file", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "RSA PRIVATE KEY", "\n", 600)
		return "package x\n\nconst key = `" + text + "`\n\nfunc f() {}\n", body
	}},
	{name: "key in .env", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "PRIVATE KEY", `\n`, 500)
		return "PORT=1\nPRIVATE_KEY=\"" + text + "\"\nDEBUG=1\n", body
	}},
	{name: "key in lines of JavaScript", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "EC PRIVATE KEY", "\\n' +\n  '", 160)
		return "const key = '" + text + "';\nmodule.exports = key;\n", body
	}},
	{name: "key with CRLF", whole: true, make: func(g gen) (string, string) {
		text, body := pem(g, "OPENSSH PRIVATE KEY", "\r\n", 400)
		return text, body
	}},
	token("AWS access key", "AKIA", upper[:24]+"234567", 16),
	line("AWS in a shell", "export AWS_SECRET_ACCESS_KEY=%s", func(g gen) string { return g.of(std64, 40) }),
	line("Google key in a query", "https://maps.googleapis.com/maps/api/js?key=%s&v=3", func(g gen) string { return "AIza" + g.of(url64, 35) }),
	line("Azure in C#", `var c = new BlobClient("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=%s");`, func(g gen) string { return base64.StdEncoding.EncodeToString(g.bytes(64)) }),
	summed("GitHub refresh token", "ghr_"),
	summed("npm token", "npm_"),
	token("GitLab deploy token", "gldt-", url64, 20),
	{name: "Slack user token", make: func(g gen) (string, string) {
		return fmt.Sprintf("xoxp-%s-%s-%s-%s", g.of(digit, 11), g.of(digit, 11), g.of(digit, 13), g.of(hex, 32)), ""
	}},
	token("Stripe restricted key", "rk_live_", base62, 99),
	token("Stripe webhook", "whsec_", base62, 32),
	{name: "OpenAI key", make: func(g gen) (string, string) {
		return "sk-svcacct-" + g.of(url64, 58) + "T3BlbkFJ" + g.of(url64, 58), ""
	}},
	token("old OpenAI key", "sk-", base62, 48),
	token("Anthropic OAuth token", "sk-ant-oat01-", url64, 93),
	token("Hugging Face token", "hf_", base62, 34),
	token("Docker token", "dckr_oat_", url64, 32),
	token("Shopify secret", "shpss_", hex, 32),
	token("Buildkite token", "bkua_", hex, 40),
	token("Figma token", "figd_", url64, 40),
	token("xAI key", "xai-", base62, 80),
	token("Vault batch token", "hvb.", url64, 140),
	{name: "JWT", make: func(g gen) (string, string) { return jwt(g), "" }},
	line("request of curl", "* Server auth using Bearer with user ''\n> GET /me HTTP/2\n> authorization: Bearer %s", func(g gen) string { return jwt(g) }),
	line("authorization in JSON", `{"method":"GET","headers":{"Authorization":"Bearer %s","Accept":"*/*"}}`, alnum(43)),
	line("authorization in Python", `headers = {"Authorization": "Token %s"}`, hexes(40)),
	line("API key in JavaScript", `const client = new Client({ apiKey: "%s", region: "eu" });`, alnum(32)),
	line("API key in Ruby", `config.api_key = '%s'`, hexes(32)),
	line("YAML with quotes", "smtp:\n  host: mail\n  password: '%s'", chosen),
	line("TOML", "[database]\npassword = \"%s\"", chosen),
	line("shell", "export DB_PASS='%s'", chosen),
	line("docker run", "docker run -e POSTGRES_PASSWORD=%s -p 5432:5432 postgres:17", chosen),
	line("log of settings", "settings: host=db port=5432 user=app password=%s sslmode=require", chosen),
	line("JDBC", "jdbc:postgresql://db:5432/app?user=app&password=%s", alnum(18)),
	line("MongoDB", "MONGO_URL=mongodb+srv://app:%s@cluster0.mongodb.net/app", alnum(18)),
	line("AMQP", "amqps://svc:%s@mq.internal:5671/vhost", chosen),
	line("git remote", "origin\thttps://oauth2:%s@gitlab.internal/a/b.git (fetch)", func(g gen) string { return "glpat-" + g.of(url64, 20) }),
	line("pip", "Looking in indexes: https://ci:%s@pypi.internal/simple", alnum(32)),
	line("Maven", "      <password>%s</password>", chosen),
	line("session cookie", "< set-cookie: sessionid=%s; HttpOnly; Path=/", func(g gen) string { return g.of(lower+digit, 32) }),
	line("cookies in JSON", `"Cookie: _ga=GA1.1.1; auth_token=%s"`, hexes(40)),
	line("wget", "wget --user bob --password %s https://repo.internal/x", chosen),
	line("http -a", "curl -u svc-deploy:%s -X PUT https://repo.internal/x", chosen),
	line("Ansible", "    ansible_become_password: %s", chosen),
	line("GitHub step", "  env:\n    NPM_TOKEN: %s", func(g gen) string { return g.uuid() }),
	line("WordPress", "define('AUTH_KEY', '%s');", func(g gen) string { return g.of(base62+"!@#%^*-_+=|", 64) }),
	line("secret in JSON", `"client_secret": "%s",`, func(g gen) string { return "GOCSPX-" + g.of(url64, 28) }),
	line("secret in Java", `    private static final String SECRET = "%s";`, alnum(44)),
	line("refresh token", `"refresh_token": "1//0%s"`, func(g gen) string { return g.of(url64, 98) }),
}

var thirdCarriers = []carrier{
	{"journal", func(_ gen, _, v string) string {
		return "Nov 23 10:11:12 web1 app[812]: starting with " + v + " (attempt 1)\n"
	}},
	{"table", func(_ gen, _, v string) string { return "| name | value |\n|---|---|\n| cred | " + v + " |\n" }},
	{"tabs", func(_ gen, _, v string) string { return "id\tcred\tnote\n7\t" + v + "\tok\n" }},
	{"Rust", func(_ gen, _, v string) string { return "    let c = Client::new(\"" + v + "\");\n" }},
	{"query", func(_ gen, _, v string) string { return "GET /hook?c=" + v + "&x=1 HTTP/1.1\n" }},
	{"JSON lines", func(_ gen, _, v string) string { return `{"level":"info","cred":"` + v + `"}` + "\n{}\n" }},
	{"angle brackets", func(_ gen, _, v string) string { return "<cred>" + v + "</cred>\n" }},
	{"end of the text", func(_ gen, _, v string) string { return "cred is " + v }},
	{"grep", func(_ gen, _, v string) string { return "src/a.py:12:    C = '" + v + "'\nsrc/b.py:1:x\n" }},
}

var thirdLookalikes = []lookalike{
	{"bun.lock", func(g gen) string {
		return `"jose": ["jose@5.9.6", "", {}, "sha512-` + g.of(std64, 86) + `=="],` + "\n"
	}},
	{"Gemfile.lock", func(g gen) string { return "  jwt (2.9.3) sha256=" + g.of(hex, 64) + "\n  devise-token (1.0.2)\n" }},
	{"pubspec.lock", func(g gen) string { return "      sha256: \"" + g.of(hex, 64) + "\"\n      url: \"https://pub.dev\"\n" }},
	{"git ls-remote", func(g gen) string {
		return g.of(hex, 40) + "\trefs/heads/fix-token\n" + g.of(hex, 40) + "\trefs/tags/v1\n"
	}},
	{"blame", func(g gen) string {
		return g.of(hex, 8) + " (Ann 2026-11-23 10:11:12 +0100 12) password := flag.String(\"password\", \"\", \"of the user\")\n"
	}},
	{"webpack", func(g gen) string { return "asset main." + g.of(hex, 20) + ".js 1.2 MiB [immutable] [hashed]\n" }},
	{"nginx", func(g gen) string {
		return "10.0.0.1 - - \"POST /oauth/token HTTP/1.1\" 401 " + g.of(digit, 3) + " \"-\" \"curl/8.5.0\" rt=0.0" + g.of(digit, 2) + "\n"
	}},
	{"kubectl secrets", func(g gen) string {
		return "db-password   Opaque   1   3d\nsh.helm.release.v1.app.v" + g.of("123456789", 1) + "   helm.sh/release.v1   1   3d\n"
	}},
	{"S3 listing", func(g gen) string {
		return "2026-11-23 10:11:12 " + g.of("123456789", 6) + " backups/" + g.uuid() + ".tar.gz\n"
	}},
	{"certificate in JSON", func(g gen) string {
		text, _ := pem(g, "CERTIFICATE", `\n`, 700)
		return "{\"cert\": \"" + text + "\"}\n"
	}},
	{"public key in YAML", func(g gen) string {
		return "age1" + g.of("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58) + "\nminisign: RWQ" + g.of(std64, 53) + "\npublic_key: " + g.of(std64, 43) + "=\n"
	}},
	{"Go", func(gen) string {
		return "func (c *Client) SetToken(token string) { c.token = token }\nif cfg.Password = os.Getenv(\"PASSWORD\"); cfg.Password == \"\" {\n\treturn errors.New(\"password: required\")\n}\nsecret := sha256.Sum256(seed)\nkey := cacheKey{user: id, token: tok2}\n"
	}},
	{"PHP", func(gen) string {
		return "$password = $_POST['password'];\n$token = bin2hex(random_bytes(32));\ndefine('SECRET', getenv('SECRET'));\n'api_key' => env('API_KEY'),\n"
	}},
	{"Kotlin", func(gen) string {
		return "val token: String? = prefs.getString(\"token\", null)\nval password = passwordField.text.toString()\napiKey = BuildConfig.API_KEY\n"
	}},
	{"SQL", func(gen) string {
		return "CREATE TABLE users (id bigint, password varchar(255) NOT NULL, api_key uuid);\nSELECT token FROM sessions WHERE token = $1;\nALTER USER app WITH PASSWORD :'pw';\n"
	}},
	{"OpenAPI", func(gen) string {
		return "securitySchemes:\n  bearer:\n    type: http\n    scheme: bearer\n  apiKey:\n    in: header\n    name: X-API-Key\npassword:\n  type: string\n  format: password\n"
	}},
	{"errors", func(g gen) string {
		return "error: invalid token at 3:14\nfatal: Authentication failed for 'https://git.internal/a.git/'\npassword authentication failed for user \"app\"\nrequest " + g.uuid() + " failed: token is expired by 3m2.5s\n"
	}},
	{"LLM usage", func(g gen) string {
		return `{"usage":{"prompt_tokens":` + g.of("123456789", 4) + `,"completion_tokens":12,"cached_tokens":0},"model":"gpt-4o-2024-08-06","id":"chatcmpl-` + g.of(base62, 29) + `"}` + "\n"
	}},
	{"ssh", func(g gen) string {
		return "debug1: Offering public key: /home/bob/.ssh/id_rsa RSA SHA256:" + g.of(std64, 43) + " agent\ndebug1: Server accepts key: pkalg rsa-sha2-512 blen 535\n"
	}},
	{"manifest", func(g gen) string {
		return "{\"digest\":\"sha256:" + g.of(hex, 64) + "\",\"size\":" + g.of("123456789", 5) + ",\"annotations\":{\"vcs-ref\":\"" + g.of(hex, 40) + "\"}}\n"
	}},
	{"SVG", func(g gen) string {
		return "<path d=\"M" + strings.Repeat(g.of(digit, 2)+"."+g.of(digit, 2)+" ", 60) + "\"/>\n<image href=\"data:image/jpeg;base64,/9j/4AAQSkZJRg" + g.of(std64, 900) + "\"/>\n"
	}},
	{"wasm in JavaScript", func(g gen) string { return "const wasm = \"AGFzbQEAAAAB" + g.of(std64, 1200) + "\";\n" }},
	{"masked", func(gen) string {
		return "password: ********\ntoken=***REDACTED***\nAPI_KEY=xxxxxxxxxxxxxxxxxxxx\nsecret: [FILTERED]\nAuthorization: Bearer ***\n"
	}},
	{"examples", func(gen) string {
		return "API_KEY=your_api_key_here\nSECRET_KEY=change-me-in-production\nTOKEN=<paste token>\nPASSWORD=\nDATABASE_URL=postgres://user:password@localhost:5432/db\n"
	}},
	{"man page", func(gen) string {
		return "       -u, --user <user:password>\n              Specify the user name and password to use.\n       --oauth2-bearer <token>\n              Specify the Bearer Token for OAUTH 2.0.\n"
	}},
}
