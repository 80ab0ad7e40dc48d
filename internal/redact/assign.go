package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/credential"
)

// maxJudged is the number of bytes of a value that are looked at. The rest of a longer one is masked as it comes.
const maxJudged = 128

var (
	keyClass  = credential.ClassOf("A-Za-z0-9_.-")
	keyRest   = credential.ClassOf("A-Za-z0-9_-")
	bareValue = except(" \"'`,;&<>|()[]{}\\")
	bareLine  = except(" \"'`")
	inQuery   = except(" \"'`&#;<>\\")
	inXML     = except(" <>\"")
)

// assigned is a value that is given to a key.
type assigned struct {
	key    []byte // in lower case
	value  []byte
	quoted bool
	style  style
}

// style is where an assignment stands.
type style uint8

const (
	inCode    style = iota // anywhere
	inCall                 // ("key", "value")
	inLine                 // KEY=value at the start of a line, as in .env
	inSection              // key = value in a line of its own
	inYAML                 // key: value at the start of a line
	inHeader               // a-key: value
	inFlag                 // --key value
	inURL                  // ?key=value, and connection strings
	inMarkup               // <key>value</key>
)

// keyEnds are what may follow the word of a key that holds a secret.
var keyEnds = []string{
	"", "s", "_1", "_2", "1", "2", "_base", "_value", "_string", "_text", "_plain", "_prod", "_production", "_dev",
	"_staging", "_live",
	"_test", "_base64", "_b64", "key", "_key", "_old", "_new", "_current", "value", "_default", "_admin", "_root",
	"_user", "_v2", "_env",
}

// ordinaryKeys are parts of keys that hold no secret.
var ordinaryKeys = []string{
	"public", "pubkey", "max_", "min_", "maxtoken", "num_", "count", "primary", "foreign", "cache", "sort_key",
	"sort-key", "partition",
	"_type", "token_type", "keyword", "sort", "group", "index", "map_key", "idempotency", "row_key", "object_key",
	"s3_key", "lookup", "unique",
	"next_token", "nexttoken", "pagetoken", "page_token", "continuation", "csrf_", "hash", "digest", "fingerprint",
	"checksum", "license-key",
	"registry-key", "host-key", "hostkey", "on-key", "data-key", "v-key", "metric", "translation", "i18n",
	"event_key", "hot-key", "hotkey", "dedupe",
}

// keyOwners are the words before _key in the names of keys that are secret.
var keyOwners = []string{
	"api", "access", "secret", "private", "encryption", "encrypt", "signing", "sign", "master", "account", "auth",
	"app", "service", "admin",
	"client", "shared", "session", "deploy", "webhook", "storage", "subscription", "functions", "consumer", "stripe",
	"openai", "anthropic",
	"sendgrid", "mailgun", "datadog", "dd", "relic", "algolia", "gemini", "openrouter", "mistral", "cohere", "groq",
	"deepseek", "jwt", "hmac",
	"cloudflare", "heroku", "license", "ssh", "deploy", "server", "user", "write", "read", "ingest", "twilio",
	"segment", "sentry", "token",
	"aes", "crypto", "cipher", "publishable", "rest", "restapi", "maps", "firebase", "supabase", "root",
	"integration", "application", "routing",
}

func hasSuffix(text []byte, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return bytes.HasSuffix(text, []byte(s)) })
}

// afterKey is what may stand after a key.
var afterKey = credential.ClassOf("\\\"'` \t>=:?,\r\n")

// assignment returns the check of what is given to a key that has a literal in its name.
func assignment(judge func(a assigned) bool) func(v *view, at, after int) result {
	return func(v *view, at, after int) result {
		end, known := v.Run(after, keyRest, 16)
		switch {
		case !known:
			return wait(len(v.text)) // a secret begins after that
		case end < len(v.text) && !afterKey[v.text[end]]:
			return result{}
		}
		begin := at
		for begin > max(0, at-64) && keyClass[v.text[begin-1]] {
			begin--
		}
		if !isKeyStart(v, begin, at, end) {
			return result{}
		}
		c := cursor{view: v, at: end}
		st, quote := c.separator(begin)
		switch {
		case c.short:
			return wait(max(c.value, end))
		case c.failed:
			return result{}
		}
		key := bytes.ToLower(v.text[begin:end])
		if !isKeyName(key, key[after-begin:]) {
			return result{}
		}
		return c.assigned(key, st, quote, judge)
	}
}

