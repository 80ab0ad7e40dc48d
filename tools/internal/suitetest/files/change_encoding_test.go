package files_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

type object = map[string]any

func TestEditEncoding(t *testing.T) {
	t.Parallel()
	const menu = "caf\xe9 1,00\nth\xe9 2,00\n"
	const utf16 = "a\x00 \x00l\x00i\x00n\x00e\x00 \x00o\x00f\x00 \x00t\x00e\x00x\x00t\x00\n\x00"
	for _, c := range []struct {
		name, before string
		args         object
		after, says  string // says begins with a code where it is an error
	}{
		{"an é", menu, object{"old_string": "café", "new_string": "thé à la", "encoding": "windows-1252"}, "th\xe9 \xe0 la 1,00\nth\xe9 2,00\n",
			"Edited f (windows-1252, LF): 1 line added, 1 removed.\n@@ -1,2 +1,2 @@\n-café 1,00\n+thé à la 1,00\n thé 2,00"},
		{"each é", menu, object{"old_string": "é", "new_string": "è", "replace_all": true, "encoding": "latin1"}, "caf\xe8 1,00\nth\xe8 2,00\n", "Edited f (windows-1252, LF) in 2 places: "},
		{"another name for it", menu, object{"old_string": "café", "new_string": "caff\u00e8", "charset": "CP1252"}, "caff\xe8 1,00\nth\xe9 2,00\n", "Edited f (windows-1252, LF): "},
		{"what it cannot hold", menu, object{"old_string": "café", "new_string": "a ☃", "encoding": "windows-1252"}, menu,
			"invalid_input: new_string cannot be written to f: line 1, character 3 of the text is '☃' (U+2603), which is not in windows-1252. Leave that out"},
		{"what it cannot hold in one of two", menu, object{"edits": []object{{"old_string": "café", "new_string": "x"}, {"old_string": "thé", "new_string": "茶"}}, "encoding": "windows-1252"}, menu,
			"invalid_input: new_string of edit 2 cannot be written to f: line 1, character 1 of the text is '茶' (U+8336), which is not in windows-1252. No edit was made. Leave that out"},
		{"missing", menu, object{"old_string": "cafè 1,00", "new_string": "x", "encoding": "windows-1252"}, menu,
			"not_found: old_string is not in f. The nearest lines follow; line 1 is the first to differ. Copy it from them\n\n     1  café 1,00"},
		{"no encoding", menu, object{"old_string": "café", "new_string": "“Süß”"}, "\x93S\xfc\xdf\x94 1,00\nth\xe9 2,00\n",
			"Edited f (windows-1252, LF): 1 line added, 1 removed.\n@@ -1,2 +1,2 @@\n-café 1,00\n+“Süß” 1,00\n thé 2,00"},
		{"no encoding, and what that one cannot hold", menu, object{"old_string": "café", "new_string": "a ☃"}, menu,
			"invalid_input: new_string cannot be written to f: line 1, character 3 of the text is '☃' (U+2603), which is not in windows-1252. Leave that out"},
		{"no encoding, and a byte that is not in the one that it looks like", menu + "\x81\n", object{"old_string": "café", "new_string": "x"}, menu + "\x81\n",
			"not_found: old_string is not in f, which is not UTF-8: only ASCII can be found in it. It looks like windows-1252: use edit with encoding=windows-1252"},
		{"the bytes as they are", menu, object{"old_string": "1,00", "new_string": "é", "encoding": "utf-8"}, menu,
			"invalid_input: f is not UTF-8, and new_string holds characters that are not ASCII"},
		{"no encoding that can be guessed", "\x01 \xff\n", object{"old_string": "é", "new_string": "x"}, "\x01 \xff\n",
			"not_found: old_string is not in f, which is not UTF-8: only ASCII can be found in it. Use edit with its encoding, such as encoding=windows-1252"},
		{"no such encoding", menu, object{"old_string": "café", "new_string": "x", "encoding": "windows-1552"}, menu, "invalid_input: there is no encoding windows-1552"},
		{"UTF-8", "café\n", object{"old_string": "caf", "new_string": "é", "encoding": "windows-1252"}, "café\n", "invalid_input: f is in UTF-8, not in windows-1252, and was left alone. Leave encoding out"},
		{"UTF-8, and said so", "café\n", object{"old_string": "é", "new_string": "è", "encoding": "utf8"}, "cafè\n", "Edited f: "},
		{"ASCII is in every encoding", "cafe\n", object{"old_string": "e", "new_string": "é", "encoding": "windows-1252"}, "caf\xe9\n", "Edited f (windows-1252, LF): 1 line added, 1 removed.\n@@ -1 +1 @@\n-cafe\n+café"},
		{"but not in UTF-16", "cafe\n", object{"old_string": "e", "new_string": "é", "encoding": "utf-16le"}, "cafe\n", "invalid_input: f is in UTF-8, not in utf-16le, and was left alone"},
		{"a byte order mark is believed", "\ufeffcafé\n", object{"old_string": "é", "new_string": "è", "encoding": "windows-1252"}, "\ufeffcafè\n", "Edited f (UTF-8 with BOM, LF): "},
		{"UTF-16 without a mark", "c\x00a\x00\n\x00", object{"old_string": "a", "new_string": "é", "encoding": "utf-16le"}, "c\x00\xe9\x00\n\x00", "Edited f (UTF-16LE, LF): "},
		{"UTF-16 without a mark, not said", utf16, object{"old_string": "a", "new_string": "é"}, "\xe9" + utf16[1:], "Edited f (UTF-16LE, LF): 1 line added, 1 removed.\n"},
		{"UTF-16 without a mark, and an odd byte", utf16 + "x", object{"old_string": "a", "new_string": "e"}, utf16 + "x",
			"is_binary: f has NUL bytes, but looks like text in UTF-16 without a byte order mark. Use encoding=utf-16le to edit it"},
		{"two bytes a character", "\x93\xfa\x96\x7b\n", object{"old_string": "本", "new_string": "中", "encoding": "shift_jis"}, "\x93\xfa\x92\x86\n", "Edited f (shift_jis, LF): "},
		{"a half", "\x88\x62\n", object{"old_string": "\u0304", "new_string": "x", "encoding": "big5"}, "\x88\x62\n",
			"invalid_input: old_string cannot be replaced alone in big5: the text beside it would become other characters. Replace more around it, or write the whole file"},
		{"an empty file", "", object{"old_string": "", "new_string": "é\n", "encoding": "windows-1252"}, "\xe9\n", "Wrote f (windows-1252, LF): 1 line added"},
		{"more than the limit in UTF-8", strings.Repeat("\xe9", 600), object{"old_string": "é", "new_string": "x", "encoding": "windows-1252"}, strings.Repeat("\xe9", 600),
			"too_large: f is in UTF-8 over the limit of 1KB for files that are changed here"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSuite(t, config.Config{MaxFileBytes: 1024}, map[string]string{"f": c.before})
			c.args["path"] = "f"
			res := call(t, s, "edit", c.args)
			require.Equal(t, c.says, res.Text[:min(len(c.says), len(res.Text))])
			require.Equal(t, c.after, contentOf(t, s, "f"))
		})
	}
}

