//go:build !model

package serve

import "io"

// deliver writes the text of a result.
func deliver(out io.Writer, text string) error {
	_, err := io.WriteString(out, text)
	return err
}
