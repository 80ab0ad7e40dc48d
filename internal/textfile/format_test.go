package textfile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// made returns what a function writes.
func made(t *testing.T, write func(b *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

// Real files of each format are recognised, by their first bytes too; a text that begins like one is a text.
func TestFormats(t *testing.T) {
	small := image.NewPaletted(image.Rect(0, 0, 3, 2), palette.Plan9[:4])
	wide := image.NewPaletted(image.Rect(0, 0, 0x2020, 1), palette.Plan9)
	gifOf := func(i image.Image) string {
		return made(t, func(b *bytes.Buffer) error { return gif.Encode(b, i, nil) })
	}
	animation := made(t, func(b *bytes.Buffer) error {
		return gif.EncodeAll(b, &gif.GIF{Image: []*image.Paletted{small, small}, Delay: []int{1, 1}})
	})
	archive := made(t, func(b *bytes.Buffer) error {
		w := tar.NewWriter(b)
		w.WriteHeader(&tar.Header{Name: "a.txt", Size: 2, Mode: 0o644})
		w.Write([]byte("a\n"))
		return w.Close()
	})
	zipped := made(t, func(b *bytes.Buffer) error {
		w := zip.NewWriter(b)
		w.Create("a.txt")
		return w.Close()
	})
	gzipped := made(t, func(b *bytes.Buffer) error { return gzip.NewWriter(b).Close() })
	const pdf = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"
	const bzip2 = "BZh91AY&SY\xd9\xcb\xae\x12\x00\x00\x01\x51"
	for _, tt := range []struct {
		mime string
		file string
		text string // begins like it
	}{
		{"image/png", made(t, func(b *bytes.Buffer) error { return png.Encode(b, small) }), "\x89PNG is how"},
		{"image/jpeg", made(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, small, nil) }), "\xff\xd8\xff\xe0 in windows-1251"},
		{"image/gif", gifOf(small), "GIF89a is how a GIF begins,\n"},
		{"image/gif", gifOf(wide), "GIF87a"},
		{"image/gif", animation, "GIF89a, width, height, flags;"},
		{"image/webp", "RIFF\x24\x00\x00\x00WEBPVP8L\x18\x00\x00\x00\x2f\x02\x40\x00\x00", "RIFFabcdWEBP"},
		{"image/webp", "RIFF\x24\x00\x00\x00WEBP", "RIFFabcdWEBPVP8 and so on\n"},
		{"application/pdf", pdf, "%PDF-1.4 is the first line of a PDF\n"},
		{"application/pdf", "%PDF-1.7\r%\xe2\xe3\xcf\xd3\r\n", "%PDF-1.4\nis the first line of a PDF\n"},
		{"application/pdf", "%PDF-1.7", "%PDF-x.y\n1 0 obj\n"},
		{"application/zip", zipped, "PK is a family of formats\n"},
		{"application/gzip", gzipped, "\x1b[31mred\x1b[0m\n"},
		{"application/x-bzip2", bzip2, "BZh91AY&SY begins a block\n"},
		{"application/x-executable", "\x7fELF\x02\x01\x01", "\x7fELF is the magic\n"},
		{"application/x-mach-binary", "\xcf\xfa\xed\xfe\x07\x00\x00\x01", "\xcf\xfa\xed\xfe \xe8 \xf2\xe0\xea\n"},
		{"application/x-mach-binary", "\xce\xfa\xed\xfe\x07\x00\x00\x01", "\xce\xfa\xed\xfe \xe8 \xf2\xe0\xea\n"},
		{"application/x-xz", "\xfd7zXZ\x00\x00\x04", "\xfd7zXZ\n"},
		{"application/zstd", "\x28\xb5\x2f\xfd\x24\x05\x29\x00\x00hello", "(\xb5/\xfd)\n"},
		{"application/x-7z-compressed", "7z\xbc\xaf\x27\x1c\x00\x04", "7z\xbc\xaf'\n"},
		{"application/vnd.rar", "Rar!\x1a\x07\x01\x00", "Rar! says the crow\n"},
		{"application/vnd.sqlite3", "SQLite format 3\x00\x10\x00", "SQLite format 3 is old\n"},
		{"application/wasm", "\x00asm\x01\x00\x00\x00", "asm\n"},
		{"application/java-vm", "\xca\xfe\xba\xbe\x00\x00\x00\x41", "\xca\xfe\xba\xbe \xe8 \xf2\xe0\xea\n"},
		{"application/x-lz4", "\x04\x22\x4d\x18\x64\x40", "\"M\n"},
		{"application/x-ole-storage", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "\xd0\xcf\n"},
		{"application/pdf", "%PDF-1.4\n%comment\n", "%PDF-1.4\n1 2 three\n"},
		{"application/x-tar", archive, strings.Repeat(" ", 257) + "ustar is at 257\n"},
		{"application/x-tar", archive, strings.Repeat("x", 257) + "ustar is at 257\n"},
	} {
		require.Equal(t, tt.mime, Sniff([]byte(tt.file)).Type, "%q", tt.file)
		require.True(t, Sniff([]byte(tt.file)).Binary, "%q", tt.file)
		require.Equal(t, Info{Encoding: UTF8}, Info{Encoding: Sniff([]byte(tt.text)).Encoding, Binary: Sniff([]byte(tt.text)).Binary,
			Type: Sniff([]byte(tt.text)).Type}, "%q", tt.text)
	}
}