// A file that was read in its encoding, and has changed since, is stale as any other.
func TestEditEncodingStale(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"f": "caf\xe9\nth\xe9\n"})
	call(t, s, "edit", object{"path": "f", "old_string": "thé", "new_string": "eau", "encoding": "windows-1252"})
	put(t, s, "f", "caf\xe8\neau\n")
	res := call(t, s, "edit", object{"path": "f", "old_string": "café", "new_string": "x", "encoding": "windows-1252"})
	require.Equal(t, "stale: f has changed since it was last shown or written here, and was left alone. The changes follow. Make the call again with them in mind\n\n@@ -1,2 +1,2 @@\n-café\n+cafè\n eau", res.Text)
	put(t, s, "f", "caf\xe8\neau\n\xe9\n")
	res = call(t, s, "edit", object{"path": "f", "old_string": "cafè", "new_string": "é", "encoding": "windows-1252"})
	require.Contains(t, res.Text, "Also changed since it was last shown: line 3.\n--- f\n@@ -1,3 +1,3 @@\n-cafè\n+é\n eau\n é\n--- f, since it was last shown\n@@ -1,2 +1,3 @@\n é\n eau\n+é")
	require.Equal(t, "\xe9\neau\n\xe9\n", contentOf(t, s, "f"))
}

