package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit/records"
)

// A page is as wide as the window, whatever its width and theme, and so is a call.
func TestScreens(t *testing.T) {
	path := written(t, records.Session(400, 1))
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{380, 1600} {
			name := fmt.Sprintf("report-%s-%d", map[bool]string{false: "light", true: "dark"}[dark], width)
			t.Run(name, func(t *testing.T) {
				o := open(t, path, screen{width, 1000, dark})
				background := eval[string](o, `getComputedStyle(document.documentElement).backgroundColor`)
				require.Equal(t, map[bool]string{false: "rgb(250, 250, 248)", true: "rgb(19, 20, 22)"}[dark], background)
				require.Equal(t, int(width), eval[int](o, `document.documentElement.scrollWidth`))
				o.do(chromedp.Click("#waste details:nth-of-type(3) summary"), chromedp.WaitReady("#waste .open p"))
				o.picture(name, true)
				o.do(chromedp.Click("#dearest button"))
				require.LessOrEqual(t, eval[int](o, `document.querySelector('dialog').scrollWidth`), int(width))
				o.picture(name+"-call", false)
				o.quiet()
			})
		}
	}
}
