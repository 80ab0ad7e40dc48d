package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"slices"
)

// The page, which this package fills with data. Nothing in it is loaded from elsewhere.
var (
	//go:embed page/page.html
	markup []byte
	//go:embed page/style.css
	style []byte
	//go:embed page/base.js
	base string
	//go:embed page/summary.js
	summary string
	//go:embed page/table.js
	table string
	//go:embed page/call.js
	call string
	//go:embed page/timeline.js
	drawing string
	//go:embed page/start.js
	start string

	// script is all of them in one function, so that none of their names is the window's.
	script = []byte("'use strict';\n(() => {\n" + base + summary + table + call + drawing + start + "})();\n")
)

// Style returns the page's style sheet, for other pages that look like it.
func Style() []byte { return slices.Clone(style) }

// Generator is what the page's meta element of that name says. A file that has it is a report.
const Generator = "Spillway report"

// Beginning is how a page begins, by which a report is known.
const Beginning = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
	"<meta name=\"generator\" content=\"" + Generator + "\">\n"

// chunk is how many calls' texts are one element of the page. The browser parses one when a call in it is opened.
const chunk = 200

// WriteHTML writes a page that needs nothing else. Texts from the record are in it as JSON alone, in elements whose
// content browsers do not run, with each < written so that it ends no element. The page's own script, the only one that
// its policy lets run, puts them into the document as text.
func (r *Report) WriteHTML(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	w.WriteString(Beginning)
	w.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; " +
		"script-src '" + digest(script) +
		"'; style-src '" + digest(style) + "'; base-uri 'none'; form-action 'none'\">\n")
	w.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	w.WriteString("<meta name=\"color-scheme\" content=\"light dark\">\n" +
		"<meta name=\"referrer\" content=\"no-referrer\">\n")
	w.WriteString("<title>" + html.EscapeString(oneLine(r.Name)) + " · Spillway report</title>\n<style>")
	w.Write(style)
	w.WriteString("</style>\n</head>\n")
	w.Write(markup)
	if err := data(w, "report", r); err != nil {
		return err
	}
	for from := 0; from < len(r.Calls); from += chunk {
		var texts []content
		for _, c := range r.Calls[from:min(from+chunk, len(r.Calls))] {
			texts = append(texts, content{c.args, c.segments()})
		}
		if err := data(w, "texts", texts); err != nil {
			return err
		}
	}
	w.WriteString("<script>")
	w.Write(script)
	w.WriteString("</script>\n</body>\n</html>\n")
	return w.Flush()
}

// content is what is shown of a call when it is opened.
type content struct {
	Args []argument `json:"args"`
	Text []segment  `json:"text"`
}

// data writes a value as an element that is not run. [json.Marshal] escapes <, > and &, U+2028 and U+2029.
func data(w *bufio.Writer, class string, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.WriteString("<script type=\"application/json\" class=\"" + class + "\">")
	w.Write(encoded)
	_, err = w.WriteString("</script>\n")
	return err
}

// digest is how a policy names a script or style that may stand in the page.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