func TestWriteEncoding(t *testing.T) {
	t.Parallel()
	const none = "none"
	for _, c := range []struct{ name, before, content, encoding, after, says string }{
		{"a new file", none, "é\n", "windows-1252", "\xe9\n", "Created f (1 line, 2B). It is in windows-1252."},
		{"a new file in UTF-16", none, "é\n", "utf-16le", "\xff\xfe\xe9\x00\n\x00", "Created f (1 line, 6B). It is in utf-16le."},
		{"a new file with escape sequences", none, "日本\n", "iso-2022-jp", "\x1b$BF|K\\\x1b(B\n", "Created f (1 line, 11B). It is in iso-2022-jp."},
		{"as it was", "caf\xe9\n", "thé\n", "windows-1252", "th\xe9\n", "Wrote f (windows-1252, LF): 1 line added, 1 removed (1 line, 4B).\n@@ -1 +1 @@\n-café\n+thé"},
		{"as it looks", "caf\xe9\n", "thé\n", "", "th\xe9\n", "Wrote f (windows-1252, LF): 1 line added, 1 removed (1 line, 4B).\n@@ -1 +1 @@\n-café\n+thé"},
		{"as it looks, and what that cannot hold", "caf\xe9\n", "☃\n", "", "caf\xe9\n",
			"invalid_input: f cannot be written in windows-1252: line 1, character 1 of the text is '☃' (U+2603), which is not in windows-1252. Leave that out, or use encoding=utf-8"},
		{"ASCII alone", "caf\xe9\n", "cafe\n", "", "cafe\n", "Wrote f: 1 line added, 1 removed (1 line, 5B). It was in windows-1252 before, and is in utf-8 now."},
		{"not as it looks", "Caf\xe9s d\xe9\x81\n", "thé\n", "", "thé\n", "Wrote f: 1 line added, 1 removed (1 line, 5B). It was not valid UTF-8 before, and is now. It looked like windows-1252: use encoding=windows-1252 to write it in that."},
		{"from UTF-8", "café\n", "thé\n", "windows-1252", "th\xe9\n", "Wrote f: 1 line added, 1 removed (1 line, 4B). It is in windows-1252 now.\n@@ -1 +1 @@\n-café\n+thé"},
		{"from UTF-8 with a mark", "\ufeffcafé\n", "thé\n", "windows-1252", "th\xe9\n", "Wrote f: 1 line added, 1 removed (1 line, 4B). It is in windows-1252 now."},
		{"the same text from UTF-8", "café\n", "café\n", "windows-1252", "caf\xe9\n", "Wrote f: no line changed (1 line, 5B). It is in windows-1252 now."},
		{"the mark of UTF-8 stays", "\ufeffcafé\n", "thé\n", "utf-8", "\ufeffthé\n", "Wrote f (UTF-8 with BOM, LF): 1 line added, 1 removed (1 line, 8B)."},
		{"from UTF-16", "\xff\xfea\x00", "é", "utf-8", "é", "Wrote f: 1 line added, 1 removed (1 line, 2B). It was in utf-16le before, and is in utf-8 now."},
		{"UTF-16 without a mark", "a\x00\n\x00", "é\n", "utf-16le", "\xe9\x00\n\x00", "Wrote f (UTF-16LE, LF): 1 line added, 1 removed (1 line, 4B)."},
		{"UTF-16 without a mark, not said", "a\x00\n\x00", "é\n", "", "é\n", "Wrote f: 1 line added, 2 removed (1 line, 3B). It was a binary file before, and not text."},
		{"UTF-8 though it looked otherwise", "caf\xe9\n", "é\n", "utf-8", "é\n", "Wrote f: 1 line added, 1 removed (1 line, 3B). It was not valid UTF-8 before, and is now.\n@@"},
		{"what it cannot hold", "caf\xe9\n", "a\n☃\n", "windows-1252", "caf\xe9\n", "invalid_input: f cannot be written in windows-1252: line 2, character 1 of the text is '☃' (U+2603), which is not in windows-1252. Leave that out"},
		{"what would be another character", none, "5 ¥\n", "shift_jis", none, "invalid_input: f cannot be written in shift_jis: line 1, character 3 of the text is '¥' (U+00A5), which is not in shift_jis."},
		{"more than the limit in that", none, strings.Repeat("ƀ", 400), "gb18030", none, "too_large: content is 1.6KB in gb18030, over the limit of 1KB for files that are changed here"},
		{"no such encoding", none, "", "klingon", none, "invalid_input: there is no encoding klingon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"f": c.before}
			if c.before == none {
				files = nil
			}
			s := newSuite(t, config.Config{MaxFileBytes: 1024}, files)
			res := call(t, s, "write", object{"path": "f", "content": c.content, "encoding": c.encoding})
			require.Equal(t, c.says, res.Text[:min(len(c.says), len(res.Text))])
			if c.after == none {
				require.NoFileExists(t, s.Workspace()+"/f")
				return
			}
			require.Equal(t, c.after, contentOf(t, s, "f"))
			if !res.IsError && c.encoding != "" {
				require.Equal(t, c.encoding, strings.TrimSuffix(res.Details.(tools.WriteResult).Encoding, "-bom"))
			}
		})
	}
}
