package textfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"strings"
)

// format is a binary format, recognized by its bytes at one offset.
type format struct {
	at          int
	magic, mime string
	name        string // "" stands for "data of type" and mime
	// check reports whether the rest of the beginning fits the format. It is nil if the magic has a control character,
	// which no text has.
	check func(head []byte) bool
}

func (f format) what() string { return cmp.Or(f.name, "data of type "+f.mime) }

// formats are recognized in any file.
var formats = []format{
	{0, "\x89PNG\r\n\x1a\n", "image/png", "a PNG image", nil},
	{0, "\xff\xd8\xff", "image/jpeg", "a JPEG image", isJPEG},
	{0, "GIF87a", "image/gif", "a GIF image", isGIF},
	{0, "GIF89a", "image/gif", "a GIF image", isGIF},
	{8, "WEBP", "image/webp", "a WebP image", isWebP},
	{0, "%PDF-", "application/pdf", "a PDF document", isPDF},
	{0, "PK\x03\x04", "application/zip", "a ZIP archive", nil},
	{0, "PK\x05\x06", "application/zip", "an empty ZIP archive", nil},
	{0, "\x1f\x8b\x08", "application/gzip", "gzip compressed data", nil},
	{0, "BZh", "application/x-bzip2", "bzip2 compressed data", isBzip2},
	{0, "\x7fELF", "application/x-executable", "an ELF executable", hasControl},
	{0, "\xcf\xfa\xed\xfe", "application/x-mach-binary", "a Mach-O executable", hasControl},
	{0, "\xce\xfa\xed\xfe", "application/x-mach-binary", "a Mach-O executable", hasControl},
	{0, "\xfd7zXZ\x00", "application/x-xz", "xz compressed data", nil},
	{0, "\x28\xb5\x2f\xfd", "application/zstd", "zstd compressed data", hasControl},
	{0, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed", "a 7z archive", nil},
	{0, "Rar!\x1a\x07", "application/vnd.rar", "a RAR archive", nil},
	{0, "SQLite format 3\x00", "application/vnd.sqlite3", "an SQLite database", nil},
	{0, "\x00asm", "application/wasm", "a WebAssembly module", nil},
	{0, "\xca\xfe\xba\xbe", "application/java-vm", "a Java class or a universal Mach-O executable", hasControl},
	{0, "\x04\x22\x4d\x18", "application/x-lz4", "lz4 compressed data", nil},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage", "an old Microsoft Office document", nil},
	{257, "ustar", "application/x-tar", "a tar archive", isTar},
}

// weakFormats are recognized in files that are known to be binary, because their headers always have a NUL byte.
// net/http detects most of them, but is large to compile for a program that only reads files.
var weakFormats = []format{
	{0, "MZ", "application/vnd.microsoft.portable-executable", "a Windows executable", below(3, 2)},
	{0, "!<arch>\n", "application/x-archive", "an ar archive", has(66, "`\n")},
	{0, "BM", "image/bmp", "", has(6, "\x00\x00\x00\x00")},
	{0, "\x00\x00\x01\x00", "image/x-icon", "", nil},
	{0, "II*\x00", "image/tiff", "", nil},
	{0, "MM\x00*", "image/tiff", "", nil},
	{4, "ftypheic", "image/heic", "", below(0, 1)},
	{4, "ftypavif", "image/avif", "", below(0, 1)},
	{4, "ftypqt", "video/quicktime", "", below(0, 1)},
	{4, "ftyp", "video/mp4", "", below(0, 1)},
	{0, "\x1a\x45\xdf\xa3", "video/webm", "", nil},
	{8, "AVI ", "video/avi", "", has(0, "RIFF")},
	{8, "WAVE", "audio/wave", "", has(0, "RIFF")},
	{8, "AIFF", "audio/aiff", "", has(0, "FORM")},
	{0, "ID3", "audio/mpeg", "", below(3, 5)},
	{0, "OggS\x00", "application/ogg", "", nil},
	{0, "MThd\x00\x00\x00\x06", "audio/midi", "", nil},
	{0, "\x00\x01\x00\x00", "font/ttf", "", nil},
	{0, "OTTO", "font/otf", "", below(4, 1)},
	{0, "ttcf", "font/collection", "", below(4, 1)},
	{0, "wOFF", "font/woff", "", has(14, "\x00\x00")},
	{0, "wOF2", "font/woff2", "", has(14, "\x00\x00")},
}

// among returns the first format that fits the beginning of a file, or "".
func among(formats []format, head []byte) (mime, name string) {
	for _, f := range formats {
		if len(head) >= f.at && bytes.HasPrefix(head[f.at:], []byte(f.magic)) && (f.check == nil || f.check(head)) {
			return f.mime, f.what()
		}
	}
	return "", ""
}

// mostCutOff is the largest file that may be the magic of a format and nothing else. Below fewestCutOff there is too
// little to tell formats by.
const mostCutOff, fewestCutOff = 16, 3

// cutOff returns the first format whose magic, or its beginning, is the whole file, or "". Nothing else distinguishes
// so short a file from a text, so its bytes must not be UTF-8.
func cutOff(head []byte) (mime, name string) {
	if len(head) < fewestCutOff {
		return "", ""
	}
	line := bytes.TrimRight(head, "\r\n")
	for _, list := range [][]format{formats, weakFormats} {
		for _, f := range list {
			magic := []byte(f.magic)
			if f.mime == "image/jpeg" && len(line) > len(magic) {
				magic = append(magic, line[len(magic)]) // the marker of a segment
			}
			if f.at == 0 && (bytes.HasPrefix(magic, head) || bytes.Equal(magic, line)) {
				return f.mime, f.what()
			}
		}
	}
	return "", ""
}

// has returns a check for more magic. The end of head may cut off part of it.
func has(at int, magic string) func(head []byte) bool {
	return func(head []byte) bool {
		head = head[min(at, len(head)):]
		return strings.HasPrefix(magic, string(head[:min(len(magic), len(head))]))
	}
}

func below(at int, limit byte) func(head []byte) bool {
	return func(head []byte) bool { return len(head) <= at || head[at] < limit }
}

// hasControl reports whether the bytes have a control character that texts do not have.
func hasControl(head []byte) bool { return bytes.ContainsFunc(head, isControl) }

// isControl reports whether r is a control character that texts do not have. Texts may move the cursor, ring the bell,
// begin an escape sequence, change the character set, or end like a DOS file.
func isControl(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\a\b\t\n\v\f\r\x0e\x0f\x1a\x1b", r)
}

// isJPEG looks for the marker and the length of the first segment.
func isJPEG(head []byte) bool {
	const marker = 3
	return len(head) > marker && head[marker] >= 0xc0 && hasControl(head)
}

// isGIF looks for what follows the header and the colors: an extension, an image in the screen, or the end.
func isGIF(head []byte) bool {
	const width, height, flags, header = 6, 8, 10, 13
	if !hasControl(head) || len(head) < header {
		return hasControl(head)
	}
	block := head[header:]
	if n := head[flags]; n&0x80 != 0 {
		block = block[min(len(block), 6<<(n&7)):]
	}
	if len(block) < 10 {
		return true
	}
	size := func(p []byte, at int) int { return int(binary.LittleEndian.Uint16(p[at:])) }
	switch block[0] {
	case ',':
		return size(block, 1)+size(block, 5) <= size(head, width) && size(block, 3)+size(block, 7) <= size(head, height)
	case '!':
		return strings.IndexByte("\x01\xf9\xfe\xff", block[1]) >= 0
	}
	return block[0] == ';'
}

func isWebP(head []byte) bool {
	return bytes.HasPrefix(head, []byte("RIFF")) && has(12, "VP8")(head) && hasControl(head)
}

// isPDF looks for the end of the line with the version, and for a comment or an object behind it. A PDF may be ASCII.
func isPDF(head []byte) bool {
	version, rest := head[len("%PDF-"):], []byte(nil)
	if i := bytes.IndexAny(version, "\r\n"); i >= 0 {
		version, rest = version[:i], bytes.TrimSpace(version[i:])
	}
	version = bytes.TrimRight(version, " ")
	if len(version) != 3 || !isDigit(version[0]) || version[1] != '.' || !isDigit(version[2]) {
		return false
	}
	object := bytes.Fields(rest[:min(len(rest), 64)])
	return len(rest) == 0 || rest[0] == '%' ||
		len(object) > 2 && isDigit(object[0][0]) && isDigit(object[1][0]) && bytes.HasPrefix(object[2], []byte("obj"))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isBzip2 looks for the first block, or the end of an empty file.
func isBzip2(head []byte) bool {
	const block = 4
	return len(head) > block-1 && isDigit(head[block-1]) && hasControl(head) &&
		(len(head) < block+6 || has(block, "1AY&SY")(head) || has(block, "\x17rE8P\x90")(head))
}

// isTar looks at the end of the magic and at the checksum, which is octal.
func isTar(head []byte) bool {
	const checksum, version = 148, 262
	return len(bytes.Trim(head[checksum:checksum+8], "01234567 \x00")) == 0 && hasControl(head) &&
		(len(head) <= version || head[version] == 0 || head[version] == ' ')
}