// notKeys are names that only look like those of a password: what test runners print, and the working directory.
var notKeys = []string{"PASS", "PWD", "OLDPWD"}

// isKeyStart reports whether the word at at, in the key from begin to end, is a word of its own.
func isKeyStart(v *view, begin, at, end int) bool {
	if p := v.before(begin); p == '/' || p == '\\' && !isEscape(v.text, begin-1) {
		return false // it is the name of a file
	}
	if slices.Contains(notKeys, string(v.text[begin:end])) {
		return false
	}
	if first := v.text[at]; first|0x20 != 'p' || !alpha[v.before(at)] {
		return true // the word is long enough, or its beginning is not a part of the literal
	}
	return v.text[at] == 'P' && 'a' <= v.text[at-1] && v.text[at-1] <= 'z' // DbPass, but not Compass
}

func isKeyName(key, rest []byte) bool {
	if !slices.Contains(keyEnds, strings.ReplaceAll(string(rest), "-", "_")) {
		return false
	}
	i := max(bytes.LastIndex(key, []byte("_key")), bytes.LastIndex(key, []byte("-key")))
	if i > 0 && !hasSuffix(key[:i], keyOwners) {
		return false
	}
	return !slices.ContainsFunc(ordinaryKeys, func(s string) bool { return bytes.Contains(key, []byte(s)) })
}

// assigned judges the value at the cursor.
func (c *cursor) assigned(key []byte, st style, quote byte, judge func(a assigned) bool) result {
	v := c.view
	class := bareValue
	switch {
	case quote != 0:
		class = inQuotes(quote, c.escaped)
	case st == inLine, st == inYAML, st == inFlag:
		class = bareLine
	case st == inURL:
		class = inQuery
	case st == inMarkup:
		class = inXML
	}
	stop, known := v.Run(c.at, class, maxJudged)
	if !known {
		return wait(c.at)
	}
	a := assigned{key: key, value: v.text[c.at:stop], quoted: quote != 0, style: st}
	if stop == len(v.text) && !v.end {
		return wait(c.at)
	}
	next := byte(0)
	if stop < len(v.text) {
		next = v.text[stop]
	}
	if st == inSection && quote == 0 && next != 0 && next != '\n' && next != '\r' {
		a.style = inCode
	}
	// A bracket begins an index, or what is masked already: a part of something else.
	if next == '(' || next == '[' && quote == 0 || !judge(a) {
		return result{}
	}
	return found(c.at, stop, class)
}

var quoteClasses = map[[2]byte]*class{}

func init() {
	for _, q := range []byte("\"'`") {
		quoteClasses[[2]byte{q, 0}] = except(string(q))
		quoteClasses[[2]byte{q, 1}] = except(string(q) + "\\")
	}
}

func inQuotes(quote byte, escaped bool) *class {
	if escaped {
		return quoteClasses[[2]byte{quote, 1}]
	}
	return quoteClasses[[2]byte{quote, 0}]
}

// cursor reads what stands between a key and its value.
type cursor struct {
	*view
	at      int
	value   int // where the value begins, if that is known before the end of the text
	short   bool
	failed  bool
	escaped bool // the quotes have backslashes
}

// peek returns the next byte, or 0 at the end.
func (c *cursor) peek() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	if !c.end {
		c.short, c.value = true, len(c.text)
	}
	return 0
}

// skip passes over bytes of a list, at most n.
func (c *cursor) skip(list string, n int) (skipped int) {
	for ; skipped < n && c.peek() != 0 && strings.IndexByte(list, c.peek()) >= 0; skipped++ {
		c.at++
	}
	c.work += skipped
	return skipped
}

// quote passes over a quote with its backslashes, and returns it, or 0.
func (c *cursor) quote() byte {
	from := c.at
	slashes := c.skip(`\`, 3)
	if q := c.peek(); q == '"' || q == '\'' || q == '`' {
		c.at++
		c.escaped = slashes > 0
		return q
	}
	c.at = from
	return 0
}

