package redact

// notWord is what stands before a token whose literal is too short to be looked for alone: no letter, digit or
// underscore. What is not ASCII is not in it, which keeps the table of literals small.
var notWord = classOf(" \t\r\n\x00\a!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~")

var (
	lowerHexes = classOf("0-9a-f")
	dotted     = classOf("A-Za-z0-9_.-")
	bech32     = classOf("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")
	base32     = classOf("A-Z2-7")
	urlBase64  = classOf("A-Za-z0-9%+/=_-")
	alpha      = classOf("A-Za-z")
	slashed    = classOf("A-Za-z0-9/_-")
)

// bareBase64 returns a literal of which base64 of something else may have the letters.
func bareBase64(text string) []literal {
	c := *notWord
	c['+'], c['/'] = false, false
	return []literal{{text: text, previous: &c}}
}

// discordLiterals returns how a number begins in base64.
func discordLiterals() []literal {
	var list []literal
	for _, s := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		list = append(list, literal{text: s, previous: notWord, next: classOf("AEIMQUYcgk")})
	}
	return list
}

// rules are the kinds, by their published forms. Where two begin alike, the longer literal comes first.
var rules = []rule{
	{"private key", []literal{{text: "-----BEGIN "}, {text: "---- BEGIN SSH2 ENCRYPTED "}}, privateKey},
	{"private key", []literal{{text: "Private-Lines: ", outside: true}}, puttyKey},
	{"age key", prefixes(nil, "AGE-SECRET-KEY-1"), prefixed(bech32, 58, nil)},

	{"AWS access key", prefixes(nil, "AKIA", "ASIA", "ABIA", "ACCA"), exactly(base32, 16, nil)},
	{"AWS API key", bareBase64("ABSK"), prefixed(base64Class, 100, nil)},
	{"signed URL", words("x-amz-signature=", "x-goog-signature="), after(lowerHexes, 64)},
	{"AWS session token", words("x-amz-security-token="), after(urlBase64, 100)},
	{"Google API key", prefixes(nil, "AIza"), prefixed(token, 35, nil)},
	{"Google OAuth secret", prefixes(nil, "GOCSPX-"), prefixed(token, 28, nil)},
	{"Google OAuth token", prefixes(nil, "ya29."), prefixed(dotted, 40, nil)},
	{"Google OAuth token", prefixes(nil, "1//0"), prefixed(token, 40, nil)},
	{"Azure storage key", words("accountkey="), after(base64Class, 86)},
	{"Azure shared access key", words("sharedaccesskey="), after(base64Class, 43)},
	{"Azure signature", words("?sig=", "&sig=", ";sig="), after(urlBase64, 43)},
	{"Azure client secret", []literal{{text: "Q~", previous: digits, next: dotted}}, azureSecret},

	{"GitHub token", prefixes(nil, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"), prefixed(word, 36, summed)},
	{"GitHub token", prefixes(nil, "github_pat_"), prefixed(word, 82, nil)},
	{"GitLab token", prefixes(nil, "glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-",
		"glagent-", "glffct-", "gloas-"), prefixed(dotted, 20, mixed)},
	{"GitLab token", prefixes(nil, "GR1348941"), prefixed(token, 20, nil)},
	{"Bitbucket token", bareBase64("ATBB"), prefixed(base62, 24, mixed)},
	{"Atlassian token", prefixes(nil, "ATATT3", "ATCTT3"), prefixed(classOf("A-Za-z0-9_=-"), 100, nil)},

	{"Slack webhook", words("hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"),
		after(slashed, 30)},
	{"Slack token", prefixes(nil, "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-",
		"xoxe.xox", "xapp-", "xwfp-"), prefixed(classOf("A-Za-z0-9.%_-"), 24, nil)},
	{"Discord webhook", words("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"), after(slashed, 60)},
	{"Discord bot token", discordLiterals(), discord},
	{"Teams webhook", words("webhook.office.com/webhookb2/"), after(classOf("A-Za-z0-9@/_-"), 60)},
	{"Telegram bot token", []literal{{text: ":AA", previous: digits}}, telegram},
	{"Twilio key", []literal{{text: "SK", previous: notWord, next: lowerHexes}}, exactly(lowerHexes, 32, nil)},
	{"SendGrid key", []literal{{text: "SG.", next: token}}, prefixed(dotted, 66, dotAt(22))},
	{"Mailgun key", []literal{{text: "key-", next: lowerHexes}}, exactly(lowerHexes, 32, nil)},
	{"Brevo key", prefixes(nil, "xkeysib-"), prefixed(token, 64, nil)},

	{"Stripe key", prefixes(nil, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_"), prefixed(base62, 16, mixed)},
	{"webhook secret", prefixes(nil, "whsec_"), prefixed(base64Class, 32, nil)},
	{"Square token", prefixes(nil, "sq0atp-", "sq0csp-"), prefixed(token, 22, nil)},
	{"Square token", bareBase64("EAAA"), prefixed(token, 60, mixed)},
	{"Shopify token", prefixes(nil, "shpat_", "shpca_", "shppa_", "shpss_", "shpua_"), prefixed(hexes, 32, nil)},
	{"PayPal token", prefixes(nil, "access_token$production$"), prefixed(classOf("A-Za-z0-9$"), 32, nil)},

	{"Anthropic key", prefixes(nil, "sk-ant-"), prefixed(token, 40, nil)},
	{"OpenAI key", prefixes(nil, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"), prefixed(token, 40, nil)},
	{"OpenRouter key", prefixes(nil, "sk-or-v1-"), prefixed(lowerHexes, 64, nil)},
	{"API key", []literal{{text: "sk-", next: base62}}, prefixed(base62, 32, mixed)},
	{"Hugging Face token", prefixes(base62, "hf_"), prefixed(base62, 34, mixed)},
	{"Hugging Face token", prefixes(nil, "api_org_"), prefixed(base62, 34, mixed)},
	{"Replicate token", []literal{{text: "r8_", next: base62}}, prefixed(base62, 37, nil)},
	{"Groq key", prefixes(nil, "gsk_"), prefixed(base62, 48, nil)},
	{"xAI key", prefixes(nil, "xai-"), prefixed(base62, 70, nil)},
	{"Perplexity key", prefixes(nil, "pplx-"), prefixed(base62, 40, nil)},
	{"Tavily key", prefixes(nil, "tvly-"), prefixed(token, 24, mixed)},
	{"LangSmith key", prefixes(nil, "lsv2_pt_", "lsv2_sk_"), prefixed(word, 40, nil)},
	{"NVIDIA key", prefixes(nil, "nvapi-"), prefixed(token, 60, nil)},

	{"npm token", prefixes(nil, "npm_"), prefixed(base62, 36, summed)},
	{"PyPI token", prefixes(nil, "pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"), prefixed(token, 50, nil)},
	{"RubyGems key", prefixes(nil, "rubygems_"), prefixed(lowerHexes, 48, nil)},
	{"crates.io token", []literal{{text: "cio", previous: notWord, next: base62}}, exactly(base62, 32, mixed)},
	{"NuGet key", []literal{{text: "oy2", previous: notWord, next: base62}}, exactly(classOf("a-z0-9"), 43, mixed)},
	{"Clojars token", prefixes(nil, "CLOJARS_"), prefixed(lowerHexes, 60, nil)},
	{"Docker token", prefixes(nil, "dckr_pat_", "dckr_oat_"), prefixed(token, 27, nil)},
	{"Artifactory key", bareBase64("AKCp"), prefixed(base62, 60, nil)},
	{"Artifactory token", bareBase64("cmVmdGtuOjAxOj"), prefixed(base62, 40, nil)},

	{"DigitalOcean token", prefixes(nil, "dop_v1_", "doo_v1_", "dor_v1_", "dot_v1_"), prefixed(lowerHexes, 64, nil)},
	{"Heroku key", prefixes(nil, "HRKU-"), prefixed(token, 36, nil)},
	{"Databricks token", prefixes(nil, "dapi"), exactly(lowerHexes, 32, nil)},
	{"Vault token", prefixes(nil, "hvs.", "hvb.", "hvr."), prefixed(token, 24, nil)},
	{"Terraform token", prefixes(nil, ".atlasv1."), terraform},
	{"Pulumi token", prefixes(nil, "pul-"), exactly(lowerHexes, 40, nil)},
	{"Grafana token", prefixes(nil, "glsa_"), prefixed(word, 41, nil)},
	{"Grafana token", prefixes(nil, "glc_eyJ"), prefixed(base64Class, 32, nil)},
	{"Grafana key", prefixes(nil, "eyJrIjoi"), prefixed(base64Class, 60, nil)},
	{"New Relic key", prefixes(nil, "NRAK-", "NRII-", "NRIQ-"), prefixed(classOf("A-Za-z0-9_-"), 27, nil)},
	{"Sentry token", prefixes(nil, "sntrys_"), prefixed(classOf("A-Za-z0-9+/=_"), 60, nil)},
	{"Sentry token", prefixes(nil, "sntryu_"), prefixed(lowerHexes, 64, nil)},
	{"Dynatrace token", prefixes(nil, "dt0c01.", "dt0s01.", "dt0s16."), prefixed(classOf("A-Z0-9."), 80, nil)},
	{"Doppler token", prefixes(nil, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."), prefixed(dotted, 40, nil)},
	{"Fly token", prefixes(nil, "fo1_", "fm1r_", "fm2_"), prefixed(classOf("A-Za-z0-9+/=_,-"), 43, mixed)},
	{"Supabase key", prefixes(nil, "sbp_"), prefixed(lowerHexes, 40, nil)},
	{"Supabase key", prefixes(nil, "sb_secret_"), prefixed(token, 22, mixed)},
	{"PlanetScale password", prefixes(nil, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"), prefixed(dotted, 32, nil)},
	{"Tailscale key", prefixes(nil, "tskey-auth-", "tskey-api-", "tskey-client-", "tskey-webhook-"),
		prefixed(token, 24, mixed)},
	{"CircleCI token", prefixes(nil, "CCIPAT_", "CCIPRJ_"), prefixed(word, 40, nil)},
	{"Buildkite token", prefixes(nil, "bkua_", "bkpt_"), prefixed(lowerHexes, 40, nil)},
	{"SonarQube token", prefixes(nil, "squ_", "sqp_", "sqa_"), exactly(lowerHexes, 40, nil)},
	{"Cloudflare key", prefixes(nil, "v1.0-"), prefixed(classOf("0-9a-f-"), 100, nil)},

	{"Linear key", prefixes(nil, "lin_api_", "lin_oauth_"), prefixed(base62, 40, nil)},
	{"Notion token", prefixes(nil, "ntn_"), prefixed(base62, 40, nil)},
	{"Notion token", prefixes(nil, "secret_"), exactly(base62, 43, mixed)},
	{"Postman key", prefixes(nil, "PMAK-"), prefixed(classOf("0-9a-f-"), 59, dashAt(24))},
	{"Figma token", prefixes(nil, "figd_", "figu_"), prefixed(token, 36, nil)},
	{"Sourcegraph token", prefixes(nil, "sgp_"), prefixed(word, 40, nil)},
	{"1Password token", prefixes(nil, "ops_eyJ"), prefixed(token, 200, nil)},
	{"Contentful token", prefixes(nil, "CFPAT-"), prefixed(token, 43, nil)},
	{"Typeform token", prefixes(nil, "tfp_"), prefixed(classOf("A-Za-z0-9_.=-"), 44, mixed)},
	{"Airtable token", []literal{{text: "pat", previous: notWord, next: base62}}, airtable},

	{"JWT", []literal{{text: "eyJ", next: base62}}, jwt},

	{"password in a URL", []literal{{text: "://", outside: true, previous: base62}}, urlPasswordCheck},
	{"authorization", words("orization"), authorization},
	{"authorization", words("bearer "), bearer},
	{"authorization", words("basic "), basic},
	{"cookie", words("okie:"), cookie},
	{"password of a user", []literal{
		{text: "-u", outside: true, previous: classOf(" \t\"',["), next: classOf(" =\"',A-Za-z")},
	}, user},
	{"password of a user", words("--user ", "--user=", "--proxy-user "), user},
	{"password", append(words("ssword", "sswd", "sspwd", "ssphrase", "sswort", "pass"),
		literal{text: "pwd", fold: true, outside: true, next: afterKey}), assignment(isPassword)},
	{"secret", words("secret"), assignment(isKey)},
	{"token", words("token"), assignment(isKey)},
	{"API key", append(words("apikey", "sskey", "tekey", "thkey", "etkey"),
		literal{text: "_key", fold: true, outside: true, previous: base62},
		literal{text: "-key", fold: true, outside: true, previous: base62}), assignment(isKey)},
	{"credential", words("_auth", "\"auth"), assignment(isAuth)},
}

var kinds = newTable(rules)
