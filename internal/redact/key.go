package redact

import (
	"bytes"
	"strings"

	"github.com/spillway-go/spillway/internal/credential"
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

var labelClass = credential.ClassOf("A-Z0-9 -")

// privateKey is the check of a private key in PEM, from its first line.
func privateKey(v *view, at, after int) result {
	end, known := v.Run(after, labelClass, maxLabel)
	if !known {
		return wait(at)
	}
	dashes := credential.KeyLabel(v.text[after:end])
	if dashes == 0 {
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
	end, known := v.Run(after, digits, 4)
	if !known || end == len(v.text) && !v.end {
		return wait(len(v.text))
	}
	if end == after {
		return result{}
	}
	begin, known := v.Run(end, blanks, maxNoise)
	if !known {
		return wait(len(v.text))
	}
	return keyFrom(v, begin, begin)
}

var blanks = credential.ClassOf(" \t\r\n")

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
			r := found(start, part.end, nil)
			r.tail, r.layout.escaped = keyTail(maxKey), true
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
		line, _ := v.Run(at, base64Class, int(k))
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
		return ifKnown(known, part{lastPart, end})
	}
	if end, known := headerLine(v, i); !known || end > 0 {
		return ifKnown(known, part{headerPart, end})
	}
	// One part a time, so that a long line is not looked at again and again.
	end, known := v.Run(i, base64Class, maxLabel)
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
			return ifKnown(known, part{lastPart, last})
		}
		if next, known = v.Run(j, base64Class, minKeyLine); !known {
			return part{is: unknownPart}
		}
	}
	return part{}
}

// ifKnown returns p, or that it is unknown.
func ifKnown(known bool, p part) part {
	if !known {
		return part{is: unknownPart}
	}
	return p
}

// noise returns the end of what may stand between two lines of a key.
func noise(v *view, at int) (end int, known bool) {
	i := at
	for i < min(len(v.text), at+maxNoise) {
		n, known := noiseAt(v, at, i)
		if !known {
			return i, false
		}
		if n == 0 {
			return i, true
		}
		i += n
	}
	return i, i < len(v.text) || v.end || i >= at+maxNoise
}

// noiseAt returns the length of one sign at i of what began at at, or 0 if there is none.
func noiseAt(v *view, at, i int) (n int, known bool) {
	v.work++
	c := v.text[i]
	rest := v.text[i+1:]
	if (c == '\\' || c == '+' || c == '-') && len(rest) < 5 && !v.end {
		return 0, false
	}
	begins := i > at && v.text[i-1] == '\n' // at a line
	switch {
	case strings.IndexByte(" \t\r\n\"'`,>|#;", c) >= 0:
		return 1, true
	case c == '\\':
		if len(rest) > 0 && (rest[0] == 'n' || rest[0] == 'r' || rest[0] == 't') {
			return 2, true
		}
		return 1, true
	case c == '+' && (begins || len(rest) > 0 && strings.IndexByte(" \r\n", rest[0]) >= 0): // of a diff, or of strings
		return 1, true
	case c == '-' && begins && (!bytes.HasPrefix(rest, []byte("-")) || bytes.HasPrefix(rest, []byte("-----"))):
		return 1, true
	case digits[c] && i > at && (begins || v.text[i-1] == ' '):
		return lineNumber(v, i)
	}
	return 0, true
}

// lineNumber returns the length of the number of a line and what follows it, as grep -n and cat -n print them.
func lineNumber(v *view, i int) (n int, known bool) {
	end, known := v.Run(i, digits, 8)
	switch {
	case !known || end == len(v.text) && !v.end:
		return 0, false
	case end == len(v.text) || strings.IndexByte(":\t|-", v.text[end]) < 0:
		return 0, true
	}
	return end + 1 - i, true
}

// endLine returns the end of a key's last line, or 0 if i is not at one.
func endLine(v *view, i int) (end int, known bool) {
	for _, begin := range []string{"-----END ", "---- END "} {
		yes, known := v.Has(i, begin)
		if !known {
			return 0, false
		}
		if !yes {
			continue
		}
		end, known := v.Run(i+len(begin), labelClass, maxLabel)
		return end, known
	}
	return 0, true
}

// keyHeaders are the lines before the body of a key.
var keyHeaders = []string{
	"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "Subject:", "Key-Info:",
}

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
		yes, known := v.Has(i, h)
		if !known {
			return 0, false
		}
		if yes {
			return v.Run(i, lineClass, maxLabel)
		}
	}
	return 0, true
}
