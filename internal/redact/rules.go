package redact

import (
	"sync"

	"github.com/spillway-go/spillway/internal/credential"
)

// rules are the kinds that are known by their form, and those that are known by the name in front of them.
var rules = func() []rule {
	var list []rule
	for i := range credential.Kinds {
		k := &credential.Kinds[i]
		list = append(list, rule{k.Name, k.Literals, formed(k)})
	}
	return append(list, named...)
}()

// formed returns the check of a kind that is known by its form.
func formed(k *credential.Kind) func(v *view, at, after int) result {
	outside := k.Literals[0].Outside
	switch {
	case k.Lines && outside:
		return puttyKey
	case k.Lines:
		return privateKey
	}
	rest := k.Parts[len(k.Parts)-1].Class
	if k.Ends {
		rest = nil
	}
	return func(v *view, at, after int) result {
		start := at + k.Shown
		if outside {
			start = after
		}
		switch end, known := k.Find(v, at, after); {
		case !known:
			return wait(start)
		case end > 0:
			return found(start, end, rest)
		}
		return result{}
	}
}

// named are the kinds of which only the name in front of it says what it is.
var named = []rule{
	{"password in a URL", []literal{{Text: "://", Outside: true, Previous: base62}}, urlPasswordCheck},
	{"authorization", words("orization"), authorization},
	{"authorization", words("bearer "), bearer},
	{"authorization", words("basic "), basic},
	{"cookie", words("okie:"), cookie},
	{"password of a user", []literal{
		{Text: "-u", Outside: true, Previous: credential.ClassOf(" \t\"',["), Next: credential.ClassOf(" =\"',A-Za-z")},
	}, user},
	{"password of a user", words("--user ", "--user=", "--proxy-user "), user},
	{"password", append(words("ssword", "sswd", "sspwd", "ssphrase", "sswort", "pass"),
		literal{Text: "pwd", Fold: true, Outside: true, Next: afterKey}), assignment(isPassword)},
	{"secret", words("secret"), assignment(isKey)},
	{"token", words("token"), assignment(isKey)},
	{"API key", append(words("apikey", "sskey", "tekey", "thkey", "etkey"),
		literal{Text: "_key", Fold: true, Outside: true, Previous: base62},
		literal{Text: "-key", Fold: true, Outside: true, Previous: base62}), assignment(isKey)},
	{"credential", words("_auth", "\"auth"), assignment(isAuth)},
}

// kinds takes 5 ms and 2 MiB to make, which a program that looks for no kinds does not spend at its start.
var kinds = sync.OnceValue(func() *table { return newTable(rules) })
