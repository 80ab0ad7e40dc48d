package hint

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Corrected says how a path was corrected; "" if it was not.
func Corrected(path workspace.Path) notice.Notice {
	if path.Correction == nil {
		return ""
	}
	return notice.Corrected(quote.Written(path.Correction.Written), quote.Value(path.Name))
}
