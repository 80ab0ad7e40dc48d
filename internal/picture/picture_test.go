package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"runtime"
	"testing"

	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

// slack is what a decoder allocates besides the pixels, in bytes.
const slack = 2 << 20

// TestBudget compares what is expected of the headers with what is allocated.
func TestBudget(t *testing.T) {
	testkit.NotUnderRace(t)
	screen := image.NewPaletted(image.Rect(0, 0, 1500, 1000), color.Palette{color.Black})
	var plain bytes.Buffer
	require.NoError(t, gif.Encode(&plain, screen, nil))
	for name, f := range map[string]struct {
		mime string
		data []byte
	}{
		"gray":                 {"image/png", pngOf(1500, 1000, 8, 0, false)},
		"gray 1 bit":           {"image/png", pngOf(1500, 1000, 1, 0, false)},
		"gray 16":              {"image/png", pngOf(1500, 1000, 16, 0, false)},
		"rgb":                  {"image/png", pngOf(1500, 1000, 8, 2, false)},
		"rgb 16":               {"image/png", pngOf(1500, 1000, 16, 2, false)},
		"palette":              {"image/png", pngOf(1500, 1000, 8, 3, false)},
		"gray alpha":           {"image/png", pngOf(1500, 1000, 8, 4, false)},
		"rgba":                 {"image/png", pngOf(1500, 1000, 8, 6, false)},
		"rgba 16":              {"image/png", pngOf(1500, 1000, 16, 6, false)},
		"rgba 16 interlaced":   {"image/png", pngOf(1500, 1000, 16, 6, true)},
		"one line":             {"image/png", pngOf(1_500_000, 1, 16, 6, false)},
		"one line, interlaced": {"image/png", pngOf(1_500_000, 1, 16, 6, true)},
		"transparent":          {"image/png", transparent(pngOf(1500, 1000, 8, 0, false))},
		"jpeg":                 {"image/jpeg", jpegOf(1500, 1000, false, 1, 0x22, 0x11, 0x11)},
		"jpeg 444":             {"image/jpeg", jpegOf(1500, 1000, false, 1, 0x11, 0x11, 0x11)},
		"jpeg gray":            {"image/jpeg", jpegOf(1500, 1000, false, 1, 0x11)},
		"progressive":          {"image/jpeg", jpegOf(1500, 1000, true, 1, 0x22, 0x11, 0x11)},
		"progressive 444":      {"image/jpeg", jpegOf(1500, 1000, true, 2, 0x11, 0x11, 0x11)},
		"progressive 422":      {"image/jpeg", jpegOf(1500, 1000, true, 1, 0x21, 0x11, 0x11)},
		"gif":                  {"image/gif", plain.Bytes()},
		"lossless":             {"image/webp", riff(webpChunk("VP8L", lossless(1500, 1000)...))},
		"lossy":                {"image/webp", riff(webpChunk("VP8 ", lossy(1500, 1000)...))},
		"alpha": {"image/webp", riff(extended(1<<4, 1500, 1000), webpChunk("ALPH", append([]byte{1}, lossless(1500, 1000)[5:]...)...),
			webpChunk("VP8 ", lossy(1500, 1000)...))},
	} {
		p, err := picture.Open(f.mime, f.data)
		require.NoError(t, err, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		img, err := p.Decode(t.Context())
		runtime.ReadMemStats(&after)
		require.NoError(t, err, name)
		require.Equal(t, image.Pt(p.Width, p.Height), img.Bounds().Size(), name)
		took := int64(after.TotalAlloc - before.TotalAlloc)
		require.LessOrEqual(t, took, p.Memory()+slack, name)
		require.LessOrEqual(t, p.Memory(), 3*took+slack, name)
	}
}

// transparent gives a PNG a colour that stands for transparency.
func transparent(file []byte) []byte {
	chunk := []byte("\x00\x00\x00\x02tRNS\x00\x00\xf9\xea\x1b\xd4")
	binary.BigEndian.PutUint32(chunk[10:], checksum(chunk[4:10]))
	return append(append(bytes.Clone(file[:33]), chunk...), file[33:]...)
}

// TestTooLarge has headers alone: nothing of the pixels is looked at.
func TestTooLarge(t *testing.T) {
	for name, tt := range map[string]struct {
		mime, want string
		data       []byte
	}{
		"progressive":        {"image/jpeg", "takes 961MB of memory to decode, over the limit of 128MB", jpegOf(8192, 8192, true, 1, 0x11, 0x11, 0x11)},
		"16-bit, interlaced": {"image/png", "takes 1025MB of memory to decode, over the limit of 128MB", sides(8192, 8192, pngOf(1, 1, 16, 6, true))},
		"16-bit":             {"image/png", "takes 513MB of memory to decode, over the limit of 128MB", sides(8192, 8192, pngOf(1, 1, 16, 6, false))},
		"a long line":        {"image/png", "takes 257MB of memory to decode, over the limit of 128MB", sides(16<<20, 1, pngOf(1, 1, 16, 4, false))},
		"transparent":        {"image/png", "takes 257MB of memory to decode, over the limit of 128MB", sides(8192, 8192, transparent(pngOf(1, 1, 1, 0, false)))},
		"pixels":             {"image/png", "has 78 million pixels, over the limit of 64", sides(8192, 10000, pngOf(1, 1, 1, 0, false))},
		"sides":              {"image/png", "has 255 million pixels, over the limit of 64", sides(1<<14-1, 1<<14-1, pngOf(1, 1, 8, 0, false))},
		"Adobe":              {"image/jpeg", "takes 449MB of memory to decode, over the limit of 128MB", append(cutTo(jpegOf(8192, 8192, false, 1, 0x11, 0x11, 0x11), 500), "Adobe"...)},
		"CMYK":               {"image/jpeg", "takes 191MB of memory to decode, over the limit of 128MB", cutTo(jpegOf(5000, 5000, false, 1, 0x11, 0x11, 0x11, 0x11), 500)},
		"RGB": {"image/jpeg", "takes 241MB of memory to decode, over the limit of 128MB", bytes.ReplaceAll(
			cutTo(jpegOf(6000, 6000, false, 1, 0x11, 0x11, 0x11), 500), []byte("\x01\x11\x00\x02\x11\x00\x03\x11"), []byte("R\x11\x00G\x11\x00B\x11"))},
		"gif":               {"image/gif", "takes 129MB of memory to decode, over the limit of 128MB", []byte("GIF89a\x00\x20\x00\x20\x00\x00\x00")},
		"lossless":          {"image/webp", "has 256 million pixels, over the limit of 8", riff(webpChunk("VP8L", lossless(16384, 16384)...))},
		"lossy":             {"image/webp", "has 17 million pixels, over the limit of 16", riff(webpChunk("VP8 ", lossy(4096, 4500)...))},
		"alpha of a canvas": {"image/webp", "has 156 million pixels, over the limit of 8", riff(extended(1<<4, 16000, 10240), webpChunk("ALPH", 1, 2), webpChunk("VP8 ", lossy(16, 16)...))},
	} {
		p, err := picture.Open(tt.mime, tt.data)
		require.NoError(t, err, name)
		_, err = p.Decode(t.Context())
		var large *picture.TooLargeError
		require.ErrorAs(t, err, &large, name)
		require.EqualError(t, err, tt.want, name)
	}
}

func cutTo(data []byte, n int) []byte { return data[:min(n, len(data))] }

// sides gives a PNG other ones than it has pixels for.
func sides(w, h uint32, file []byte) []byte {
	file = bytes.Clone(file)
	binary.BigEndian.PutUint32(file[16:], w)
	binary.BigEndian.PutUint32(file[20:], h)
	binary.BigEndian.PutUint32(file[29:], checksum(file[12:29]))
	return file
}

// TestLies has files whose lengths promise more than there is, and some that break off.
func TestLies(t *testing.T) {
	long := webpChunk("VP8 ", lossy(16, 16)...)
	binary.LittleEndian.PutUint32(long[4:], 2<<30-1)
	whole := animation(1, 1, webpChunk("VP8L", lossless(1, 1)...))
	files := map[string][]byte{
		"a chunk of 2 GB": riff(long), "a frame of 2 GB": animation(16, 16, long), "an empty animation": animation(1, 1), "an empty frame": animation(1, 1, nil),
		"no chunk": riff(), "a short header": riff(webpChunk("VP8X", 1)), "metadata alone": riff(webpChunk("EXIF", 1, 2)),
	}
	for n := range whole {
		files["cut"] = whole[:n]
		for name, data := range files {
			p, err := picture.Open("image/webp", data)
			if err == nil {
				_, err = p.Decode(t.Context())
			}
			require.ErrorIs(t, err, picture.ErrBroken, "%s at %d", name, n)
		}
		files = map[string][]byte{}
		if n > len(whole)-101 {
			break // the image is whole, what follows is never read
		}
	}
	_, err := picture.Open("image/webp", riff(webpChunk("EXIF", 1, 2)))
	require.EqualError(t, err, "broken: webp: no image")
	for _, data := range [][]byte{nil, {0xff, 0xd8}, {0xff, 0xd8, 0xff, 0xc2, 0, 2}, {0xff, 0xd8, 0xff, 0xff, 0xff}} {
		_, err := picture.Open("image/jpeg", data)
		require.ErrorIs(t, err, picture.ErrBroken)
	}
}

// TestUnsupported has images that are valid, or may be, and that the decoders refuse.
func TestUnsupported(t *testing.T) {
	patched := func(file []byte, before, after string) []byte {
		return bytes.Replace(file, []byte(before), []byte(after), 1)
	}
	plain := jpegOf(16, 16, false, 1, 0x11, 0x11, 0x11)
	for name, f := range map[string]struct {
		mime string
		data []byte
	}{
		"sampling":           {"image/jpeg", jpegOf(16, 16, false, 1, 0x31, 0x11, 0x11)},
		"sampling of chroma": {"image/jpeg", jpegOf(16, 16, false, 1, 0x22, 0x21, 0x11)},
		"CMYK without Adobe": {"image/jpeg", jpegOf(16, 16, false, 1, 0x11, 0x11, 0x11, 0x11)},
		"two components":     {"image/jpeg", jpegOf(16, 16, false, 1, 0x11, 0x11)},
		"12 bits":            {"image/jpeg", patched(plain, "\xff\xc0\x00\x11\x08", "\xff\xc0\x00\x11\x0c")},
		"arithmetic coding":  {"image/jpeg", patched(plain, "\xff\xc0\x00\x11", "\xff\xc9\x00\x11")},
		"PNG":                {"image/png", pngOf(1, 1, 8, 5, false)},
	} {
		p, err := picture.Open(f.mime, f.data)
		if err == nil {
			_, err = p.Decode(t.Context())
		}
		require.ErrorIs(t, err, picture.ErrUnsupported, name)
		require.NotErrorIs(t, err, picture.ErrBroken, name)
	}
}

// TestJPEGShowsItsFrame has what the decoder skips in front of the frame.
func TestJPEGShowsItsFrame(t *testing.T) {
	file := jpegOf(64, 64, true, 1, 0x11)
	for _, skipped := range []string{"\x01", "\xff\x00", "\xff\xff\xff", "\xff\xd0", "\xff\xfe\x00\x07\xff\xc0\x00\x0b\x08", "abc\xff\x00\xff"} {
		data := append(append(bytes.Clone(file[:2]), skipped...), file[2:]...)
		p, err := picture.Open("image/jpeg", data)
		require.NoError(t, err, "%q", skipped)
		require.Equal(t, "progressive", p.Form, "%q", skipped)
		_, err = p.Decode(t.Context())
		require.NoError(t, err, "%q", skipped)
	}
}

func TestAnimatedWebP(t *testing.T) {
	other := webpChunk("VP8L", lossless(3, 3)...)
	for name, frame := range map[string][]byte{
		"lossless": webpChunk("VP8L", lossless(5, 4)...),
		"lossy":    webpChunk("VP8 ", lossy(5, 4)...),
		"alpha":    append(webpChunk("ALPH", append([]byte{0}, make([]byte, 5*4)...)...), webpChunk("VP8 ", lossy(5, 4)...)...),
	} {
		p, err := picture.Open("image/webp", animation(50, 40, frame, other))
		require.NoError(t, err, name)
		require.Equal(t, "animated", p.Form)
		img, err := p.Decode(t.Context())
		require.NoError(t, err, name)
		require.Equal(t, image.Pt(5, 4), img.Bounds().Size(), name)
		again, err := webp.Decode(bytes.NewReader(p.Data))
		require.NoError(t, err, name)
		require.Equal(t, img, again, name)
		if name == "alpha" {
			require.Equal(t, make([]byte, 5*4), img.(*image.NYCbCrA).A)
		}
	}
}

// TestDecodeEnds counts how often the context is asked, which ends at once and not when
// the decoder has read all.
func TestDecodeEnds(t *testing.T) {
	for name, f := range map[string]struct {
		mime string
		data []byte
	}{
		"png":      {"image/png", pngOf(1000, 1000, 8, 2, false)},
		"jpeg":     {"image/jpeg", jpegOf(800, 800, false, 1, 0x11, 0x11, 0x11)},
		"scans":    {"image/jpeg", jpegOf(400, 400, true, 50, 0x11)},
		"lossless": {"image/webp", riff(webpChunk("VP8L", lossless(100, 100)...))},
	} {
		p, err := picture.Open(f.mime, f.data)
		require.NoError(t, err, name)
		ctx := testkit.EndsAfter(t.Context(), 1)
		_, err = p.Decode(ctx)
		require.ErrorIs(t, err, context.Canceled, name)
		require.NotErrorIs(t, err, picture.ErrBroken, name)
		require.GreaterOrEqual(t, ctx.Left(), -4, name)

		const plenty = 1 << 30
		ctx = testkit.EndsAfter(t.Context(), plenty)
		_, err = p.Decode(ctx)
		require.NoError(t, err, name)
		require.GreaterOrEqual(t, plenty-ctx.Left(), len(f.data)/64, name)
	}
}

func TestShrink(t *testing.T) {
	testkit.NotUnderRace(t)
	whole := image.NewRGBA(image.Rect(0, 0, 2100, 211))
	for i := range whole.Pix {
		whole.Pix[i] = byte(i * i >> 7)
	}
	data, size, err := picture.Shrink(t.Context(), whole, false, 2000, 5<<20)
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, size, img.Bounds().Size())
	small, _, err := picture.Shrink(t.Context(), whole, true, 2000, 30<<10)
	require.NoError(t, err)
	require.LessOrEqual(t, len(small), 30<<10)

	_, size, err = picture.Shrink(t.Context(), whole, false, 2000, 1)
	require.NoError(t, err)
	require.Equal(t, image.Pt(1, 1), size)

	ctx := testkit.EndsAfter(t.Context(), 3)
	_, _, err = picture.Shrink(ctx, whole, false, 2000, 5<<20)
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, ctx.Left(), -2)
	ctx = testkit.EndsAfter(t.Context(), 200/32+5) // while it is encoded
	_, _, err = picture.Shrink(ctx, whole, false, 2000, 5<<20)
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, ctx.Left(), -2)
}
