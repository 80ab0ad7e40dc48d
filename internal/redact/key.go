package redact

import (
	"bytes"
	"strings"
)

const (
	// maxKey bounds what is masked of a private key that has no end.
	maxKey = 32 << 10
	// maxLabel bounds the label of a key, and a line of its header.
	maxLabel = 128
	// maxNoise bounds what may stand between two lines of a key: indentation, the signs of a diff, numbers of lines.
	maxNoise = 64
	// minKeyLine is the length of a line that belongs to a key whatever follows it.
	minKeyLine = 16
)

var labelClass = classOf("A-Z0-9 -")

// privateKey is the check of a private key in PEM, from its first line.
func privateKey(v *view, at, after int) result {
	end, known := v.run(after, labelClass, maxLabel)
	if !known {
		return wait(at)
	}
	label := v.text[after:end]
	dashes := bytes.Index(label, []byte("----"))
	if dashes < 0 || !bytes.Contains(label[:dashes], []byte("PRIVATE KEY")) {
		return result{}
	}
	begin := after + dashes + len("----")
	if begin < len(v.text) && v.text[begin] == '-' {
		begin++
	}
	return keyFrom(v, at, begin)
}

// puttyKey is the check of the private lines in a key of PuTTY.
func puttyKey(v *view, _, after int) result {
	end, known := v.run(after, digits, 4)
	if !known || end == len(v.text) && !v.end {
		return wait(len(v.text))
	}
	if end == after {
		return result{}
	}
	begin, known := v.run(end, blanks, maxNoise)
	if !known {
		return wait(len(v.text))
	}
	return keyFrom(v, begin, begin)
}

var blanks = classOf(" \t\r\n")

// keyFrom returns the secret from start on if lines of a key follow begin.
func keyFrom(v *view, start, begin int) result {
	at := begin
	for range 16 {
		part := keyPart(v, at)
		switch part.is {
		case unknownPart:
			return wait(start)
		case headerPart:
			at = part.end
			continue
		case bodyPart:
			r := found(start, part.end, keyTail(maxKey))
			r.layout.escaped = true
			return r
		}
		break
	}
	return result{}
}

// keyTail is the tail of a private key: at most so many bytes.
type keyTail int

func (k keyTail) next(v *view, at int) (end int, rest tail) {
	for k > 0 {
		// The last part may go on.
		line, _ := v.run(at, base64Class, int(k))
		k -= keyTail(line - at)
		if at = line; at == len(v.text) && !v.end {
			return at, k
		}
		part := keyPart(v, at)
		switch part.is {
		case unknownPart:
			return at, k
		case notPart, headerPart:
			return at, nil
		case lastPart:
			return part.end, nil
		}
		k -= keyTail(part.end - at)
		at = part.end
	}
	return at, nil
}

type partKind uint8

const (
	notPart     partKind = iota
	unknownPart          // it depends on what follows
	headerPart           // a line such as DEK-Info
	bodyPart             // base64
	lastPart             // the last line
)

// part is what follows in a key.
type part struct {
	is  partKind
	end int
}

// keyPart returns the part of a key that follows at, after what may stand between two lines.
func keyPart(v *view, at int) part {
	i, known := noise(v, at)
	if !known {
		return part{is: unknownPart}
	}
	if end, known := endLine(v, i); !known || end > 0 {
		return known2(known, part{lastPart, end})
	}
	if end, known := headerLine(v, i); !known || end > 0 {
		return known2(known, part{headerPart, end})
	}
	// One part a time, so that a long line is not looked at again and again.
	end, known := v.run(i, base64Class, maxLabel)
	if end-i >= minKeyLine {
		return part{bodyPart, end}
	}
	if !known {
		return part{is: unknownPart}
	}
	// A short line is the last but one, or it has the checksum of OpenPGP and follows that.
	next := end
	for range 2 {
		j, known := noise(v, next)
		if !known {
			return part{is: unknownPart}
		}
		last, known := endLine(v, j)
		if !known || last > 0 {
			return known2(known, part{lastPart, last})
		}
		if next, known = v.run(j, base64Class, minKeyLine); !known {
			return part{is: unknownPart}
		}
	}
	return part{}
}

func known2(known bool, p part) part {
	if !known {
		return part{is: unknownPart}
	}
	return p
}

// noise returns the end of what may stand between two lines of a key.
func noise(v *view, at int) (end int, known bool) {
	i := at
	for i < min(len(v.text), at+maxNoise) {
		v.work++
		switch c := v.text[i]; {
		case strings.IndexByte(" \t\r\n\"'`,>|#;", c) >= 0:
			i++
		case c == '\\':
			i++
			if i < len(v.text) && (v.text[i] == 'n' || v.text[i] == 'r' || v.text[i] == 't') {
				i++
			} else if i == len(v.text) && !v.end {
				return i, false
			}
		case c == '+' && i > at && v.text[i-1] == '\n', c == '+' && i+1 < len(v.text) && strings.IndexByte(" \r\n", v.text[i+1]) >= 0:
			i++
		case c == '-' && i > at && v.text[i-1] == '\n' && i+1 < len(v.text) && v.text[i+1] != '-', c == '-' && i > at && v.text[i-1] == '\n' && bytes.HasPrefix(v.text[i:], []byte("------")):
			i++
		case digits[c] && i > at && (v.text[i-1] == '\n' || v.text[i-1] == ' '):
			n := i
			for n < len(v.text) && digits[v.text[n]] && n < i+8 {
				n++
			}
			if n == len(v.text) && !v.end {
				return n, false
			}
			if n == len(v.text) || strings.IndexByte(":\t|-", v.text[n]) < 0 {
				return i, true
			}
			i = n + 1
		default:
			if (c == '+' || c == '-') && i+6 > len(v.text) && !v.end {
				return i, false
			}
			return i, true
		}
	}
	return i, i < len(v.text) || v.end || i >= at+maxNoise
}

// endLine returns the end of a key's last line, or 0 if i is not at one.
func endLine(v *view, i int) (end int, known bool) {
	for _, begin := range []string{"-----END ", "---- END "} {
		yes, known := v.has(i, begin)
		if !known {
			return 0, false
		}
		if !yes {
			continue
		}
		end, known := v.run(i+len(begin), labelClass, maxLabel)
		return end, known
	}
	return 0, true
}

// keyHeaders are the lines before the body of a key.
var keyHeaders = []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "Subject:", "Key-Info:"}

var lineClass = func() *class {
	c := new(class)
	for i := ' '; i < 256; i++ {
		c[i] = i != '\\'
	}
	return c
}()

// headerLine returns the end of a line before the body, or 0 if i is not at one.
func headerLine(v *view, i int) (end int, known bool) {
	for _, h := range keyHeaders {
		yes, known := v.has(i, h)
		if !known {
			return 0, false
		}
		if yes {
			return v.run(i, lineClass, maxLabel)
		}
	}
	return 0, true
}
