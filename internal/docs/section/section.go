// Package section reads and replaces the generated sections of the manual's pages. A section
// called name stands between the lines <!-- name --> and <!-- /name -->.
package section

import (
	"fmt"
	"os"
	"strings"
)

// Read returns the section of a page.
func Read(page, name string) (string, error) {
	_, text, _, err := split(page, name)
	return text, err
}

// Write replaces the section of a page. The text ends in a newline.
func Write(page, name, text string) error {
	before, _, after, err := split(page, name)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+text+after), 0o644)
}

// split returns the text of a section, and what of the page is before and after it, with the
// markers.
func split(page, name string) (before, text, after string, err error) {
	data, err := os.ReadFile(page)
	if err != nil {
		return "", "", "", err
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, begins := strings.Cut(string(data), begin)
	text, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return "", "", "", fmt.Errorf("%s has no section %s", page, name)
	}
	return before + begin, text, end + after, nil
}
