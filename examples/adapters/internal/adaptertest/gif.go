package adaptertest

import (
	"bytes"
	"image"
	"image/color/palette"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/tools"
)

// GIF writes a picture a.gif to the workspace. The function says whether an image is
// the same as PNG, of a model that takes no GIF.
func GIF(t *testing.T, suite *tools.Suite) (isPNG func(tools.Image) bool) {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 5, 2), palette.WebSafe)
	img.SetColorIndex(3, 1, 7)
	var buf bytes.Buffer
	if err := gif.Encode(&buf, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(suite.Workspace(), "a.gif"), buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(got tools.Image) bool {
		decoded, err := png.Decode(bytes.NewReader(got.Data))
		return err == nil && got.MIMEType == "image/png" && decoded.Bounds() == img.Bounds() && decoded.At(3, 1) == img.At(3, 1)
	}
}
