package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// documentStrategies are the ways to cut a JSON document that are set side by side.
var documentStrategies = []strategy{
	{name: "`tail`, 4 KiB", show: cut(truncation.Policy{Strategy: truncation.Tail, Limits: limits(0, 4)})},
	{name: "`tail`, 2000 lines or 30 KB", show: cut(truncation.Policy{Strategy: truncation.Tail, Limits: limits(2000, 30)})},
	{name: "`digest` of its lines, 4 KiB", show: linesDigest},
	{name: asJSON, show: cut(truncation.Policy{Strategy: truncation.JSON})},
}

const asJSON = "`json`, 4 KiB"

// linesDigest shows a text as Digest does one that is not a document: it has a line in front.
func linesDigest(text []byte) (string, []string) {
	return truncation.Policy{Strategy: truncation.Digest}.Cut("$\n" + string(text)), nil
}

// documentTable returns how many needles of the JSON documents each strategy shows, and how many of its results are
// JSON.
func documentTable() (string, error) {
	var b strings.Builder
	b.WriteString("| documents | strategy | needles shown | tokens, mean | valid JSON |\n|---|---|---|---|---|\n")
	for _, h := range documentHalves {
		texts, err := load(h.name)
		if err != nil {
			return "", err
		}
		for _, s := range documentStrategies {
			r, valid := row{strategy: s}, 0
			for _, t := range texts {
				r.add(t.measure(s))
				if shown, _ := s.show(t.text); json.Valid([]byte(shown)) {
					valid++
				}
			}
			fmt.Fprintf(&b, "| %d, %s | %s | %d of %d (%.0f%%) | %d | %d |\n",
				r.texts, h.name, s.name, r.shown, r.needles, r.share(), r.tokens/r.texts, valid)
		}
	}
	return b.String(), nil
}
