package shapes

import "bytes"

// takesQuote reports whether a quotation mark begins text in quotes. Quoted text behind a colon or an equals sign,
// such as a value in JSON, is read word by word instead.
func takesQuote(text []byte, at int) bool {
	if at == 0 {
		return true
	}
	switch before := text[at-1]; {
	case before == ':' || before == '=' || before == ' ' && at > 1 && text[at-2] == ':' && text[at] == '"':
		return false
	case text[at] == '\'' && classes[before]&word != 0: // an apostrophe
		return false
	}
	return true
}

// quoteAt returns the end of the text in quotes at a place, or 0 if there is none, and the token for it. A key is kept
// literally unless it has digits.
func quoteAt(text []byte, at int) (end int, t token) {
	if !takesQuote(text, at) {
		return 0, 0
	}
	c, from := text[at], at+1
	end = from
	for {
		n := bytes.IndexByte(text[end:], c)
		if n < 0 {
			return 0, 0
		}
		escape := bytes.IndexByte(text[end:end+n], '\\')
		if escape < 0 {
			end += n
			break
		}
		if end += escape + 2; end > len(text) {
			return 0, 0
		}
	}
	inside := text[from:end]
	if c == '"' && end+1 < len(text) && text[end+1] == ':' {
		if bytes.ContainsAny(inside, "0123456789") {
			return end + 1, maskedName
		}
		return end + 1, wordToken(inside)
	}
	if len(inside) > 12 {
		return end + 1, maskedQuote
	}
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' {
			i++
		} else if classes[inside[i]]&(lower|upper) == 0 {
			return end + 1, maskedQuote
		}
	}
	return end + 1, wordToken(inside)
}
