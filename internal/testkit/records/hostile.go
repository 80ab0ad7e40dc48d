package records

import (
	"fmt"
	"strings"
)

// Attack is what every hostile text holds: it would change the page or run if it were taken for anything but text.
const Attack = "</script><script>document.title='owned'</script><!--<script>]]><img src=x onerror=\"document.title='owned'\">" +
	"javascript:alert(1)\u2028\u2029\u202eevil\u2066\u0000\ufffd`${alert(1)}`&lt;'\""

// Hostile returns a record that was made to break whatever shows it: texts that end elements and begin scripts, names
// that JavaScript's objects have, invalid UTF-8, lone surrogates, a text of 10 MB, arguments of great depth, and lines
// that are no records.
func Hostile() []byte {
	s := newSession("</script>", 1)
	add := func(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }
	quoted := strings.NewReplacer("\\", `\\`, "\"", `\"`, "\x00", `\u0000`, "\u2028", `\u2028`).Replace(Attack)
	for i, name := range []string{
		"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", quoted, "", "javascript:alert(1)", "</style>", "a\xff\xfeb",
	} {
		add(`{"kind":"call","session":"__proto__","id":"%s","time":"2026-11-25T10:00:%02dZ","ms":5,"tool":"%s","args":{"__proto__":{"x":1},`+
			`"constructor":"%s","%s":["%s"]},"text":"%s\n\n[Showing lines 1-2 of %s. Full output: javascript:alert(1)]","code":"%s",`+
			`"full":"javascript:alert(1)//%s","conversation":"%s","truncated":true,"truncatedBy":"%s","producedBytes":99999,`+
			`"facts":{"output":[{"at":1,"count":%d}]}}`,
			quoted, i, name, quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted, 1+strings.Count(Attack, "\n"))
	}
	add(`{"kind":"call","session":"b","tool":"bash","text":"\ud800 lone \udfff","args":"not an object"}`)
	add(`{"kind":"call","session":"b","tool":"bash","text":"` + "invalid \xff\xc0\x80 bytes" + `","args":[1,2,3]}`)
	add(`{"kind":"call","session":"b","tool":"read","text":"%s","shownBytes":10000000,"args":{"path":"long"}}`, strings.Repeat("0123456789", 1_000_000))
	add(`{"kind":"call","session":"b","tool":"bash","text":"%s"}`, strings.Repeat(`\u0000`, 100_000))
	add(`{"kind":"call","session":"b","tool":"bash","text":"%s"}`, strings.Repeat(`\u202e\u2066x`, 20_000))
	add(`{"kind":"call","session":"b","tool":"deep","args":{"x":%s1%s}}`, strings.Repeat("[", 5000), strings.Repeat("]", 5000))
	add(`{"kind":"call","session":"b","tool":"deeper","args":%s1%s}`, strings.Repeat("[", 20000), strings.Repeat("]", 20000))
	add(`{"kind":"call","session":"b","tool":"numbers","ms":1e300,"shownBytes":-5,"producedBytes":2000000000,"images":-1,"time":"0001-01-01T00:00:00Z"}`)
	add(`{"kind":"call","session":"b","tool":"numbers","ms":-1,"time":"9999-12-31T23:59:59Z"}`)
	add(`{"kind":"job","session":"b","job":-1,"ms":1e300,"state":"%s","time":"2026-11-25T10:00:00Z"}`, quoted)
	add(`{"kind":"%s"}`, quoted)
	add(`</script><script>document.title='owned'</script>`)
	add(`{"kind":"call","text":`)
	s.out.WriteString(`{"kind":"call","session":"b","tool":"unfinished","text":"crash`)
	return s.out.Bytes()
}
