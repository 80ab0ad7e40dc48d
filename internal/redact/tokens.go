package redact

import (
	"bytes"
	"encoding/base64"
)

// after returns the check of a secret of at least n bytes that follows a literal which needs nothing around it.
func after(c *class, n int) func(v *view, at, after int) result {
	return func(v *view, _, after int) result {
		end, known := v.run(after, c, n)
		switch {
		case !known:
			return wait(after)
		case end < after+n || !looksRandom(v.text[after:end]):
			return result{}
		}
		return found(after, end, c)
	}
}

// dotAt returns a check for a token that has its first dot at a place.
func dotAt(n int) func([]byte) bool { return separated('.', n) }

// dashAt returns a check for a token that has its first dash at a place.
func dashAt(n int) func([]byte) bool { return separated('-', n) }

func separated(c byte, n int) func([]byte) bool {
	return func(body []byte) bool { return bytes.IndexByte(body, c) == n && looksRandom(body) }
}

// azureSecret is the check of the client secret of an application: three characters and a digit, which stay, then Q~.
func azureSecret(v *view, at, after int) result {
	before := v.behind(at)
	n := len(before)
	if n < 4 || !dotted[before[n-2]] || !dotted[before[n-3]] || !dotted[before[n-4]] || n > 4 && word[before[n-5]] {
		return result{}
	}
	end, known := v.run(after, azureClass, 31)
	switch {
	case !known:
		return wait(at)
	case end < after+31 || !looksRandom(v.text[after:end]):
		return result{}
	}
	return found(at, end, azureClass)
}

var azureClass = classOf("A-Za-z0-9_.~-")

// telegram is the check of what follows the number of a bot.
func telegram(v *view, at, after int) result {
	before := v.behind(at)
	n := len(before) - len(bytes.TrimRight(before, "0123456789"))
	if n < 8 || n > 10 || n < len(before) && word[before[len(before)-n-1]] && !bytes.HasSuffix(before[:len(before)-n], []byte("bot")) {
		return result{}
	}
	end, known := v.run(after, token, 32)
	switch {
	case !known:
		return wait(at + 1)
	case end < after+32 || !looksRandom(v.text[after:end]):
		return result{}
	}
	return found(at+1, end, token)
}

// terraform is the check of a token of Terraform Cloud: fourteen characters, which stay, then .atlasv1.
func terraform(v *view, at, after int) result {
	before := v.behind(at)
	if n := len(before); n < 14 || !base62[before[n-1]] || !base62[before[n-14]] {
		return result{}
	}
	end, known := v.run(after, token, 60)
	switch {
	case !known:
		return wait(at)
	case end < after+60 || !looksRandom(v.text[after:end]):
		return result{}
	}
	return found(at, end, token)
}

// airtable is the check of pat, fourteen characters, a dot and sixty-four hexadecimal digits.
func airtable(v *view, at, after int) result {
	dot, known := v.run(after, base62, 14)
	switch {
	case !known:
		return wait(at)
	case dot < after+14 || dot == len(v.text) && v.end:
		return result{}
	case dot == len(v.text):
		return wait(at)
	case v.text[dot] != '.':
		return result{}
	}
	end, known := v.run(dot+1, lowerHexes, 64)
	switch {
	case !known:
		return wait(at)
	case end < dot+1+64:
		return result{}
	}
	return found(at, end, nil)
}

// discord is the check of a bot's token: its number in base64, a time, and a signature.
func discord(v *view, at, _ int) result {
	dot, known := v.run(at, base62, 30)
	switch {
	case !known:
		return wait(at)
	case dot-at < 23 || dot == len(v.text) || v.text[dot] != '.':
		return result{}
	}
	id, err := base64.RawStdEncoding.DecodeString(string(v.text[at:dot]))
	if err != nil || !isNumber(id) {
		return result{}
	}
	second, known := v.run(dot+1, token, 8)
	switch {
	case !known:
		return wait(at)
	case second-dot < 6 || second == len(v.text) || v.text[second] != '.':
		return result{}
	}
	end, known := v.run(second+1, token, 27)
	switch {
	case !known:
		return wait(at)
	case end < second+1+27:
		return result{}
	}
	return found(at, end, token)
}
