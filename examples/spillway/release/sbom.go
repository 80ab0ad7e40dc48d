package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// The inventory is CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json.
type inventory struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp time.Time `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Scope    string    `json:"scope,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licences []licence `json:"licenses"`
	PURL     string    `json:"purl"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

// sbom is the inventory of a build: the modules that it is linked from, and which of them uses which.
func sbom(b build) ([]byte, error) {
	refs := map[string]string{}
	for _, p := range b.parts {
		refs[p.path] = p.purl(b)
	}
	all := inventory{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
	}
	all.Metadata.Timestamp = b.written
	for _, p := range b.parts {
		c := component{
			Type: "library", Ref: refs[p.path], Name: p.path, Version: p.version, Scope: "required",
			Licences: []licence{{strings.Join(p.spdx, " AND ")}}, PURL: refs[p.path],
		}
		if p.own {
			c.Type, c.Name, c.Version, c.Scope = "application", "spillway", b.version, ""
			c.Hashes = []hash{{"SHA-256", b.sum()}}
			all.Metadata.Component = c
		} else {
			all.Components = append(all.Components, c)
		}
		d := dependency{Ref: c.Ref}
		for _, used := range p.uses {
			d.On = append(d.On, refs[used])
		}
		all.Dependencies = append(all.Dependencies, d)
	}
	return encode(all)
}

// purl is the package URL of a part.
func (p part) purl(b build) string {
	if p.own {
		return "pkg:golang/" + p.path + "@" + b.version + "?goarch=" + b.processor + "&goos=" + b.system + "#examples/spillway"
	}
	return "pkg:golang/" + p.path + "@" + p.version
}

// encode writes JSON for people and programs.
func encode(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return text.Bytes(), err
}
