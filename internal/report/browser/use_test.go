package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit/records"
)

// What can be done with the keyboard alone.
func TestKeyboard(t *testing.T) {
	o := open(t, written(t, records.Session(300, 2)), screen{1600, 1000, false})
	active := `document.querySelector('#space .on').getAttribute('aria-rowindex')`
	focus := `document.activeElement.id`
	o.press("j") // from anywhere: to the table
	require.Equal(t, "grid", eval[string](o, focus))
	o.press("j", "j", kb.ArrowDown, "k")
	require.Equal(t, "4", eval[string](o, active), "the header is row 1")
	require.Equal(t, "row-2", eval[string](o, `document.querySelector('#grid').getAttribute('aria-activedescendant')`))
	o.press(kb.Enter)
	require.Contains(t, eval[string](o, `document.querySelector('#c-title').textContent`), "call 3")
	o.press("j")
	require.Contains(t, eval[string](o, `document.querySelector('#c-title').textContent`), "call 4")
	o.press(kb.Escape)
	require.False(t, eval[bool](o, `document.querySelector('dialog').open`))
	require.Equal(t, "grid", eval[string](o, focus))
	require.Equal(t, "5", eval[string](o, active))
	o.press(kb.End)
	require.Greater(t, eval[int](o, `document.querySelector('#view').scrollTop`), 0)
	o.press("/")
	require.Equal(t, "find", eval[string](o, focus))
	o.press("balance = 1190", kb.Enter) // which is in results alone
	require.Equal(t, "grid", eval[string](o, focus))
	found := eval[string](o, `document.querySelector('#count').textContent`)
	require.Regexp(t, `^\d+ of \d+ calls$`, found)
	o.press(kb.Escape)
	require.Regexp(t, `^\d+ calls$`, eval[string](o, `document.querySelector('#count').textContent`))
	o.quiet()
}

// Filters, the order, the theme and the time line.
func TestControls(t *testing.T) {
	o := open(t, written(t, records.Session(300, 2)), screen{1600, 1000, false})
	count := func() string { return eval[string](o, `document.querySelector('#count').textContent`) }
	all := count()
	cells := `[...document.querySelectorAll('#space .row')].map((r) => r.children[5].textContent.replace(/,/g, '')).map(Number)`
	o.do(chromedp.Click(`#head [data-key=tokens] button`))
	tokens := eval[[]int](o, cells)
	for i := 1; i < len(tokens); i++ {
		require.GreaterOrEqual(t, tokens[i-1], tokens[i])
	}
	require.Equal(t, "descending", eval[string](o, `document.querySelector('#head [data-key=tokens]').getAttribute('aria-sort')`))
	o.do(chromedp.Click(`#tools tbody tr:nth-child(2) button`)) // only that tool
	require.NotEqual(t, all, count())
	require.Len(t, eval[[]string](o, `[...new Set([...document.querySelectorAll('#space .tool')].map((t) => t.textContent))]`), 1)
	o.do(chromedp.Click(`#clear`))
	require.Equal(t, all, count())
	o.do(chromedp.Click(`.pair [data-kind=again] summary`), chromedp.WaitReady(`.pair .open p`))
	require.NotEmpty(t, eval[string](o, `document.querySelector('.pair .open p').textContent`))
	o.do(chromedp.Click(`.pair .open > button`))
	require.NotEqual(t, all, count())
	o.do(chromedp.Click(`#clear`), chromedp.ScrollIntoView(`#line`))
	box := eval[[]float64](o, `(() => { const r = document.querySelector('#line').getBoundingClientRect(); return [r.left, r.top, r.width]; })()`)
	o.do(chromedp.DragAndDropXY(box[0]+box[2]*.3, box[1]+30, box[0]+box[2]*.5, box[1]+30))
	require.NotEqual(t, all, count())
	require.False(t, eval[bool](o, `document.querySelector('#range').hidden`))
	o.picture("zoomed", false)
	o.do(chromedp.Focus(`#line`))
	o.press("0")
	require.Equal(t, all, count())
	o.do(chromedp.Click(`#theme [data-theme=dark]`))
	require.Equal(t, "rgb(19, 20, 22)", eval[string](o, `getComputedStyle(document.documentElement).backgroundColor`))
	require.Equal(t, "true", eval[string](o, `document.querySelector('#theme [data-theme=dark]').getAttribute('aria-checked')`))
	o.quiet()
}

