package main

import (
	"encoding/base64"
	"fmt"
	"strings"
)

var secondLookalikes = []lookalike{
	{"pnpm-lock", func(g gen) string {
		return "  /@babel/code-frame@7.26.2:\n    resolution: {integrity: sha512-" + g.of(std64, 86) + "==}\n    engines: {node: '>=6.9.0'}\n"
	}},
	{"composer.lock", func(g gen) string {
		return "\"source\": {\"type\": \"git\", \"reference\": \"" + g.of(hex, 40) + "\"},\n\"content-hash\": \"" + g.of(hex, 32) + "\",\n"
	}},
	{"poetry.lock", func(g gen) string {
		return "files = [\n    {file = \"tokenize_rt-6.1.0.whl\", hash = \"sha256:" + g.of(hex, 64) + "\"},\n]\n"
	}},
	{"flake.lock", func(g gen) string {
		return "\"narHash\": \"sha256-" + g.of(std64, 43) + "=\",\n\"rev\": \"" + g.of(hex, 40) + "\",\n"
	}},
	{"git diff", func(g gen) string {
		return "diff --git a/token.go b/token.go\nindex " + g.of(hex, 10) + ".." + g.of(hex, 10) + " 100644\n-\ttoken := lex.next()\n+\ttoken, err := lex.nextToken(ctx)\n"
	}},
	{"docker build", func(g gen) string {
		return "#12 exporting layers 1.2s done\n#12 writing image sha256:" + g.of(hex, 64) + " done\n#12 naming to docker.io/library/app:" + g.of(hex, 7) + "\n"
	}},
	{"docker ps", func(g gen) string {
		return g.of(hex, 12) + "   redis:7   \"docker-entrypoint.s…\"   2 days ago   Up 2 days   6379/tcp   cache-1\n"
	}},
	{"traces", func(g gen) string {
		return "traceparent: 00-" + g.of(hex, 32) + "-" + g.of(hex, 16) + "-01\nx-amzn-trace-id: Root=1-" + g.of(hex, 8) + "-" + g.of(hex, 24) + "\n"
	}},
	{"JSON of things", func(g gen) string {
		return fmt.Sprintf(`{"id":"%s","key":"user.profile.name","token_count":%s,"max_tokens":4096,"tokens":[1,2,3],"secret_santa":true}`+"\n", g.uuid(), g.of(digit, 4))
	}},
	{"cloud resources", func(g gen) string {
		return "arn:aws:secretsmanager:eu-west-1:" + g.of(digit, 12) + ":secret:prod/db-" + g.of(base62, 6) + "\nprojects/demo/secrets/db-password/versions/3\nkms_key_id = \"" + g.uuid() + "\"\n"
	}},
	{"GitHub Actions", func(gen) string {
		return "      - uses: docker/login-action@v3\n        with:\n          username: ${{ github.actor }}\n          password: ${{ secrets.GITHUB_TOKEN }}\n          token: ***\n"
	}},
	{"Helm", func(gen) string {
		return "password: {{ .Values.db.password | quote }}\nsecretKeyRef:\n  name: app-secrets\n  key: db-password\nsecretName: tls-secret\nexistingSecret: \"\"\n"
	}},
	{"Terraform plan", func(gen) string {
		return "  + password            = (sensitive value)\n  + secret_string       = (known after apply)\n  + token               = (sensitive value)\n"
	}},
	{"Java", func(gen) string {
		return "private final String password;\nthis.apiKey = Objects.requireNonNull(apiKey, \"apiKey\");\nString token = request.getHeader(\"X-Auth-Token\");\nprops.setProperty(\"password\", password);\n@Value(\"${app.jwt.secret}\") String secret;\n"
	}},
	{"Python", func(gen) string {
		return "password = os.environ[\"DB_PASSWORD\"]\ntoken = get_token_from_cache(user_id)\nsecret_key: str = Field(default=None)\nclass TokenAuth(AuthBase):\n    api_key = settings.API_KEY_V2\n"
	}},
	{"Rust", func(gen) string {
		return "let token = Token::new(TokenKind::Ident2, span);\npub struct Config { pub password: Option<String>, pub secret: SecretString }\nlet key = format!(\"{}:{}\", a, b);\n"
	}},
	{"C", func(g gen) string {
		return "#define TOKEN_MAX_LEN 0x" + g.of(hex, 4) + "\nstatic const char *password_prompt = \"Password: \";\nif (token == TOKEN_EOF || secret->len != 32) return -EINVAL;\n"
	}},
	{"JavaScript", func(gen) string {
		return "const token = localStorage.getItem('token');\nconst { password, apiKey } = req.body;\nheaders['Authorization'] = 'Bearer ' + token;\nif (password !== confirmPassword2) throw new Error('passwords differ');\n"
	}},
	{"HTML form", func(g gen) string {
		return "<input type=\"password\" name=\"password\" placeholder=\"Password\" autocomplete=\"new-password\" minlength=\"" + g.of("123456789", 1) + "\">\n<label for=\"api-key\">API key</label>\n"
	}},
	{"usage", func(gen) string {
		return "Usage: login [OPTIONS]\n  --password string   password of the user\n  --token TOKEN       token to log in with (default $APP_TOKEN)\n  -u, --user user:password\n"
	}},
	{"web log", func(g gen) string {
		return "10.0.0.7 - - [23/Nov/2026:10:11:12 +0000] \"GET /reset-password?step=2 HTTP/1.1\" 200 " + g.of(digit, 4) + " \"https://app.internal/login?next=/token\" \"Mozilla/5.0\"\n"
	}},
	{"apt", func(g gen) string {
		return "Get:1 http://deb.example.org/debian bookworm/main amd64 libsecret-1-0 amd64 0.20.5-3 [" + g.of(digit, 3) + " kB]\nSHA256: " + g.of(hex, 64) + "\n"
	}},
	{"known hosts", func(g gen) string {
		return "|1|" + g.of(std64, 27) + "=|" + g.of(std64, 27) + "= ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY" + g.of(std64, 100) + "=\n"
	}},
	{"JWKS", func(g gen) string {
		return `{"keys":[{"kty":"RSA","kid":"` + g.of(hex, 16) + `","use":"sig","n":"` + g.of(url64, 342) + `","e":"AQAB"}]}` + "\n"
	}},
	{"base64 of text", func(g gen) string {
		return "data: " + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("lorem ipsum "+g.of(lower, 5)+" ", 20))) + "\n"
	}},
	{"CSS and fonts", func(g gen) string {
		return "@font-face{src:url(data:font/woff2;base64,d09GMgABAAAAA" + g.of(std64, 1500) + ")}\n.token.password{color:#" + g.of(hex, 6) + "}\n"
	}},
	{"coverage", func(g gen) string {
		return "github.com/x/y/token.go:" + g.of("123456789", 2) + ":\tParsePassword\t100.0%\nok  \tgithub.com/x/secret\t0.0" + g.of(digit, 2) + "s\n"
	}},
	{"release notes", func(gen) string {
		return "- fix: token refresh no longer logs the secret (#1234)\n- Password: must have 12 characters now\n- `api_key` is deprecated: use `access_token` instead\n- cookie: SameSite=Lax; Secure\n"
	}},
}
