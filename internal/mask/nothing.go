package mask

import "io"

// by returns the engine, or one that masks nothing.
func (m *Masker) by() Engine {
	if m.Off() {
		return Nothing{}
	}
	return m.engine
}

type Nothing struct{}

func (Nothing) Refresh()                                {}
func (Nothing) Mask([]byte, int) []Finding              { return nil }
func (Nothing) Secrets([]byte) []Finding                { return nil }
func (Nothing) Writer(w io.Writer) Writer               { return writer{w} }
func (Nothing) Reader(r io.Reader, _ bool) Reader       { return reader{r, none{}} }
func (Nothing) ReaderAt(r io.ReaderAt, _ bool) ReaderAt { return readerAt{r, none{}} }

type (
	writer struct{ io.Writer }
	reader struct {
		io.Reader
		none
	}
	readerAt struct {
		io.ReaderAt
		none
	}
	none struct{}
)

func (writer) Flush() error           { return nil }
func (writer) Cut() error             { return nil }
func (writer) Findings(int) []Finding { return nil }
func (writer) Count() int             { return 0 }

func (none) Findings() []Finding { return nil }
