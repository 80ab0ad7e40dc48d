package files_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

func encoded(t *testing.T, encode func(*bytes.Buffer) error) string {
	var b bytes.Buffer
	require.NoError(t, encode(&b))
	return b.String()
}

func TestReadImages(t *testing.T) {
	t.Parallel()
	gray := image.NewGray(image.Rect(0, 0, 120, 80))
	wide := image.NewGray(image.Rect(0, 0, 4000, 30))
	noise := image.NewRGBA(image.Rect(0, 0, 300, 200))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(r.Uint32()) | 3
	}
	plainPNG := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, gray) })
	plainJPEG := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, gray, nil) })
	plainGIF := encoded(t, func(b *bytes.Buffer) error {
		return gif.Encode(b, image.NewPaletted(gray.Bounds(), color.Palette{color.Black}), nil)
	})
	plainWebP, err := base64.StdEncoding.DecodeString(suitetest.WebP)
	require.NoError(t, err)
	files := map[string]string{
		"a.png": plainPNG, "photo.txt": plainJPEG, "no-extension": plainGIF, "pixel.webp": string(plainWebP),
		"wide.png":  encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, wide) }),
		"noise.png": encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, noise) }),
		"noise.jpg": encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, noise, &jpeg.Options{Quality: 100}) }),
		"cut.png":   plainPNG[:len(plainPNG)-20], "head.jpg": plainJPEG[:30], "not.png": "\x89PNG\r\n\x1a\nand no picture",
		"text.png": "this is a text\n",
		"kind.jpg": strings.Replace(plainJPEG, "\xff\xc0\x00\x0b\x08", "\xff\xc0\x00\x0b\x0c", 1),
	}
	s := newSuite(t, config.Config{Read: config.Read{MaxImageBytes: 100 << 10}}, files)
	size := func(name string) string { return size.Format(int64(len(files[name]))) }
	for name, want := range map[string]struct {
		mime, text string
		w, h       int
	}{
		"a.png":        {"image/png", "Read image: PNG, 120x80, " + size("a.png"), 120, 80},
		"photo.txt":    {"image/jpeg", "Read image: JPEG, 120x80, " + size("photo.txt"), 120, 80},
		"no-extension": {"image/gif", "Read image: GIF, 120x80, " + size("no-extension"), 120, 80},
		"pixel.webp":   {"image/webp", "Read image: WebP, 1x1, " + size("pixel.webp"), 1, 1},
		"wide.png":     {"image/png", "Read image: PNG, 4000x30, " + size("wide.png") + ", shown scaled down to 2000x15", 2000, 15},
		"noise.png":    {"image/png", "Read image: PNG, 300x200, " + size("noise.png") + ", shown scaled down to 150x100", 150, 100},
	} {
		res := call(t, s, "read", tools.ReadParams{Path: name})
		require.False(t, res.IsError, res.Text)
		require.Equal(t, want.text, res.Text)
		require.Len(t, res.Images, 1)
		require.Equal(t, want.mime, res.Images[0].MIMEType)
		shape, _, err := image.DecodeConfig(bytes.NewReader(res.Images[0].Data))
		require.NoError(t, err)
		require.Equal(t, [2]int{want.w, want.h}, [2]int{shape.Width, shape.Height}, name)
		require.LessOrEqual(t, len(res.Images[0].Data), 100<<10)
	}
	for _, name := range []string{"cut.png", "head.jpg", "not.png"} {
		res := call(t, s, "read", tools.ReadParams{Path: name})
		require.True(t, res.IsError)
		require.Empty(t, res.Images)
		require.Regexp(t, "^is_binary: "+name+" .*broken: ", res.Text)
	}
	require.Equal(t, "this is a text\n", call(t, s, "read", tools.ReadParams{Path: "text.png"}).Text)

	res := call(t, s, "read", tools.ReadParams{Paths: []string{"a.png", "text.png", "cut.png", "noise.jpg", "photo.txt"}})
	require.False(t, res.IsError)
	require.Len(t, res.Images, 3)
	require.Contains(t, res.Text, "==> a.png <==\nRead image: PNG, 120x80, ")

	const kind = "is_binary: kind.jpg is a JPEG image of a kind that cannot be decoded here: unsupported JPEG feature: precision. "
	require.Equal(t, kind+"Convert it to PNG with bash", call(t, s, "read", tools.ReadParams{Path: "kind.jpg"}).Text)

	small := newSuite(t, config.Config{MaxFileBytes: 2048, ReadOnly: true}, files)
	res = call(t, small, "read", tools.ReadParams{Path: "noise.png"})
	require.Regexp(t, "^too_large: noise.png is a PNG image of .*, over the limit of 2KB for a file. No tool of this suite can make it smaller$", res.Text)
	small = newSuite(t, config.Config{ReadOnly: true}, files)
	require.Equal(t, kind+"No tool of this suite can convert it", call(t, small, "read", tools.ReadParams{Path: "kind.jpg"}).Text)
}

// TestReadLargeImages has images that are small files, and take more memory or time than
// a call may.
func TestReadLargeImages(t *testing.T) {
	t.Parallel()
	plainWebP, err := base64.StdEncoding.DecodeString(suitetest.WebP)
	require.NoError(t, err)
	var header bytes.Buffer
	require.NoError(t, png.Encode(&header, image.NewNRGBA64(image.Rect(0, 0, 1, 1))))
	huge := header.Bytes()
	binary.BigEndian.PutUint32(huge[16:], 8000)
	binary.BigEndian.PutUint32(huge[20:], 7000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	frame := append(append([]byte("ANMF\x28\x00\x00\x00"), make([]byte, 16)...), plainWebP[12:]...)
	binary.LittleEndian.PutUint32(frame[4:], uint32(len(frame)-8))
	animated := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00"), frame...)
	binary.LittleEndian.PutUint32(animated[4:], uint32(len(animated)-8))
	files := map[string]string{"huge.png": string(huge), "animated.webp": string(animated), "cut.webp": string(animated[:len(animated)-10])}
	s := newSuite(t, config.Config{}, files)

	res := call(t, s, "read", tools.ReadParams{Path: "huge.png"})
	require.Equal(t, "too_large: huge.png is a PNG image of 8000x7000 pixels and takes 428MB of memory to decode, over the limit of 128MB. Make a smaller copy of it with bash", res.Text)
	res = call(t, s, "read", tools.ReadParams{Path: "animated.webp"})
	require.False(t, res.IsError, res.Text)
	require.Equal(t, "Read image: WebP, 1x1, "+size.Format(int64(len(animated)))+", the first frame of an animation", res.Text)
	require.Equal(t, plainWebP, res.Images[0].Data)
	res = call(t, s, "read", tools.ReadParams{Path: "cut.webp"})
	require.Equal(t, "is_binary: cut.webp begins like a WebP image, but is broken: webp: it breaks off", res.Text)
}