// A file with a NUL byte is not taken for a format only because its text begins like one.
func TestFormatsOfBinaryFiles(t *testing.T) {
	for _, tt := range []struct{ mime, file, other string }{
		{"application/vnd.microsoft.portable-executable", "MZ\x90\x00\x03\x00", "MZ is a signature\x00"},
		{"application/x-archive", "!<arch>\n/               0           0     0     0       4         `\n\x00\x00\x00\x00",
			"!<arch>\n" + strings.Repeat("is the first line ", 4) + "\x00"},
		{"image/bmp", "BM\x7a\x00\x00\x00\x00\x00\x00\x00\x7a\x00", "BM and the rest\x00"},
		{"image/x-icon", "\x00\x00\x01\x00\x01\x00", "\x00\x00\x02\x00"},
		{"image/tiff", "II*\x00\x08\x00\x00\x00", "II* and so on\x00"},
		{"image/tiff", "MM\x00*\x00\x00\x00\x08", "MM and so on\x00"},
		{"image/heic", "\x00\x00\x00\x18ftypheic\x00", "the ftypheic\x00"},
		{"image/avif", "\x00\x00\x00\x18ftypavif\x00", "the ftypavif\x00"},
		{"video/quicktime", "\x00\x00\x00\x18ftypqt  \x00", "the ftypqt\x00"},
		{"video/mp4", "\x00\x00\x00\x18ftypmp42\x00", "the ftyp box\x00"},
		{"video/webm", "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x00", "\x45\xdf\xa3\x00"},
		{"video/avi", "RIFF\x24\x00\x00\x00AVI LIST", "this is AVI\x00"},
		{"audio/wave", "RIFF\x24\x00\x00\x00WAVEfmt ", "this is WAVE\x00"},
		{"audio/aiff", "FORM\x00\x00\x00\x2eAIFFCOMM", "this is AIFF\x00"},
		{"audio/mpeg", "ID3\x03\x00\x00\x00", "ID3 is a tag\x00"},
		{"application/ogg", "OggS\x00\x02", "OggS begins\x00"},
		{"audio/midi", "MThd\x00\x00\x00\x06\x00\x01", "MThd begins\x00"},
		{"font/ttf", "\x00\x01\x00\x00\x00\x0c", "\x00\x02\x00\x00"},
		{"font/otf", "OTTO\x00\x0c\x00\x80", "OTTO is a name\x00"},
		{"font/collection", "ttcf\x00\x01\x00\x00", "ttcf is a name\x00"},
		{"font/woff", "wOFF\x00\x01\x00\x00\x00\x00\x10\x00\x00\x0c\x00\x00", "wOFF is the name of a font\x00"},
		{"font/woff2", "wOF2\x00\x01\x00\x00\x00\x00\x10\x00\x00\x0c\x00\x00", "wOF2 is the name of a font\x00"},
		{"image/jpeg", "\xff\xd8\xff\xdb\x00\x43\x00", "\xff\xd8\xff in windows-1251\x00"},
		{"image/gif", "GIF89a\x03\x00\x02\x00\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00,\x00", "GIF89a\x03\x00\x02\x00\x00\x00\x00! and other text"},
		{"application/x-tar", strings.Repeat("\x00", 257) + "ustar\x0000", strings.Repeat("\x00", 257) + "ustard"},
		{"image/gif", "GIF89a\x03\x00\x02\x00", "GIF89a is how a GIF begins\x00"},
		{"application/x-bzip2", "BZh9\x17rE8P\x90\x00\x00\x00\x00", "BZh9 is the name\x00"},
		{"image/webp", "RIFF\x24\x00\x00\x00WEBPVP8X", "RIFFabcdWEBP is no picture\x00"},
		{"application/x-tar", strings.Repeat("\x00", 257) + "ustar  \x00", strings.Repeat("x", 257) + "ustar\x00"},
	} {
		require.Equal(t, tt.mime, Sniff([]byte(tt.file)).Type, "%q", tt.file)
		require.Equal(t, "", Sniff([]byte(tt.other)).Type, "%q", tt.other)
		require.True(t, Sniff([]byte(tt.other)).Binary, "%q", tt.other)
	}
}

