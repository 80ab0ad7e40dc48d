package main

import (
	"encoding/base64"
	"fmt"
	"strings"
)

var firstLookalikes = []lookalike{
	{"git log", func(g gen) string {
		return "commit " + g.of(hex, 40) + "\nAuthor: A <a@b.c>\n\n    rotate the token key\n\nindex " + g.of(hex, 7) + ".." + g.of(hex, 7) + " 100644\n"
	}},
	{"UUID", func(g gen) string {
		return "request_id=" + g.uuid() + " trace=" + g.of(hex, 32) + " span=" + g.of(hex, 16) + "\n"
	}},
	{"go.sum", func(g gen) string {
		return "golang.org/x/sys v0.49.0 h1:" + g.of(std64, 43) + "=\ngolang.org/x/sys v0.49.0/go.mod h1:" + g.of(std64, 43) + "=\n"
	}},
	{"package-lock", func(g gen) string {
		return "    \"node_modules/js-tokens\": {\n      \"version\": \"4.0.0\",\n      \"resolved\": \"https://npm.example.org/js-tokens/-/js-tokens-4.0.0.tgz\",\n      \"integrity\": \"sha512-" + g.of(std64, 86) + "==\"\n    },\n"
	}},
	{"SRI", func(g gen) string {
		return "<script src=\"https://cdn.x/y.js\" integrity=\"sha384-" + g.of(std64, 64) + "\" crossorigin=\"anonymous\"></script>\n"
	}},
	{"container digest", func(g gen) string {
		return "FROM alpine@sha256:" + g.of(hex, 64) + "\n => => sha256:" + g.of(hex, 64) + " 3.6MB / 3.6MB\n"
	}},
	{"base64 image", func(g gen) string {
		return "<img src=\"data:image/png;base64,iVBORw0KGgo" + g.of(std64, 2000+g.IntN(3000)) + "==\">\n"
	}},
	{"certificate", func(g gen) string {
		text, _ := pem(g, "CERTIFICATE", "\n", 900)
		return text
	}},
	{"public key", func(g gen) string {
		text, _ := pem(g, "PUBLIC KEY", "\n", 294)
		return text + "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + g.of(std64, 340) + " me@host\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + g.of(std64, 43) + " me\n"
	}},
	{"ssh fingerprint", func(g gen) string {
		return "The authenticity of host 'h (10.0.0.1)' can't be established.\nED25519 key fingerprint is SHA256:" + g.of(std64, 43) + ".\nHost key: MD5:" + strings.Join(strings.Split(g.of(hex, 16), ""), ":") + "\n"
	}},
	{"minified", func(g gen) string {
		return "!function(e,t){\"object\"==typeof exports?module.exports=t():e.token=t()}(this,function(){var e={key:1,password:function(t){return t.secret||(t.secret=n(" + g.of(digit, 4) + "))},tokenize:r.tokens[" + g.of(digit, 2) + "]};return e});\n"
	}},
	{"documentation", func(gen) string {
		return "Set `Authorization: Bearer <token>` on each request, e.g.\n\n    curl -H \"Authorization: Bearer $TOKEN\" -u user:$PASSWORD https://api.example.com\n    export API_KEY=your-api-key-here\n    password: <your password>\n"
	}},
	{"example keys", func(gen) string {
		return "aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\nGITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
	}},
	{"references", func(g gen) string {
		return "env:\n  DB_PASSWORD: ${DB_PASSWORD}\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  KEY: {{ .Values.key }}\n  API_KEY: $(cat /run/secrets/key" + g.of(digit, 1) + ")\npassword = process.env.DB_PASSWORD\nsecret: !vault |\n"
	}},
	{"source", func(g gen) string {
		return "token := parser.NextToken()\nif password == \"\" { return errNoPassword }\ncfg.Secret = secretFor(name)\nvar apiKey string\nPassword string `json:\"password\"`\nmaxTokens: " + g.of("123456789", 4) + ",\nconst tokenURL = \"https://login.x/oauth2/token\"\n"
	}},
	{"typescript", func(gen) string {
		return "interface Login { user: string; password: string; token?: string | null }\nconst secret = await getSecretValue(name);\nheaders: { Authorization: `Bearer ${token}` },\ntype Key = keyof typeof secrets;\n"
	}},
	{"test names", func(g gen) string {
		return "--- PASS: TestPasswordResetToken_ExpiresAfter24h (0.0" + g.of(digit, 1) + "s)\n=== RUN TestSecretKeyRotation/sha256_hmac\n    auth_test.go:112: token expired: want false\n"
	}},
	{"hashes", func(g gen) string {
		return g.of(hex, 64) + "  dist/app.tar.gz\n" + g.of(hex, 32) + "  key.txt\npassword_hash: $2b$12$" + g.of(base62+"./", 53) + "\nroot:$6$" + g.of(base62, 16) + "$" + g.of(base62+"./", 86) + ":19000:0:99999:7:::\n"
	}},
	{"prompts", func(gen) string {
		return "Username: bob\nPassword: \nEnter passphrase for key '/home/bob/.ssh/id_ed25519': \nToken expired, please log in again: https://id.internal/device\n"
	}},
	{"kubectl", func(g gen) string {
		return "NAME                   TYPE     DATA   AGE\ndefault-token-" + g.of(lower+digit, 5) + "   kubernetes.io/service-account-token   3   12d\npod/api-" + g.of(hex, 10) + "-" + g.of(lower+digit, 5) + "   1/1   Running\n"
	}},
	{"etag", func(g gen) string {
		return "< HTTP/2 200\n< etag: W/\"" + g.of(hex, 40) + "\"\n< x-request-id: " + g.uuid() + "\n< cf-ray: " + g.of(hex, 16) + "-FRA\n< www-authenticate: Bearer realm=\"api\",error=\"invalid_token\"\n"
	}},
	{"yarn.lock", func(g gen) string {
		return "js-tokens@^4.0.0:\n  version \"4.0.0\"\n  resolved \"https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#" + g.of(hex, 40) + "\"\n  integrity sha512-" + g.of(std64, 86) + "==\n  checksum: 10c0/" + g.of(hex, 128) + "\n"
	}},
	{"Cargo.lock", func(g gen) string {
		return "[[package]]\nname = \"tokenizers\"\nversion = \"0.20.1\"\nchecksum = \"" + g.of(hex, 64) + "\"\n"
	}},
	{"source map", func(g gen) string {
		return "{\"version\":3,\"sources\":[\"password.js\"],\"mappings\":\"" + strings.Repeat(g.of(base62, 4)+",", 50) + g.of(base62, 5) + ";AAAA\"}\n"
	}},
	{"hex dump", func(g gen) string {
		return fmt.Sprintf("00000000  %s  |%s|\n", strings.Join([]string{g.of(hex, 2), g.of(hex, 2), g.of(hex, 2), g.of(hex, 2)}, " "), g.of(lower, 4))
	}},
	{"base64 text", func(g gen) string {
		return base64.StdEncoding.EncodeToString([]byte("{\"hello\":\"world\",\"n\":"+g.of(digit, 40)+"}")) + "\n"
	}},
}
