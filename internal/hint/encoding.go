package hint

import (
	"strings"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/suggest"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Encoding returns the canonical name of the encoding in a call, or "". The error suggests names.
func Encoding(label string) (string, error) {
	if label == "" {
		return "", nil
	}
	if name, ok := textfile.Canonical(label); ok {
		return name, nil
	}
	names := nearest.Among(textfile.Encodings, label, max(2, len(label)/3), suggest.Most)
	if len(names) == 0 {
		names = []string{"windows-1252", "shift_jis", "gb18030"}
	}
	return "", fault.Errorf(fault.InvalidInput, "there is no encoding %s. Use a name of the WHATWG standard, such as %s",
		quote.Value(label), strings.Join(names, " or "))
}
