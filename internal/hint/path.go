package hint

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Corrected says what was corrected in a path, if anything was.
func Corrected(path workspace.Path) notice.Notice {
	if path.Correction == nil {
		return ""
	}
	return notice.Corrected(quote.Written(path.Correction.Written), quote.Value(path.Name))
}
