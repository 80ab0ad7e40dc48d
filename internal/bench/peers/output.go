package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// printed is what a command printed, as far as the checks need it.
type printed struct {
	all    hash.Hash
	others hash.Hash // without the lines that have the word
	found  bool      // a line has the word
}

// digest reads an output to its end.
func digest(in io.Reader, word string) (p printed, err error) {
	p = printed{all: sha256.New(), others: sha256.New()}
	lines := bufio.NewReaderSize(in, 1<<16)
	for err == nil {
		var line []byte
		if line, err = lines.ReadSlice('\n'); err == bufio.ErrBufferFull {
			err = nil
		}
		p.all.Write(line)
		if word != "" && strings.Contains(string(line), word) {
			p.found = true
		} else {
			p.others.Write(line)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return p, err
}

func equal(a, b hash.Hash) bool { return [32]byte(a.Sum(nil)) == [32]byte(b.Sum(nil)) }

// output looks for all that a command printed, in the text or in the file that the
// text names, and for the word in that with the contender's own grep.
func (p *prober) output(write func(io.Writer) error, word string) error {
	r, err := p.begin()
	if err != nil {
		return err
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(write(out)) }()
	want, err := digest(in, word)
	if err != nil {
		return err
	}
	text, err := digest(strings.NewReader(string(r.Text)), word)
	if err != nil {
		return err
	}
	if equal(text.all, want.all) {
		p.Rest = shown
		return nil
	}
	p.Rest = lost
	name := spilled(string(r.Text))
	if name == "" {
		return nil
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.dir, name)
	}
	f, err := os.Open(path)
	if err != nil {
		p.note("the file that the text names is not there")
		return nil
	}
	defer f.Close()
	got, err := digest(f, word)
	switch {
	case err != nil:
		return err
	case equal(got.all, want.all):
	case equal(got.others, want.others) && got.found:
		p.note("in the file stdout and stderr are out of order")
	default:
		p.note("the file that the text names is not the output")
		return nil
	}
	return p.reachable(name, word)
}

// reachable opens the file of an output with the contender's own tools.
func (p *prober) reachable(name, word string) error {
	c := call{"read", map[string]any{"path": name, "offset": 1, "limit": 1}}
	if word != "" {
		c = call{"grep", map[string]any{"pattern": word, "path": name}}
	}
	r, err := p.ask(c)
	if err != nil {
		return err
	}
	p.Rest = recovered
	if r.Error || !strings.Contains(string(r.Text), word) {
		p.lose(fmt.Sprintf("its own %s does not open the file", c.Tool))
	}
	return nil
}
