// Package credential is the table of credentials that are recognized by their form, whatever surrounds them: tokens,
// keys and webhooks. The masking of texts and the environment of commands use the same rows.
package credential

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
)

// Kinds follow published forms. If two begin alike, the longer literal comes first.
var Kinds = []Kind{
	{"private key", []Literal{{Text: "-----BEGIN "}, {Text: "---- BEGIN SSH2 ENCRYPTED "}},
		Form{Parts: []Part{{labels, 11, 128, ""}}, Random: isKeyLabel, Lines: true}},
	{"private key", []Literal{{Text: "Private-Lines: ", Outside: true}},
		Form{Parts: []Part{{Digits, 1, 4, ""}}, Random: isAny, Lines: true}},
	{"age key", prefixes(nil, "AGE-SECRET-KEY-1"), prefixed(bech32, 58, nil)},

	{"AWS access key", prefixes(nil, "AKIA", "ASIA", "ABIA", "ACCA"), exactly(base32, 16, nil).hint(16)},
	{"AWS API key", bareBase64("ABSK"), prefixed(Base64, 100, nil)},
	{"signed URL", words("x-amz-signature=", "x-goog-signature="), behind(lowerHexes, 64)},
	{"AWS session token", words("x-amz-security-token="), behind(urlBase64, 100)},
	{"Google API key", prefixes(nil, "AIza"), prefixed(Token, 35, nil)},
	{"Google OAuth secret", prefixes(nil, "GOCSPX-"), prefixed(Token, 28, nil)},
	{"Google OAuth token", prefixes(nil, "ya29."), prefixed(dotted, 40, nil)},
	{"Google OAuth token", prefixes(nil, "1//0"), prefixed(Token, 40, nil)},
	{"Azure storage key", words("accountkey="), behind(Base64, 86).hint(1)},
	{"Azure shared access key", words("sharedaccesskey="), behind(Base64, 43).hint(1)},
	{"Azure signature", words("?sig=", "&sig=", ";sig="), behind(urlBase64, 43)},
	{"Azure client secret", []Literal{{Text: "Q~", Previous: Digits, Next: dotted}},
		Form{Stays: &Stays{dotted, 4, 4, ""}, Parts: exact(azureClass, 31), Random: body(LooksRandom)}},

	{"GitHub token", prefixes(nil, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"), prefixed(Word, 36, summed).hint(1)},
	{"GitHub token", prefixes(nil, "github_pat_"), prefixed(Word, 82, nil).hint(1)},
	{"GitLab token", prefixes(nil, "glpat-"), prefixed(dotted, 20, Mixed).hint(1)},
	{"GitLab token", prefixes(nil, "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-",
		"glagent-", "glffct-", "gloas-"), prefixed(dotted, 20, Mixed)},
	{"GitLab token", prefixes(nil, "GR1348941"), prefixed(Token, 20, nil)},
	{"Bitbucket token", bareBase64("ATBB"), prefixed(Base62, 24, Mixed)},
	{"Atlassian token", prefixes(nil, "ATATT3", "ATCTT3"), prefixed(ClassOf("A-Za-z0-9_=-"), 100, nil)},

	{"Slack webhook", words("hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"),
		behind(slashed, 30).hint(1)},
	{"Slack token", prefixes(nil, "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-",
		"xoxe.xox"), prefixed(slack, 24, nil).hint(1)},
	{"Slack token", prefixes(nil, "xapp-", "xwfp-"), prefixed(slack, 24, nil)},
	{"Discord webhook", words("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"), behind(slashed, 60).hint(1)},
	{"Discord bot token", discordLiterals(),
		Form{Parts: []Part{{Base62, 21, 28, "."}, {Token, 5, 8, "."}, {Token, 27, 27, ""}}, Random: isDiscord}},
	{"Teams webhook", words("webhook.office.com/webhookb2/"), behind(ClassOf("A-Za-z0-9@/_-"), 60)},
	{"Telegram bot token", []Literal{{Text: ":AA", Previous: Digits}},
		Form{Stays: &Stays{Digits, 8, 10, "bot"}, Shown: 1, Parts: exact(Token, 32), Random: body(LooksRandom)}},
	{"Twilio key", []Literal{{Text: "SK", Previous: notWord, Next: lowerHexes}}, exactly(lowerHexes, 32, nil)},
	{"SendGrid key", []Literal{{Text: "SG.", Next: Token}}, prefixed(dotted, 66, dotAt(22))},
	{"Mailgun key", []Literal{{Text: "key-", Next: lowerHexes}}, exactly(lowerHexes, 32, nil)},
	{"Brevo key", prefixes(nil, "xkeysib-"), prefixed(Token, 64, nil)},

	{"Stripe key", prefixes(nil, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_"),
		prefixed(Base62, 16, Mixed).hint(1)},
	{"webhook secret", prefixes(nil, "whsec_"), prefixed(Base64, 32, nil)},
	{"Square token", prefixes(nil, "sq0atp-", "sq0csp-"), prefixed(Token, 22, nil)},
	{"Square token", bareBase64("EAAA"), prefixed(Token, 60, Mixed)},
	{"Shopify token", prefixes(nil, "shpat_", "shpca_", "shppa_", "shpss_", "shpua_"), prefixed(hexes, 32, nil)},
	{"PayPal token", prefixes(nil, "access_token$production$"), prefixed(ClassOf("A-Za-z0-9$"), 32, nil)},

	{"Anthropic key", prefixes(nil, "sk-ant-"), prefixed(Token, 40, nil)},
	{"OpenAI key", prefixes(nil, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"), prefixed(Token, 40, nil)},
	{"OpenRouter key", prefixes(nil, "sk-or-v1-"), prefixed(lowerHexes, 64, nil)},
	{"API key", []Literal{{Text: "sk-", Next: Base62}}, prefixed(Base62, 32, Mixed).hint(10)},
	{"Hugging Face token", prefixes(Base62, "hf_"), prefixed(Base62, 34, Mixed)},
	{"Hugging Face token", prefixes(nil, "api_org_"), prefixed(Base62, 34, Mixed)},
	{"Replicate token", []Literal{{Text: "r8_", Next: Base62}}, prefixed(Base62, 37, nil)},
	{"Groq key", prefixes(nil, "gsk_"), prefixed(Base62, 48, nil)},
	{"xAI key", prefixes(nil, "xai-"), prefixed(Base62, 70, nil)},
	{"Perplexity key", prefixes(nil, "pplx-"), prefixed(Base62, 40, nil)},
	{"Tavily key", prefixes(nil, "tvly-"), prefixed(Token, 24, Mixed)},
	{"LangSmith key", prefixes(nil, "lsv2_pt_", "lsv2_sk_"), prefixed(Word, 40, nil)},
	{"NVIDIA key", prefixes(nil, "nvapi-"), prefixed(Token, 60, nil)},

	{"npm token", prefixes(nil, "npm_"), prefixed(Base62, 36, summed)},
	{"PyPI token", prefixes(nil, "pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"), prefixed(Token, 50, nil)},
	{"RubyGems key", prefixes(nil, "rubygems_"), prefixed(lowerHexes, 48, nil)},
	{"crates.io token", []Literal{{Text: "cio", Previous: notWord, Next: Base62}}, exactly(Base62, 32, Mixed)},
	{"NuGet key", []Literal{{Text: "oy2", Previous: notWord, Next: Base62}}, exactly(ClassOf("a-z0-9"), 43, Mixed)},
	{"Clojars token", prefixes(nil, "CLOJARS_"), prefixed(lowerHexes, 60, nil)},
	{"Docker token", prefixes(nil, "dckr_pat_", "dckr_oat_"), prefixed(Token, 27, nil)},
	{"Artifactory key", bareBase64("AKCp"), prefixed(Base62, 60, nil)},
	{"Artifactory token", bareBase64("cmVmdGtuOjAxOj"), prefixed(Base62, 40, nil)},

	{"DigitalOcean token", prefixes(nil, "dop_v1_", "doo_v1_", "dor_v1_", "dot_v1_"), prefixed(lowerHexes, 64, nil)},
	{"Heroku key", prefixes(nil, "HRKU-"), prefixed(Token, 36, nil)},
	{"Databricks token", prefixes(nil, "dapi"), exactly(lowerHexes, 32, nil)},
	{"Vault token", prefixes(nil, "hvs.", "hvb.", "hvr."), prefixed(Token, 24, nil)},
	{"Terraform token", prefixes(nil, ".atlasv1."),
		Form{Stays: &Stays{Base62, 14, 64, ""}, Parts: exact(Token, 60), Random: body(LooksRandom)}},
	{"Pulumi token", prefixes(nil, "pul-"), exactly(lowerHexes, 40, nil)},
	{"Grafana token", prefixes(nil, "glsa_"), prefixed(Word, 41, nil)},
	{"Grafana token", prefixes(nil, "glc_eyJ"), prefixed(Base64, 32, nil)},
	{"Grafana key", prefixes(nil, "eyJrIjoi"), prefixed(Base64, 60, nil)},
	{"New Relic key", prefixes(nil, "NRAK-", "NRII-", "NRIQ-"), prefixed(Token, 27, nil)},
	{"Sentry token", prefixes(nil, "sntrys_"), prefixed(ClassOf("A-Za-z0-9+/=_"), 60, nil)},
	{"Sentry token", prefixes(nil, "sntryu_"), prefixed(lowerHexes, 64, nil)},
	{"Dynatrace token", prefixes(nil, "dt0c01.", "dt0s01.", "dt0s16."), prefixed(ClassOf("A-Z0-9."), 80, nil)},
	{"Doppler token", prefixes(nil, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."), prefixed(dotted, 40, nil)},
	{"Fly token", prefixes(nil, "fo1_", "fm1r_", "fm2_"), prefixed(ClassOf("A-Za-z0-9+/=_,-"), 43, Mixed)},
	{"Supabase key", prefixes(nil, "sbp_"), prefixed(lowerHexes, 40, nil)},
	{"Supabase key", prefixes(nil, "sb_secret_"), prefixed(Token, 22, Mixed)},
	{"PlanetScale password", prefixes(nil, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"), prefixed(dotted, 32, nil)},
	{"Tailscale key", prefixes(nil, "tskey-auth-", "tskey-api-", "tskey-client-", "tskey-webhook-"),
		prefixed(Token, 24, Mixed)},
	{"CircleCI token", prefixes(nil, "CCIPAT_", "CCIPRJ_"), prefixed(Word, 40, nil)},
	{"Buildkite token", prefixes(nil, "bkua_", "bkpt_"), prefixed(lowerHexes, 40, nil)},
	{"SonarQube token", prefixes(nil, "squ_", "sqp_", "sqa_"), exactly(lowerHexes, 40, nil)},
	{"Cloudflare key", prefixes(nil, "v1.0-"), prefixed(ClassOf("0-9a-f-"), 100, nil)},

	{"Linear key", prefixes(nil, "lin_api_", "lin_oauth_"), prefixed(Base62, 40, nil)},
	{"Notion token", prefixes(nil, "ntn_"), prefixed(Base62, 40, nil)},
	{"Notion token", prefixes(nil, "secret_"), exactly(Base62, 43, Mixed)},
	{"Postman key", prefixes(nil, "PMAK-"), prefixed(ClassOf("0-9a-f-"), 59, dashAt(24))},
	{"Figma token", prefixes(nil, "figd_", "figu_"), prefixed(Token, 36, nil)},
	{"Sourcegraph token", prefixes(nil, "sgp_"), prefixed(Word, 40, nil)},
	{"1Password token", prefixes(nil, "ops_eyJ"), prefixed(Token, 200, nil)},
	{"Contentful token", prefixes(nil, "CFPAT-"), prefixed(Token, 43, nil)},
	{"Typeform token", prefixes(nil, "tfp_"), prefixed(ClassOf("A-Za-z0-9_.=-"), 44, Mixed)},
	{"Airtable token", []Literal{{Text: "pat", Previous: notWord, Next: Base62}},
		Form{Apart: Word, Parts: []Part{{Base62, 14, 14, "."}, {lowerHexes, 64, 64, ""}}, Random: body(LooksRandom)}},

	{"JWT", []Literal{{Text: "eyJ", Next: Base62}}, Form{
		Apart: ClassOf("A-Za-z0-9_.+/-"), Parts: []Part{{Token, 0, 4 << 10, "."}, {dotted, 8, 8, ""}}, Random: isJWT,
		Except: exampleClaims,
	}},
}

// words returns case-insensitive literals that precede a credential.
func words(texts ...string) []Literal {
	var list []Literal
	for _, t := range texts {
		list = append(list, Literal{Text: t, Fold: true, Outside: true})
	}
	return list
}

// prefixes returns literals that begin a credential. One with only three bytes is followed by one of next.
func prefixes(next *Class, texts ...string) []Literal {
	var list []Literal
	for _, t := range texts {
		list = append(list, Literal{Text: t, Next: next})
	}
	return list
}

// bareBase64 returns a literal whose letters may also occur in base64 of something else.
func bareBase64(text string) []Literal {
	c := *notWord
	c['+'], c['/'] = false, false
	return []Literal{{Text: text, Previous: &c}}
}

// discordLiterals returns how a number begins in base64.
func discordLiterals() []Literal {
	var list []Literal
	for _, s := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		list = append(list, Literal{Text: s, Previous: notWord, Next: ClassOf("AEIMQUYcgk")})
	}
	return list
}

// behind returns the form of a credential with at least n bytes of a class behind its literal, whatever surrounds it.
func behind(c *Class, n int) Form { return Form{Parts: exact(c, n), Random: body(LooksRandom)} }

// prefixed returns the form of a token: its literal, not within a word, and at least n bytes of a class. random judges
// these bytes; nil is LooksRandom.
func prefixed(c *Class, n int, random func(body []byte) bool) Form {
	if random == nil {
		random = LooksRandom
	}
	return Form{Apart: Word, Parts: exact(c, n), Random: body(random)}
}

// exactly is prefixed for a token that ends after n bytes.
func exactly(c *Class, n int, random func(body []byte) bool) Form {
	f := prefixed(c, n, random)
	f.Ends = true
	return f
}

func (f Form) hint(n int) Form {
	f.Hint = n
	return f
}

func exact(c *Class, n int) []Part { return []Part{{c, n, n, ""}} }

func body(random func(body []byte) bool) func(credential []byte, body int) bool {
	return func(credential []byte, body int) bool { return random(credential[body:]) }
}

// dotAt returns a Random for tokens that look random and have their first dot at a place.
func dotAt(n int) func([]byte) bool { return separated('.', n) }

// dashAt returns a Random for tokens that look random and have their first dash at a place.
func dashAt(n int) func([]byte) bool { return separated('-', n) }

func separated(c byte, n int) func([]byte) bool {
	return func(body []byte) bool { return bytes.IndexByte(body, c) == n && LooksRandom(body) }
}

func isAny([]byte, int) bool { return true }

func isKeyLabel(line []byte, body int) bool { return KeyLabel(line[body:]) > 0 }

// KeyLabel returns the length of the label of a private key at the beginning of a text, up to its dashes; 0 if it
// labels something else.
func KeyLabel(text []byte) int {
	n := bytes.Index(text, []byte("----"))
	if n < 0 || !bytes.Contains(text[:n], []byte("PRIVATE KEY")) {
		return 0
	}
	return n
}

// isDiscord reports whether the first part of a bot's token is its number in base64.
func isDiscord(credential []byte, _ int) bool {
	id, err := base64.RawStdEncoding.DecodeString(string(credential[:bytes.IndexByte(credential, '.')]))
	return err == nil && len(bytes.Trim(id, "0123456789")) == 0
}

// exampleClaims is the beginning of the claims of the token on jwt.io, which many tests contain.
const exampleClaims = "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIi"

// isJWT reports whether the header of a JSON web token is an object with an algorithm.
func isJWT(credential []byte, _ int) bool {
	encoded := credential[:bytes.IndexByte(credential, '.')]
	header := make([]byte, base64.RawURLEncoding.DecodedLen(len(encoded)))
	n, err := base64.RawURLEncoding.Decode(header, encoded)
	var fields struct{ Alg string }
	return err == nil && json.Unmarshal(header[:n], &fields) == nil && fields.Alg != ""
}
