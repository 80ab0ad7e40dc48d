package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// dockerfile has what an image starts, in the lines below its last FROM.
const dockerfile = "examples/spillway/Dockerfile"

// nobody is the user that the image's Dockerfile names.
const nobody = 65532

// rootFiles are the files of an image: those of an archive, and the directories that a program expects.
func rootFiles(b build) ([]file, error) {
	files, err := b.files()
	if err != nil {
		return nil, err
	}
	return append([]file{
		{name: "tmp/", mode: 0o1777},
		{name: "workspace/", mode: 0o755, owner: nobody},
		files[0], // the program
		{name: "licenses/", mode: 0o755},
	}, below("licenses", files[1:])...), nil
}

// started is the configuration of an image: how it is started.
type started struct {
	User       string            `json:"User"`
	Env        []string          `json:"Env"`
	Entrypoint []string          `json:"Entrypoint"`
	Cmd        []string          `json:"Cmd"`
	WorkingDir string            `json:"WorkingDir"`
	Labels     map[string]string `json:"Labels"`
}

// readDockerfile reads the last stage of a Dockerfile. It knows the instructions that ours has, each on one line.
func readDockerfile(text string) (s started, err error) {
	s.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	for line := range strings.Lines(text[strings.LastIndex(text, "\nFROM ")+1:]) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "", "#", "FROM", "COPY":
		case "USER":
			s.User = rest
		case "WORKDIR":
			s.WorkingDir = rest
		case "ENTRYPOINT":
			err = json.Unmarshal([]byte(rest), &s.Entrypoint)
		case "CMD":
			err = json.Unmarshal([]byte(rest), &s.Cmd)
		case "ENV", "LABEL":
			key, quoted, _ := strings.Cut(rest, "=")
			value, wrong := strconv.Unquote(quoted)
			err = wrong
			if s.Labels == nil {
				s.Labels = map[string]string{}
			}
			if name == "LABEL" {
				s.Labels[key] = value
			} else {
				s.Env = append(s.Env, key+"="+value)
			}
		default:
			err = fmt.Errorf("%s is not known to release/image.go", name)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %q: %w", dockerfile, strings.TrimSpace(line), err)
		}
	}
	return s, nil
}

// descriptor names a blob: https://github.com/opencontainers/image-spec.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

const ociTypes = "application/vnd.oci.image."

// layout is an image layout, in the making.
type layout struct{ files []file }

// add adds a blob.
func (l *layout) add(kind string, data []byte) descriptor {
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	l.files = append(l.files, file{name: "blobs/sha256/" + sum, mode: 0o644, data: data})
	return descriptor{MediaType: ociTypes + kind, Digest: "sha256:" + sum, Size: len(data)}
}

// addJSON adds a blob of JSON.
func (l *layout) addJSON(kind string, value any) (descriptor, error) {
	text, err := encode(value)
	return l.add(kind, text), err
}

// list is an image index or, with a config, a manifest.
type list struct {
	Schema    int          `json:"schemaVersion"`
	MediaType string       `json:"mediaType"`
	Config    *descriptor  `json:"config,omitempty"`
	Layers    []descriptor `json:"layers,omitempty"`
	Manifests []descriptor `json:"manifests,omitempty"`
}

// packImage returns the image for the platforms of all builds, as an archive with an OCI image layout.
func packImage(builds []build) ([]byte, error) {
	text, err := os.ReadFile(dockerfile)
	if err != nil {
		return nil, err
	}
	config, err := readDockerfile(string(text))
	if err != nil {
		return nil, err
	}
	written, version := builds[0].written, builds[0].version
	config.Labels["org.opencontainers.image.version"] = version
	l := &layout{}
	index := list{Schema: 2, MediaType: ociTypes + "index.v1+json"}
	for _, b := range builds {
		manifest, err := l.manifest(b, config)
		if err != nil {
			return nil, err
		}
		manifest.Platform = &platform{b.processor, b.system}
		index.Manifests = append(index.Manifests, manifest)
	}
	all, err := l.addJSON("index.v1+json", index)
	if err != nil {
		return nil, err
	}
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": strings.TrimPrefix(version, "v")}
	top, err := encode(list{Schema: 2, MediaType: index.MediaType, Manifests: []descriptor{all}})
	if err != nil {
		return nil, err
	}
	files := append([]file{
		{name: "oci-layout", mode: 0o644, data: []byte(`{"imageLayoutVersion": "1.0.0"}` + "\n")},
		{name: "index.json", mode: 0o644, data: top},
	}, l.files...)
	var archive bytes.Buffer
	err = tarred(&archive, files, written)
	return archive.Bytes(), err
}

// manifest adds the layer, the configuration and the manifest for a platform.
func (l *layout) manifest(b build, config started) (d descriptor, err error) {
	files, err := rootFiles(b)
	if err != nil {
		return d, err
	}
	var plain, packed bytes.Buffer
	if err := tarred(&plain, files, b.written); err != nil {
		return d, err
	}
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return d, err
	}
	if _, err := zip.Write(plain.Bytes()); err != nil {
		return d, err
	}
	if err := zip.Close(); err != nil {
		return d, err
	}
	type rootFS struct {
		Type string   `json:"type"`
		IDs  []string `json:"diff_ids"`
	}
	settings, err := l.addJSON("config.v1+json", struct {
		platform
		Created time.Time `json:"created"`
		Config  started   `json:"config"`
		RootFS  rootFS    `json:"rootfs"`
	}{
		platform{b.processor, b.system}, b.written, config,
		rootFS{"layers", []string{fmt.Sprintf("sha256:%x", sha256.Sum256(plain.Bytes()))}},
	})
	if err != nil {
		return d, err
	}
	layer := l.add("layer.v1.tar+gzip", packed.Bytes())
	return l.addJSON("manifest.v1+json",
		list{Schema: 2, MediaType: ociTypes + "manifest.v1+json", Config: &settings, Layers: []descriptor{layer}})
}
