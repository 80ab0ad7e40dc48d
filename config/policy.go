package config

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// policyText is the text form of a policy: the fields that the suite does not decide itself.
type policyText struct {
	Chars     truncation.Limit `json:"chars,omitempty"`
	First     int              `json:"first,omitempty"`
	Last      int              `json:"last,omitempty"`
	Threshold int              `json:"threshold,omitempty"`
	Marker    string           `json:"marker,omitempty"`
}

// defaultPolicy has the numbers of agents that show both ends of an output by lines.
var defaultPolicy = policyText{First: 10, Last: 10, Threshold: 3000}

const wantPolicy = `an object with chars, first, last, threshold or marker, such as {"first": 10, "marker": "\n..."}`

func textOf(p truncation.Policy) policyText {
	return policyText{p.Chars, p.First, p.Last, p.Threshold, p.Marker}
}

func (t policyText) policy() truncation.Policy {
	return truncation.Policy{Limits: truncation.Limits{Chars: t.Chars}, First: t.First, Last: t.Last, Threshold: t.Threshold, Marker: t.Marker}
}

func (t policyText) String() string {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t); err != nil {
		panic(err) // numbers and a text always encode
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func parsePolicy(p *truncation.Policy, text string) bool {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	var t *policyText
	if dec.Decode(&t) != nil || t == nil || dec.More() {
		return false
	}
	*p = t.policy()
	return resolvePolicy(p) // now, so that origins still recognize the value later
}

// resolvePolicy replaces zeros by defaults. It reports false if the policy sets what the suite decides, or has a
// negative number.
func resolvePolicy(p *truncation.Policy) bool {
	t := textOf(*p)
	if !reflect.DeepEqual(*p, t.policy()) || p.Check() != nil || t.Chars < 0 {
		return false
	}
	d := defaultPolicy
	p.First, p.Last, p.Threshold = cmp.Or(t.First, d.First), cmp.Or(t.Last, d.Last), cmp.Or(t.Threshold, d.Threshold)
	return true
}