// Ten thousand calls are opened, scrolled, sorted and filtered, and the document stays small, which is why no step makes a
// reader wait. What they take is logged: -run TestTenThousand -v
func TestTenThousand(t *testing.T) {
	o := open(t, written(t, records.Session(10_000, 1)), screen{1600, 1000, false})
	steps := []struct{ name, do string }{
		{"scroll", `document.querySelector('#view').scrollTop = 200000`},
		{"sort", `document.querySelector('#head [data-key=tokens] button').click()`},
		{"filter", `(() => { const s = document.querySelector('#f-tool'); s.selectedIndex = 2; s.dispatchEvent(new Event('change')); })()`},
		{"open", `document.querySelector('#space .row').click()`},
		{"close", `document.querySelector('#c-close').click()`},
		{"zoom", `(() => { const l = document.querySelector('#line'); l.focus(); l.dispatchEvent(new KeyboardEvent('keydown', { key: '+' })); })()`},
		{"all", `document.querySelector('#clear').click()`},
	}
	for _, s := range steps {
		took := awaited[float64](o, `new Promise((done) => { const at = performance.now(); `+s.do+
			`; requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - at))); })`)
		t.Logf("%s: %.0f ms", s.name, took)
		require.Less(t, eval[int](o, `document.querySelectorAll('*').length`), 1500, s.name)
	}
	loaded := eval[float64](o, `performance.getEntriesByType('navigation')[0].domComplete`)
	t.Logf("loaded after %.0f ms", loaded)
	took := awaited[float64](o, `new Promise((done) => { const at = performance.now(), f = document.querySelector('#find'), n = document.querySelector('#count');
		new MutationObserver(() => done(performance.now() - at)).observe(n, { childList: true });
		f.value = 'balance = 1190'; f.dispatchEvent(new Event('input')); })`)
	t.Logf("text found after %.0f ms, of which 120 are waited", took)
	require.Less(t, eval[int](o, `document.querySelectorAll('*').length`), 1500)
	o.quiet()
}

// Calls that a tool made are folded into its row, listed where it is opened, and found by their text.
func TestNestedCalls(t *testing.T) {
	line := `{"kind":"call","session":"s","id":"%s","calledBy":"%s","time":"2026-11-25T12:00:0%d.000Z","tool":"%s","args":{"path":"%s"},"text":"a","ms":1}` + "\n"
	record := fmt.Sprintf(line, "c1", "p", 1, "read", "first") + fmt.Sprintf(line, "c2", "p", 2, "ls", "second") +
		fmt.Sprintf(line, "p", "", 3, "script", "x") + fmt.Sprintf(line, "c3", "", 4, "read", "third")
	o := open(t, written(t, []byte(record)), screen{1600, 1000, false})
	rows := `[...document.querySelectorAll('#space .tool')].map((r) => r.textContent).join(' ')`
	require.Equal(t, "script read", eval[string](o, rows))
	require.Equal(t, "2 calls", eval[string](o, `document.getElementById('count').textContent`))
	require.Equal(t, "Unfold 2 calls made by tools", eval[string](o, `document.getElementById('nested').textContent`))
	o.do(chromedp.Click(`#nested`))
	require.Equal(t, "read ls script read", eval[string](o, rows))
	eval[any](o, `document.querySelector('#space .row:nth-child(3)').click()`) // at once: rows are drawn anew
	require.Contains(t, eval[string](o, `document.querySelector('#c-body .made').textContent`), "read 1 first")
	o.do(chromedp.Click(`#c-close`), chromedp.Click(`#nested`), chromedp.SendKeys(`#find`, "second"+kb.Enter)) // which does not wait for more keys
	require.Equal(t, "ls", eval[string](o, rows))
	o.quiet()
}
