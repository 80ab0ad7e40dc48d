package redact_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/credential"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/stretchr/testify/require"
)

// special makes examples of the kinds of which more is known than the classes of their parts.
var special = map[string]func(r *rand.Rand) string{
	"JWT": func(r *rand.Rand) string {
		header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
		return header + "." + randomOf(r, credential.Base62, 40) + "." + randomOf(r, credential.Base62, 43)
	},
	"Discord bot token": func(r *rand.Rand) string {
		id := base64.RawStdEncoding.EncodeToString(fmt.Append(nil, 100_000_000_000_000_000+r.Int64N(9e17)))
		return id + "." + randomOf(r, credential.Base62, 6) + "." + randomOf(r, credential.Base62, 38)
	},
	"SendGrid key": func(r *rand.Rand) string {
		return "SG." + randomOf(r, credential.Base62, 22) + "." + randomOf(r, credential.Base62, 43)
	},
	"Postman key": func(r *rand.Rand) string {
		hexes := credential.ClassOf("0-9a-f")
		return "PMAK-" + randomOf(r, hexes, 24) + "-" + randomOf(r, hexes, 34)
	},
	"private key": func(r *rand.Rand) string {
		return "-----BEGIN RSA PRIVATE KEY-----\n" + randomOf(r, credential.Base62, 64) + "\n"
	},
}

// example returns a credential of a kind. It is random, and was never valid.
func example(r *rand.Rand, k *credential.Kind, l credential.Literal) string {
	if of := special[k.Name]; of != nil && !l.Outside {
		return of(r)
	}
	before := ""
	if s := k.Stays; s != nil {
		before = randomOf(r, s.Class, s.Least-1) + randomOf(r, credential.Digits, 1)
	}
	text := before + l.Text
	for _, p := range k.Parts {
		text += randomOf(r, p.Class, p.Least) + p.Then
	}
	if k.Lines {
		text += "\n" + randomOf(r, credential.Base62, 64) + "\n"
	}
	if !k.Random([]byte(text[len(before):]), len(l.Text)) { // one of few
		return example(r, k, l)
	}
	return text
}

// randomOf returns so many letters and digits of a class.
func randomOf(r *rand.Rand, c *credential.Class, n int) string {
	var text []byte
	for len(text) < n {
		if b := byte(r.IntN(128)); c[b] && credential.Base62[b] {
			text = append(text, b)
		}
	}
	return string(text)
}

// Every kind of the table is both kept from commands, whatever the name of its variable, and masked in a text.
func TestKindsEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	names := []string{"MAPS", "MYTOOL", "Region", "npm_config_x"}
	masker := mask.New(redact.New(redact.Options{Kinds: true}))
	for i := range credential.Kinds {
		k := &credential.Kinds[i]
		for n, l := range k.Literals {
			text := example(r, k, l)
			name := names[n%len(names)]
			for _, value := range []string{text, "--with " + text, "a=b," + text, "{\"x\":\"" + text + "\"}"} {
				t.Setenv(name, value)
				require.NotContains(t, environ.NewCache(nil).Get(), name+"="+value, k.Name)
			}
			for _, around := range []string{text, "x " + text + " y", "'" + text + "'\n"} {
				masked, found := masker.String(around)
				require.Len(t, found, 1, "%s: %s", k.Name, around)
				require.Equal(t, k.Name, found[0].Kind, around)
				secret := text[strings.Index(text, l.Text)+len(l.Text):]
				require.NotContains(t, masked, strings.TrimSpace(secret)[:4], around)
			}
		}
	}
}
