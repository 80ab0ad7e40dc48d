package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage is how many bytes a message may have.
const maxMessage = 16 << 20

// lines is an input of which only whole lines of JSON come through, and of these what the SDK understands as it was
// meant ([sift]). The SDK ends the connection at anything that is not JSON, and with it all calls that are running: here
// such a line is refused, and the next one counts. An input that fails has ended.
type lines struct {
	io.Closer
	in     *bufio.Reader
	refuse func(*refusal)
	rest   []byte // of the line that is being read
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if err != nil && len(line) == 0 {
			return 0, io.EOF
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var raw json.RawMessage
		if len(line) > maxMessage {
			l.refuse(newRefusal(nil, jsonrpc.CodeInvalidRequest,
				fmt.Errorf("the message is larger than %d MiB", maxMessage>>20)))
		} else if err := json.Unmarshal(line, &raw); err != nil {
			l.refuse(newRefusal(nil, jsonrpc.CodeParseError, fmt.Errorf("the line is not JSON: %w", err)))
		} else {
			l.sift(line)
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *lines) sift(line []byte) {
	left, refused := sift(line)
	for _, r := range refused {
		if !r.unsaid {
			l.refuse(r)
		}
	}
	if len(left) > 0 {
		l.rest = append(left, '\n')
	}
}

// line reads a line. Of one that is too long it gives the beginning, which is too
// long too.
func (l *lines) line() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// output is written to by whoever has a message, one at a time.
type output struct {
	mu sync.Mutex
	to io.Writer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(p)
}

// Close leaves the output open: answers may still be due when the input is closed.
func (o *output) Close() error { return nil }

// refuse answers what the SDK does not see.
func (o *output) refuse(r *refusal) {
	if data, err := json.Marshal(r); err == nil {
		_, _ = o.Write(append(data, '\n')) // a client that is gone is noticed by the next answer
	}
}
