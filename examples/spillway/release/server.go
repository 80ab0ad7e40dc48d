package main

import "strings"

const (
	// serverName is the program's name in the MCP registry, which the image has as a label.
	serverName  = "io.github.spillway-go/spillway"
	repository  = "https://github.com/spillway-go/spillway"
	imageName   = "ghcr.io/spillway-go/spillway"
	description = "The tools of a coding agent: read, bash, grep, find, ls, write and edit, with bounded output"
)

// bundled are the files of an MCP bundle: those of an archive, and its manifest.
func bundled(b build, files []file) ([]file, error) {
	type object = map[string]any
	systems := map[string]string{"windows": "win32"} // as Node calls them
	system := b.system
	if systems[system] != "" {
		system = systems[system]
	}
	path := "server/" + b.program()
	manifest, err := encode(object{
		"manifest_version": "0.3",
		"name":             "spillway",
		"display_name":     "Spillway",
		"version":          strings.TrimPrefix(b.version, "v"),
		"description":      description,
		"author":           object{"name": "The Spillway authors", "url": repository},
		"repository":       object{"type": "git", "url": repository},
		"documentation":    repository + "/blob/main/docs/mcp.md",
		"license":          "MIT",
		"tools_generated":  true,
		"server": object{
			"type": "binary", "entry_point": path,
			"mcp_config": object{
				"command": "${__dirname}/" + path,
				"args":    []string{"mcp", "-workspace", "${user_config.workspace}", "-read-only=${user_config.read_only}"},
			},
		},
		"compatibility": object{"platforms": []string{system}},
		"user_config": object{
			"workspace": object{
				"type": "directory", "title": "Workspace", "required": true,
				"description": "The directory that the tools work in",
			},
			"read_only": object{
				"type": "boolean", "title": "Read only", "default": true,
				"description": "No commands, and no changes to files. Without it, commands can do whatever you can",
			},
		},
	})
	list := []file{{name: "manifest.json", mode: 0o644, data: manifest}}
	for _, f := range files {
		if f.name == b.program() {
			f.name = path
		}
		list = append(list, f)
	}
	return list, err
}

// server is what the MCP registry is told.
type server struct {
	Schema      string `json:"$schema"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Repository  source `json:"repository"`
	Version     string `json:"version"`
	Packages    []pack `json:"packages"`

	tag string
}

type source struct {
	URL       string `json:"url"`
	Source    string `json:"source"`
	Subfolder string `json:"subfolder"`
}

type pack struct {
	RegistryType string    `json:"registryType"`
	Identifier   string    `json:"identifier"`
	SHA256       string    `json:"fileSha256,omitempty"`
	RuntimeHint  string    `json:"runtimeHint,omitempty"`
	Transport    transport `json:"transport"`
	Runtime      []input   `json:"runtimeArguments,omitempty"`
}

type transport struct {
	Type string `json:"type"`
}

// input is an argument, or a variable in one.
type input struct {
	Type        string           `json:"type,omitempty"`
	Name        string           `json:"name,omitempty"`
	Description string           `json:"description"`
	Format      string           `json:"format,omitempty"`
	Required    bool             `json:"isRequired,omitempty"`
	Value       string           `json:"value,omitempty"`
	Variables   map[string]input `json:"variables,omitempty"`
}

func newServer(tag string) *server {
	return &server{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   serverName, Title: "Spillway", Description: description,
		Repository: source{repository, "github", "examples/spillway"},
		Version:    strings.TrimPrefix(tag, "v"), tag: tag,
	}
}

// addBundle adds a bundle, where a release on GitHub has it.
func (s *server) addBundle(name, sum string) {
	s.Packages = append(s.Packages, pack{
		RegistryType: "mcpb", Identifier: repository + "/releases/download/" + s.tag + "/" + name,
		SHA256: sum, Transport: transport{"stdio"},
	})
}

// addImage adds the image, which is given a directory of the user's.
func (s *server) addImage() {
	workspace := input{Description: "The directory that the tools work in", Format: "filepath", Required: true}
	s.Packages = append(s.Packages, pack{
		RegistryType: "oci", Identifier: imageName + ":" + s.Version, RuntimeHint: "docker", Transport: transport{"stdio"},
		Runtime: []input{{
			Type: "named", Name: "--mount", Description: "What the tools work in", Required: true,
			Value:     "type=bind,src={workspace},dst=/workspace",
			Variables: map[string]input{"workspace": workspace},
		}},
	})
}

func (s *server) encode() ([]byte, error) { return encode(s) }
