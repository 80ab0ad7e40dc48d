package redact

import (
	"bytes"
	"slices"

	"github.com/spillway-go/spillway/internal/credential"
)

var (
	dotted       = credential.ClassOf("A-Za-z0-9_.-")
	inUser       = credential.ClassOf("A-Za-z0-9._~%!$&'()*+,;=@-")
	inPassword   = except(" \t\r\n\"'`<>@/\\{}")
	credentials  = credential.ClassOf("A-Za-z0-9._~+/=:-")
	inCookie     = except("\r\n\"'\\")
	inCookiePart = except("\r\n\"'\\; ")
)

// except returns the class of all printable bytes but those of a list.
func except(list string) *class {
	c := new(class)
	for i := range c {
		c[i] = i >= ' ' && i != 0x7f && bytes.IndexByte([]byte(list), byte(i)) < 0
	}
	return c
}

const (
	maxUser     = 128
	maxPassword = 256
)

// urlPasswordCheck is the check of a password in the address that follows ://.
func urlPasswordCheck(v *view, _, after int) result {
	user, known := v.Run(after, inUser, maxUser)
	switch {
	case !known:
		return wait(after)
	case user == len(v.text) && !v.end:
		return wait(after)
	case user == len(v.text) || v.text[user] != ':':
		return result{}
	}
	end, known := v.Run(user+1, inPassword, maxPassword)
	switch {
	case !known:
		return wait(user + 1)
	case end == len(v.text) || v.text[end] != '@' || end == user+1:
		return result{}
	}
	next := byte(0)
	if end+1 < len(v.text) {
		next = v.text[end+1]
	} else if !v.end {
		return wait(user + 1)
	}
	password := v.text[user+1 : end]
	if !base62[next] && next != '[' && next != '$' && next != '{' || !isWeakSecret(password) {
		return result{}
	}
	return found(user+1, end, nil)
}

// separatorEnd returns where the value of a header begins: after a colon or an equals sign, quotes and spaces.
func separatorEnd(v *view, at int) (end int, known bool) {
	i, signs := at, 0
	for i < min(len(v.text), at+maxNoise) {
		switch v.text[i] {
		case ':', '=':
			signs++
		case ' ', '\t', '"', '\'', '\\', ']', '>', ',', '`', '(', '[':
		default:
			if signs == 0 {
				return 0, true
			}
			return i, true
		}
		i++
	}
	return 0, i < len(v.text) || v.end
}

// schemes are those of the header Authorization.
var schemes = []string{
	"bearer ", "basic ", "token ", "bot ", "apikey ", "api-key ", "negotiate ", "key ", "ssws ", "splunk ", "genie_key ",
}

const signed = "AWS4-HMAC"

// authorization is the check of a header's value.
func authorization(v *view, _, after int) result {
	begin, known := separatorEnd(v, after)
	switch {
	case !known:
		return wait(len(v.text))
	case begin == 0:
		return result{}
	}
	at, scheme := begin, ""
	if n := min(len(signed), len(v.text)-begin); bytes.EqualFold(v.text[begin:begin+n], []byte(signed)[:n]) {
		switch {
		case n == len(signed):
			return result{} // a signature of one request
		case !v.end:
			return wait(begin)
		}
	}
	for _, s := range schemes {
		n := min(len(s), len(v.text)-begin)
		if !bytes.EqualFold(v.text[begin:begin+n], []byte(s[:n])) {
			continue
		}
		if n < len(s) {
			if v.end {
				continue
			}
			return wait(begin)
		}
		at, scheme = begin+n, s
	}
	end, known := v.Run(at, credentials, maxPassword)
	if !known {
		return wait(at)
	}
	value := v.text[at:end]
	switch {
	case scheme == "" && (!mixedSecret(value) || namesSomething(value)), scheme == "basic " && !decodesToPassword(value):
		return result{}
	case len(value) < 8 || !isWeakSecret(value) || scheme != "basic " && isWordy(value):
		return result{}
	}
	return found(at, end, credentials)
}

// bearer is the check of what follows the word outside of a header.
func bearer(v *view, _, after int) result {
	end, known := v.Run(after, credentials, maxPassword)
	switch {
	case !known:
		return wait(after)
	case !mixedSecret(v.text[after:end]):
		return result{}
	}
	return found(after, end, credentials)
}

// basic is the check of what follows the word outside of a header.
func basic(v *view, _, after int) result {
	end, known := v.Run(after, base64Class, maxPassword)
	switch {
	case !known:
		return wait(after)
	case end < after+8 || !decodesToPassword(v.text[after:end]):
		return result{}
	}
	return found(after, end, base64Class)
}

// mixedSecret reports whether text is long, and changes between letters and digits as only a random one does.
func mixedSecret(text []byte) bool {
	return len(text) >= 16 && credential.Mixed(text) && !isWordy(text) && !isReference(text)
}

// maxCookies bounds the cookies that are judged.
const maxCookies = 512

// cookie is the check of a header's cookies: all of those that are sent, and the first one that is set, if one of them
// looks like a secret.
func cookie(v *view, at, after int) result {
	begin, known := v.Run(after, classOfSpace, maxNoise)
	if !known {
		return wait(len(v.text))
	}
	set := bytes.HasSuffix(bytes.ToLower(v.Before(at)), []byte("set-co"))
	c := inCookie
	if set {
		c = inCookiePart
	}
	end, known := v.Run(begin, c, maxCookies)
	if !known {
		return wait(begin)
	}
	for pair := range bytes.SplitSeq(v.text[begin:end], []byte(";")) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(pair), []byte("="))
		if ok && isToken(name) && (mixedSecret(value) || isSession(name) && len(value) >= 8 && isWeakSecret(value)) {
			r := found(begin, end, c)
			if set {
				r.start = begin + bytes.IndexByte(v.text[begin:end], '=') + 1
			}
			return r
		}
	}
	return result{}
}

var classOfSpace = credential.ClassOf(" \t")

func isToken(name []byte) bool {
	for _, c := range name {
		if !dotted[c] {
			return false
		}
	}
	return len(name) > 0
}

// isSession reports whether the name of a cookie is that of one that logs in.
func isSession(name []byte) bool {
	low := bytes.ToLower(name)
	return containsAny(low, "sess", "sid", "auth", "token", "jwt", "csrf", "xsrf")
}

func containsAny(text []byte, list ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}

// user is the check of a password in -u user:password of curl and of others.
func user(v *view, at, after int) result {
	line := v.Before(at)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if !containsAny(line, "curl", "http", "wget") {
		return result{}
	}
	begin, known := v.Run(after, credential.ClassOf(" =\"',\\"), 8)
	if !known {
		return wait(len(v.text))
	}
	name, known := v.Run(begin, dotted, maxUser)
	switch {
	case !known:
		return wait(begin)
	case name == len(v.text) && !v.end:
		return wait(begin)
	case name == begin || name == len(v.text) || v.text[name] != ':':
		return result{}
	}
	end, known := v.Run(name+1, inPassword, maxPassword)
	switch {
	case !known:
		return wait(name + 1)
	case !isWeakSecret(v.text[name+1 : end]):
		return result{}
	}
	return found(name+1, end, nil)
}
