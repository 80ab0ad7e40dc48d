package notice

import (
	"strings"
	"unicode"
)

// Visible gives a text without a visible character something to see. images is the number of images beside it.
func Visible(text string, images int) string {
	switch {
	case text == "" && images > 0:
		return "(" + Count(images, "image") + ")"
	case text == "":
		return "(empty result)"
	}
	return Append(text, unseen(text))
}

func unseen(text string) Notice {
	spaces, ends := true, true
	for _, r := range text {
		if visible(r) {
			return ""
		}
		spaces = spaces && unicode.IsSpace(r)
		ends = ends && (r == '\n' || r == '\r')
	}
	switch {
	case ends && strings.Contains(text, "\n"):
		return Notice(Count(Lines(text), "empty line"))
	case spaces:
		return Notice("Only white space: " + Count(len(text), "byte"))
	}
	return Notice("Only invisible characters: " + Count(len(text), "byte"))
}

// invisible are the characters without ink. The standard library's tables lack characters that Unicode has added
// since. These are emoji more often than spaces, so unknown ones count as visible.
var invisible = []*unicode.RangeTable{
	unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
}

func visible(r rune) bool {
	const blank = '\u2800' // a Braille pattern without dots, a symbol for Unicode
	if '!' <= r && r <= '~' {
		return true
	}
	return r != blank && (!unicode.In(r, invisible...) || unicode.Is(unicode.Prepended_Concatenation_Mark, r))
}
