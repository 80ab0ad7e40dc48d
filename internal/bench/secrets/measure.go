package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	stdhex "encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/spillway-go/spillway/internal/redact"
)

// outcome is what a mode makes of a part.
type outcome struct {
	secrets, kinds, plain int
	missed, touched       []sample
}

// mode is a mode of redaction.
type mode struct {
	name string
	// secrets returns the samples, and what masks one.
	secrets func(p part) ([]sample, func(s sample) *redact.Redactor)
	plain   func(p part) *redact.Redactor
}

var modes = []mode{
	{"known", known, func(p part) *redact.Redactor { return valuesOf(p.secrets()...) }},
	{"secrets", func(p part) ([]sample, func(sample) *redact.Redactor) {
		return p.secrets(), func(sample) *redact.Redactor { return byKind }
	}, func(part) *redact.Redactor { return byKind }},
}

var byKind = redact.New(redact.Options{Kinds: true})

func valuesOf(list ...sample) *redact.Redactor {
	var values []string
	for _, s := range list {
		values = append(values, value(s))
	}
	return redact.New(redact.Options{Values: func() []string { return values }})
}

// value returns what a variable would hold.
func value(s sample) string { return strings.ReplaceAll(s.secret, `\n`, "\n") }

// known returns the samples as they are, and every second one in another form.
func known(p part) ([]sample, func(s sample) *redact.Redactor) {
	list := p.secrets()
	for i := range list {
		s := &list[i]
		if f := forms[i/2%len(forms)]; i%2 == 1 && !strings.Contains(s.secret, "\n") {
			plain := value(*s)
			s.carrier += ", " + f.name
			text := f.of(plain)
			s.text = bytes.ReplaceAll(s.text, []byte(s.secret), []byte(text))
			if s.secret = text; !bytes.Contains(s.text, []byte(text)) {
				s.text = []byte("value: " + text + "\n") // the text had escape sequences in the secret
			}
			s.value = plain
		}
	}
	return list, func(s sample) *redact.Redactor {
		if s.value != "" {
			return redact.New(redact.Options{Values: func() []string { return []string{s.value} }})
		}
		return valuesOf(s)
	}
}

// pair is what stands before a secret in base64, as before a password. The first seven characters are of it alone.
const pair = "user:"

var forms = []struct {
	name string
	of   func(s string) string
}{
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(pair + s)) }},
	{"base64 for URLs", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
	{"URL", url.QueryEscape},
	{"hexadecimal", func(s string) string { return stdhex.EncodeToString([]byte(s)) }},
	{"UTF-16", func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return string(b)
	}},
	{"JSON", func(s string) string {
		return strings.ReplaceAll(fmt.Sprintf("%q", s)[1:len(fmt.Sprintf("%q", s))-1], "/", `\/`)
	}},
}

// measure masks every sample of a part, as a stream that ends a chunk inside of each secret.
func (m mode) measure(p part) outcome {
	list, redactor := m.secrets(p)
	o := outcome{secrets: len(list)}
	kinds := map[string]bool{}
	for _, s := range list {
		kinds[s.kind] = true
		if seen(s, mask(redactor(s), s.text)) {
			s.text = mask(redactor(s), s.text)
			o.missed = append(o.missed, s)
		}
	}
	o.kinds = len(kinds)
	r := m.plain(p)
	for _, s := range p.plain() {
		o.plain++
		if !bytes.Equal(mask(r, s.text), s.text) {
			s.text = mask(r, s.text)
			o.touched = append(o.touched, s)
		}
	}
	return o
}

// mask returns text as it comes out of a stream that gets it in random chunks, many of them short.
func mask(r *redact.Redactor, text []byte) []byte {
	random := rand.New(rand.NewPCG(1, uint64(len(text))))
	var out bytes.Buffer
	w := r.NewWriter(&out)
	for rest := text; len(rest) > 0; {
		n := min(len(rest), 1+random.IntN(1<<random.IntN(18)))
		if _, err := w.Write(rest[:n]); err != nil {
			panic(err) // a buffer takes everything
		}
		rest = rest[n:]
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// seen reports whether more than three characters in a row of the secret are still there.
func seen(s sample, masked []byte) bool {
	plain, i := s.text, bytes.Index(s.text, []byte(s.secret))
	if i < 0 { // escape sequences stand in it
		return strings.Contains(string(masked), s.secret[6:])
	}
	run := 0
	if strings.HasPrefix(s.secret, base64.StdEncoding.EncodeToString([]byte(pair))[:6]) {
		i += 7
	}
	for k := i; k < strings.Index(string(plain), s.secret)+len(s.secret); k++ {
		switch {
		case plain[k] != masked[k]:
			run = 0
		case strings.IndexByte(base62+"+/", plain[k]) < 0 || plain[k] == 'n' && plain[k-1] == '\\':
		default:
			run++
		}
		if run > 3 {
			return true
		}
	}
	return false
}

// scanTree prints what is masked in the files below a directory.
func scanTree(out io.Writer, dir string) error {
	count := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.Contains(path, "/.git/") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		plain := bytes.Clone(text)
		for _, f := range byKind.Mask(text, math.MaxInt) {
			count++
			begin := max(0, bytes.LastIndexByte(plain[:f.Start], '\n')+1, int(f.Start)-100)
			end := min(len(plain), int(f.End)+40)
			fmt.Fprintf(out, "%s:%d: %s: %q in %.250q\n", path, f.Line, f.Kind, plain[f.Start:min(f.End, f.Start+60)], plain[begin:end])
		}
		return nil
	})
	fmt.Fprintln(out, count, "places")
	return err
}
