package browser_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/internal/testkit/records"
	"github.com/spillway-go/spillway/tools/record"
)

var recorded = flag.String("record", "", "`FILE` with a record, whose report -shots draws as report-light.png and report-dark.png")

// The pictures of docs/configuration.md are drawn from a record: -record FILE -shots pictures.
func TestPictures(t *testing.T) {
	if *recorded == "" {
		t.Skip("draws pictures with -record")
	}
	file, err := filepath.Abs(*recorded)
	require.NoError(t, err)
	r, err := report.Read(filepath.Base(file), record.Read(file))
	require.NoError(t, err)
	page := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(page)
	require.NoError(t, err)
	require.NoError(t, r.WriteHTML(f))
	require.NoError(t, f.Close())
	for name, dark := range map[string]bool{"report-light": false, "report-dark": true} {
		open(t, page, screen{1280, 1010, dark}).picture(name, false)
		shrink(t, filepath.Join(*shots, name+".png"))
	}
}

// shrink writes a picture with 256 colours, which takes half of the bytes: of those that are much alike, the one that it
// has most of.
func shrink(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	whole, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	counts := map[color.Color]int{}
	for y := range whole.Bounds().Dy() {
		for x := range whole.Bounds().Dx() {
			counts[color.RGBAModel.Convert(whole.At(x, y))]++
		}
	}
	var palette color.Palette
	kinds := map[[3]byte]bool{}
	for _, c := range slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return counts[b] - counts[a] }) {
		rgb := c.(color.RGBA)
		if kind := [3]byte{rgb.R >> 4, rgb.G >> 4, rgb.B >> 4}; !kinds[kind] {
			kinds[kind] = true
			palette = append(palette, c)
		}
	}
	few := image.NewPaletted(whole.Bounds(), palette[:min(len(palette), 256)])
	draw.Draw(few, few.Bounds(), whole, image.Point{}, draw.Src)
	var out bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few))
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
}

// Calls one after the other are a low line in the row that says how many ran at once, not a block.
func TestAtOnceIsLowForOne(t *testing.T) {
	one := `{"kind":"call","session":"s","id":"%d","time":"2026-11-25T12:00:0%d.000Z","tool":"ls","args":{},"text":"a","ms":999}`
	o := open(t, written(t, []byte(fmt.Sprintf(one+"\n"+one+"\n", 1, 1, 2, 2))), screen{1600, 1000, false})
	const drawn = `(() => { const c = document.getElementById('line'), r = devicePixelRatio || 1, at = c.getContext('2d');
		return [12, 44].map((y) => at.getImageData(Math.round(300 * r), Math.round(y * r), 1, 1).data[3]); })()`
	pixels := eval[[]int](o, drawn)
	require.Zero(t, pixels[0], "the height of four calls")
	require.NotZero(t, pixels[1], "the height of one call")
	require.Contains(t, eval[string](o, `document.getElementById('figures').textContent`), "at most 1 at once")
}

// A call with pictures says that they are not in the tokens.
func TestPicturesAreSaidNotToCount(t *testing.T) {
	line := `{"kind":"call","session":"s","id":"1","time":"2026-11-25T12:00:01.000Z","tool":"read","args":{"path":"a.png"},"text":"a","ms":9,"images":2}`
	o := open(t, written(t, []byte(line+"\n")), screen{1600, 1000, false})
	require.Contains(t, eval[string](o, `document.getElementById('figures').textContent`), "estimated; not counted: 2 pictures")
}

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
				o.do(chromedp.Click(".pair [data-kind=poll] summary"), chromedp.WaitReady(".pair .open p"))
				o.picture(name, true)
				o.do(chromedp.Click("#dearest button"))
				require.LessOrEqual(t, eval[int](o, `document.querySelector('dialog').scrollWidth`), int(width))
				o.picture(name+"-call", false)
				o.quiet()
			})
		}
	}
}