// separator passes over what stands before a value. The key begins at begin.
func (c *cursor) separator(begin int) (st style, quote byte) {
	before := c.before(begin)
	keyQuote := c.quote()
	if keyQuote != 0 {
		c.skip("])", 1)
	}
	if c.peek() == '>' && (before == '<' || before == ':') {
		c.at++
		return inMarkup, 0
	}
	spaces := c.skip(" \t", 40)
	st = c.styleOf(begin, before)
	switch c.peek() {
	case '=':
		c.at++
		if c.peek() == '>' {
			c.at++
		}
		if st == inLine && spaces > 0 {
			st = inSection
		}
	case ':':
		c.at++
		switch {
		case st == inLine:
			st = inYAML
		case st == inCode && keyQuote == 0 && bytes.IndexByte(c.text[begin:c.at], '-') > 0:
			st = inHeader
		}
		if c.failed = before == ':' && !c.short && c.peek() != ' '; c.failed { // one of several parts, as in an ARN
			return st, 0
		}
		if c.peek() == '=' {
			c.at++
			st = inCode
		}
	case '?':
		c.at++
		if c.peek() != '=' {
			c.failed = !c.short
			return st, 0
		}
		c.at++
	case ',':
		call := bytes.TrimRight(c.Before(max(begin-1, 0)), " ")
		if c.failed = keyQuote == 0 || !bytes.HasSuffix(call, []byte("(")); c.failed {
			return st, 0
		}
		c.at++
		if st = inCall; c.valueWord() {
			st = inYAML
		}
	case '\n', '\r', 'v':
		c.skip("\r\n \t", 40)
		if c.failed = !c.valueWord() && !c.short; c.failed {
			return st, 0
		}
		st = inYAML
	default:
		if c.failed = !c.short && (st != inFlag || spaces == 0 || keyQuote != 0); c.failed {
			return st, 0
		}
	}
	if c.short {
		return st, 0
	}
	if c.skip(" \t", 40) > 0 && st == inLine {
		st = inSection
	}
	from := c.at
	if c.skip("bBrRuUL@", 1); c.short {
		c.value = from
		return st, 0
	}
	if quote = c.quote(); quote == 0 {
		c.at = from
	}
	if c.short {
		c.value = from
	}
	if c.peek() == '=' || c.peek() == '~' || c.peek() == ':' {
		c.failed = true
	}
	return st, quote
}

// valueWord passes over the word value with its sign, as after the name of a variable in Kubernetes.
func (c *cursor) valueWord() bool {
	from := c.at
	c.skip(" \t\r\n", 40)
	c.quote()
	for _, w := range []byte("value") {
		if p := c.peek(); p|0x20 != w || c.short {
			if !c.short {
				c.at = from
			}
			return false
		}
		c.at++
	}
	c.quote()
	c.skip(" \t", 8)
	if p := c.peek(); p != ':' && p != '=' {
		if !c.short {
			c.at = from
		}
		return false
	}
	c.at++
	return true
}

// styleOf returns what stands before a key at begin.
func (c *cursor) styleOf(begin int, before byte) style {
	line := c.Before(begin)
	cut := len(line) == lookBehind
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line, cut = line[i+1:], false
	}
	switch {
	case before == '?' || before == '&' || before == ';':
		return inURL
	case bytes.HasSuffix(line, []byte("--")), bytes.HasPrefix(c.text[begin:], []byte("--")):
		return inFlag
	case cut:
		return inCode
	}
	lead := string(bytes.TrimLeft(line, " \t"))
	if len(lead) > 0 && (lead[0] == '+' || lead[0] == '-') {
		lead = strings.TrimLeft(lead[1:], " \t") // a line of a diff, or of a list
	}
	switch strings.TrimRight(lead, " ") {
	case "", "export", "set", "ENV", "ARG", "declare -x", "-e", "--env", "setx", "$env:":
		return inLine
	}
	if i := strings.LastIndex(lead, "login "); i >= 0 || strings.HasPrefix(lead, "machine ") {
		return inFlag
	}
	if strings.HasSuffix(lead, " -e ") || strings.HasSuffix(lead, "env ") || strings.HasSuffix(lead, "export ") {
		return inLine
	}
	return inCode
}
