package browser_test

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// The page of the bench shows each case, and what failed in it.
func TestBench(t *testing.T) {
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "examples", "bench", "results.html"))
	require.NoError(t, err)
	for name, s := range map[string]screen{"bench light": {1280, 1000, false}, "bench dark": {1280, 1000, true}, "bench narrow": {390, 844, false}} {
		t.Run(name, func(t *testing.T) {
			o := openPage(t, path, s, "#families > section")
			require.LessOrEqual(t, eval[int](o, `document.documentElement.scrollWidth`), int(s.width), "nothing is wider than the page")
			require.Equal(t, 8, eval[int](o, `document.querySelectorAll('#families > section').length`))
			o.picture(name, true)
			eval[bool](o, `(document.querySelector(".cells button.fail").click(), true)`)
			require.True(t, eval[bool](o, `document.querySelector('dialog').open`))
			require.Positive(t, eval[int](o, `document.querySelectorAll('.facts-failed li').length`))
			o.picture(name+" case", false)
			o.press(kb.Escape)
			require.False(t, eval[bool](o, `document.querySelector('dialog').open`))
			o.quiet()
		})
	}
}
