package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
)

// Tools that are added may come from a server that is not trusted. The bounds on what they say
// of themselves are far above those of any useful tool: a name of 64 bytes is the most that the
// APIs of most models take.
const (
	maxTools           = 1000      // of a suite
	maxToolName        = 128       // bytes
	maxToolDescription = 32 << 10  // bytes
	maxToolSchema      = 128 << 10 // bytes
	maxImages          = 64        // of a result: read of another suite may return one for each of its paths
)

// toolset is the tools of a suite.
type toolset struct {
	mu  sync.RWMutex
	all []Tool
}

// list returns the tools. Nobody changes the slice: Add makes a new one.
func (ts *toolset) list() []Tool {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	return ts.all
}

// tool returns the tool of that name, or nil.
func (ts *toolset) tool(name string) Tool {
	for _, t := range ts.list() {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

func (ts *toolset) has(name string) bool { return ts.tool(name) != nil }

func (ts *toolset) names() string {
	var names []string
	for _, t := range ts.list() {
		names = append(names, t.Name())
	}
	return strings.Join(names, ", ")
}

// without returns the error for a tool that the configuration leaves out.
func (ts *toolset) without(name string) *Error {
	return errorf(CodeDenied, "this suite does not have the tool %s; it has %s", name, ts.names())
}

// checkTool refuses a tool that cannot be added.
func checkTool(t Tool) error {
	if t == nil || t.Name() == "" {
		return fmt.Errorf("tools: a tool needs a name")
	}
	name, schema := show(t.Name()), t.Schema()
	for _, part := range []struct {
		what       string
		size, most int
	}{
		{"name", len(t.Name()), maxToolName},
		{"description", len(t.Description()), maxToolDescription},
		{"schema", len(schema), maxToolSchema},
	} {
		if part.size > part.most {
			return fmt.Errorf("tools: the %s of the tool %s has %d bytes, over the limit of %d",
				part.what, name, part.size, part.most)
		}
	}
	if !utf8.ValidString(t.Name()) || strings.ContainsFunc(t.Name(), func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("tools: the name of the tool %s has characters that cannot be printed", name)
	}
	var object map[string]any
	if err := json.Unmarshal(schema, &object); err != nil || object == nil {
		return fmt.Errorf("tools: the schema of %s must be a JSON object, but it is %s", name, show(string(schema)))
	}
	return nil
}

// boundImages returns the first images for which there is room, in a list of its own if they
// are not all, and which are left out.
func boundImages(images []Image, maxBytes int64) (shown []Image, left notice.Images) {
	left.Max, left.MaxBytes = maxImages, maxBytes
	room := maxBytes
	for _, img := range images {
		size := int64(len(img.Data))
		switch {
		case !isImageType(img.MIMEType):
			left.NoImages++
			if left.NoImages == 1 {
				left.Type = show(img.MIMEType[:min(len(img.MIMEType), 64)])
			}
		case len(shown) == maxImages || size > room:
			left.Left, left.Bytes = left.Left+1, left.Bytes+size
		default:
			room -= size
			shown = append(shown, img)
		}
	}
	return shown, left
}

// isImageType reports whether a MIME type is that of an image, without parameters: it becomes
// part of a request to a model.
func isImageType(mime string) bool {
	const token = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_"
	name, ok := strings.CutPrefix(mime, "image/")
	return ok && name != "" && len(name) <= 127 && strings.Trim(name, token) == ""
}