// A file that is the beginning of a known type, cut off before anything else gives it away, is of that type.
func TestFormatsCutOff(t *testing.T) {
	for _, c := range []struct{ head, mime string }{
		{"\xff\xd8\xff", "image/jpeg"}, {"\xff\xd8\xff\xe0", "image/jpeg"}, {"\xff\xd8\xff\xe1\n", "image/jpeg"},
		{"\xff\xd8\xff\xdb\r\n", "image/jpeg"}, {"\xff\xd8\xff\xe0\x00\x10JF", "image/jpeg"},
		{"\x89PN", "image/png"}, {"\x89PNG\r\n", "image/png"}, {"\x89PNG\r\n\x1a", "image/png"},
		{"\xcf\xfa\xed", "application/x-mach-binary"}, {"\xce\xfa\xed\xfe", "application/x-mach-binary"},
		{"\xfd7zXZ", "application/x-xz"}, {"(\xb5/\xfd", "application/zstd"}, {"7z\xbc", "application/x-7z-compressed"},
		{"\xca\xfe\xba\xbe", "application/java-vm"}, {"\xd0\xcf\x11\xe0", "application/x-ole-storage"},
		{"\x1f\x8b\x08", "application/gzip"}, {"\x1aE\xdf", "video/webm"},
		// These may be texts: words, or too little of anything.
		{"GIF89a", ""}, {"BZh9", ""}, {"RIFF", ""}, {"PK", ""}, {"MZ", ""}, {"SQLite format 3", ""}, {"7z", ""}, {"\xff\xd8", ""}, {"\xcf\xfa\xed\n", ""},
		{"\xff\xd8\xff\xe0 \xe4\xe0", ""}, {"\xca\xfe\xba\xbe\xca\xfe", ""}, {"\x89PNG is a type", ""}, {"\x89PN is", ""},
	} {
		info := Sniff([]byte(c.head))
		require.Equal(t, c.mime, info.Type, "%q", c.head)
		require.Equal(t, c.mime != "", info.Binary, "%q", c.head)
	}
	for _, f := range slices.Concat(formats, weakFormats) {
		if f.at > 0 || utf8.ValidString(f.magic) {
			continue
		}
		for n := 3; n <= len(f.magic); n++ {
			if !utf8.ValidString(f.magic[:n]) {
				require.True(t, Sniff([]byte(f.magic[:n])).Binary, "%q", f.magic[:n])
			}
		}
	}
}
