package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/tools"
)

// value returns a result as a script gets it: what its details have, with the text without notices, and what a program
// finds in Go fields alone.
func (r *run) value(res tools.Result) []byte {
	if e, ok := res.Details.(*tools.Error); ok {
		return errorValue(e.Code, e.Message, withText(e, res.Text))
	}
	if res.IsError {
		return errorValue(res.Code, res.Text, nil)
	}
	fields := fieldsOf(res.Details)
	fields["text"] = res.Text
	switch d := res.Details.(type) {
	case tools.ReadResult:
		if d.Page != "" {
			fields["text"] = d.Page
		}
	case tools.BashResult:
		fields["text"] = d.Output
		if d.Stderr != "" {
			fields["stderr"] = d.Stderr
		}
	case tools.GrepResult:
		fields["text"], fields["lines"] = linesOf(d.Lines)
	case tools.FindResult:
		paths := []string{}
		for _, entry := range d.Entries {
			paths = append(paths, entry.Path)
		}
		fields["text"], fields["paths"] = strings.Join(paths, "\n"), paths
	case tools.LsResult:
		fields["text"], fields["names"] = strings.Join(d.Names, "\n"), append([]string{}, d.Names...)
	}
	var images []map[string]any
	for _, img := range res.Images {
		r.images = append(r.images, img)
		r.received += int64(len(img.Data))
		images = append(images, map[string]any{"image": len(r.images), "mimeType": img.MIMEType, "bytes": len(img.Data)})
	}
	if images != nil {
		fields["images"] = images
	}
	encoded, err := json.Marshal(fields)
	if err != nil {
		return errorValue(tools.CodeInternal, "the result is not JSON: "+err.Error(), nil)
	}
	return encoded
}

// grepLine is a line that grep shows, or a file.
type grepLine struct {
	Path  string `json:"path"`
	Line  int    `json:"line,omitempty"`
	Text  string `json:"text"`
	Match bool   `json:"match"`
	Count int    `json:"count,omitempty"`
}

// linesOf returns the lines that grep shows as a text and as objects.
func linesOf(list []tools.GrepLine) (text string, lines []grepLine) {
	var b strings.Builder
	lines = make([]grepLine, len(list))
	for i, l := range list {
		lines[i] = grepLine{l.Path, l.Line, strings.ToValidUTF8(l.Text, "\uFFFD"), l.Match, l.Count}
		b.WriteString(l.Path)
		switch {
		case l.Line > 0:
			fmt.Fprintf(&b, ":%d:%s", l.Line, lines[i].Text)
		case l.Count > 0:
			fmt.Fprintf(&b, ":%d", l.Count)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n"), lines
}

// fieldsOf returns details as the fields of an object. What is no object is its field details.
func fieldsOf(details any) map[string]any {
	fields := map[string]any{}
	encoded, err := json.Marshal(details)
	if err != nil || string(encoded) == "null" {
		return fields
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(encoded, &object) != nil {
		fields["details"] = json.RawMessage(encoded)
		return fields
	}
	for key, value := range object {
		fields[key] = value
	}
	return fields
}

// withText returns what an error has of a result, with the text that the model would read.
func withText(e *tools.Error, text string) map[string]any {
	fields := fieldsOf(e)
	delete(fields, "error")
	delete(fields, "message")
	fields["text"] = text
	return fields
}

// errorValue returns the error of a call as a script gets it.
func errorValue(code tools.Code, message string, details map[string]any) []byte {
	encoded, err := json.Marshal(map[string]any{"code": code, "message": fmt.Sprintf("%s: %s", code, message), "details": details})
	if err != nil {
		encoded, _ = json.Marshal(map[string]any{"code": code, "message": message})
	}
	return encoded
}
