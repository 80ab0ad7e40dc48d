package main

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"os"

	"github.com/spillway-go/spillway/internal/report"
)

var (
	//go:embed page/page.html
	markup []byte
	//go:embed page/page.css
	style []byte
	//go:embed page/page.js
	script []byte
)

// writePage writes a page with all results, which loads nothing. The texts of suites are in it as JSON alone, in an
// element that browsers do not run; its own script, the only one that its policy lets run, shows them as text.
func (r *run) writePage(file string) error {
	data, err := json.Marshal(r) // which escapes <, > and &
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	css := append(report.Style(), style...)
	code := []byte("'use strict';\n(() => {\n" + string(script) + "})();\n")
	w := bufio.NewWriter(f)
	w.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	w.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '" + digest(code) +
		"'; style-src '" + digest(css) + "'; base-uri 'none'; form-action 'none'\">\n")
	w.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>The bench</title>\n<style>")
	w.Write(css)
	w.WriteString("</style>\n</head>\n")
	w.Write(markup)
	w.WriteString("<script type=\"application/json\" class=\"run\">")
	w.Write(data)
	w.WriteString("</script>\n<script>")
	w.Write(code)
	w.WriteString("</script>\n</body>\n</html>\n")
	return w.Flush()
}

// digest is how a policy names a script or style that may stand in the page.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
