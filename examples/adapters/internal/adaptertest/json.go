package adaptertest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/tools"
)

// Encoded is a value in JSON. It panics where that fails, so that examples can use it;
// so do the others.
func Encoded(value any) string {
	text, err := json.Marshal(value)
	check(err)
	return string(text)
}

// Decode takes a value from JSON.
func Decode(text []byte, value any) {
	if err := json.Unmarshal(text, value); err != nil {
		panic(fmt.Sprintf("%v in %s", err, text))
	}
}

// Image takes a picture from a data URL.
func Image(url string) tools.Image {
	kind, encoded, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	if !ok {
		panic("no data URL: " + url)
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	check(err)
	return tools.Image{MIMEType: kind, Data: data}
}
