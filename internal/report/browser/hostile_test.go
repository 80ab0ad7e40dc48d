package browser_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit/records"
)

// Texts from outside are text in the page: no script of theirs runs, nothing is requested, no element is theirs.
func TestHostile(t *testing.T) {
	o := open(t, written(t, records.Hostile()), screen{1600, 1000, false})
	const elements = `[...document.querySelectorAll('*')].reduce((n, e) => (n[e.localName] = (n[e.localName] || 0) + 1, n), Object.create(null))`
	check := func() {
		t.Helper()
		require.Equal(t, "session.jsonl · Spillway report", eval[string](o, `document.title`))
		counts := eval[map[string]int](o, elements)
		require.Equal(t, 3, counts["script"], "the report, the texts of calls, and the page's own: %v", counts)
		require.Equal(t, 1, counts["style"])
		for _, name := range []string{"img", "a", "iframe", "object", "embed", "svg", "link", "base", "form"} {
			require.LessOrEqual(t, counts[name], map[string]int{"a": 1, "form": 1}[name], name)
		}
		require.Zero(t, eval[int](o, `document.querySelectorAll('[onerror],[onload],[onclick],[src],[style*=url]').length`))
		o.quiet()
	}
	check()
	require.Equal(t, "18 calls", eval[string](o, `document.querySelector('#count').textContent`))
	require.Equal(t, 18, eval[int](o, `document.querySelectorAll('#space .row').length`))
	o.do(chromedp.Focus("#grid"))
	for range 18 { // each call is opened, in order
		o.press(kb.Enter)
		require.True(t, eval[bool](o, `document.querySelector('dialog').open`))
		require.LessOrEqual(t, eval[int](o, `document.querySelector('#c-body').scrollWidth - document.querySelector('#c-body').clientWidth`), 0)
		check()
		o.press(kb.Escape)
		o.press("j")
	}
	for _, kind := range []string{"tool", "code", "cut", "kind"} { // every filter by what is in the record
		n := eval[int](o, `document.querySelector('#f-`+kind+`').options.length`)
		for i := range n {
			eval[bool](o, `(() => { const s = document.querySelector('#f-`+kind+`'); s.selectedIndex = `+strconv.Itoa(i)+`; return s.dispatchEvent(new Event('change')); })()`)
		}
		eval[bool](o, `(() => { document.querySelector('#clear').click(); return true; })()`)
	}
	eval[bool](o, `(() => { for (const d of document.querySelectorAll('details')) d.open = true; return true; })()`)
	check()
	for _, width := range []int64{1600, 380} { // nothing is wider than its place
		o.do(chromedp.EmulateViewport(width, 1000))
		o.picture("hostile "+strconv.Itoa(int(width)), true)
		require.Equal(t, int(width), eval[int](o, `document.documentElement.scrollWidth`))
		require.Empty(t, eval[[]string](o, `[...document.querySelectorAll('table, details, dl, canvas, .grid')].filter((e) => e.offsetWidth > e.parentNode.clientWidth + 1).map((e) => e.outerHTML.slice(0, 200))`))
	}
}

// The text of an attack is shown as it was, with the names of what nobody would see.
func TestHostileText(t *testing.T) {
	o := open(t, written(t, records.Hostile()), screen{1600, 1000, false})
	o.do(chromedp.Focus("#grid"))
	o.press(kb.Enter)
	text := eval[string](o, `document.querySelector('.text').textContent`)
	require.Contains(t, text, "</script><script>document.title='owned'</script><!--<script>]]><img src=x onerror=")
	require.Contains(t, text, "javascript:alert(1)U+2028U+2029U+202EevilU+2066NUL")
	require.Equal(t, 1, eval[int](o, `document.querySelectorAll('.text .notice').length`))
	o.picture("hostile call", false)
}

// The policy alone, without the page's care, stops scripts, styles and requests: what somebody adds to the document is
// not run.
func TestPolicy(t *testing.T) {
	o := open(t, written(t, records.Session(5, 1)), screen{1600, 1000, false})
	blocked := awaited[string](o, `new Promise((done) => {
		const seen = [];
		document.addEventListener('securitypolicyviolation', (e) => { seen.push(e.effectiveDirective); if (seen.length === 4) done(seen.sort().join(' ')); });
		const script = document.createElement('script');
		script.textContent = "document.title = 'owned'";
		const image = document.createElement('img');
		image.src = 'http://127.0.0.1:9/x.png';
		const style = document.createElement('style');
		style.textContent = '* { color: red }';
		document.body.append(script, image, style);
		fetch('http://127.0.0.1:9/').catch(() => {});
		setTimeout(() => done('only ' + seen.join(' ')), 5000);
	})`)
	require.Equal(t, "connect-src img-src script-src-elem style-src-elem", blocked)
	require.NotEqual(t, "owned", eval[string](o, `document.title`))
}
