package script_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// hostile are scripts that never end, or need more than there is, and the codes with which they end.
var hostile = map[string]tools.Code{
	`while (true) {}`:     tools.CodeTimeout,
	`for (;;) await null`: tools.CodeTimeout,
	`const f = () => Promise.resolve().then(f); await f()`:                                    tools.CodeTimeout,
	`try { while (true) {} } catch { return 1 } finally { while (true) {} }`:                  tools.CodeTimeout,
	`/^(a+)+$/.test("a".repeat(40) + "!")`:                                                    tools.CodeTimeout,
	`const a = {get x() { while (true) {} }}; return a.x`:                                     tools.CodeTimeout,
	`return {toJSON() { while (true) {} }}`:                                                   tools.CodeTimeout,
	`throw {get message() { while (true) {} }}`:                                               tools.CodeTimeout,
	`tools.ls({toJSON() { while (true) {} }})`:                                                tools.CodeTimeout,
	`new Promise(() => { while (true) {} })`:                                                  tools.CodeTimeout,
	`let a = "x"; for (;;) a += a`:                                                            tools.CodeInvalidInput, // string too long
	`const list = []; for (let i = 0; ; i++) list.push("x".repeat(1000) + i)`:                 tools.CodeTooLarge,
	`const list = []; for (;;) list.push({})`:                                                 tools.CodeTooLarge,
	`const list = []; for (;;) { try { for (;;) list.push([]) } catch {} }`:                   tools.CodeTimeout,
	`new Array(1e9).fill(0)`:                                                                  tools.CodeTooLarge,
	`new Uint8Array(1e9)`:                                                                     tools.CodeTooLarge,
	`function f() { return f() + 1 } f()`:                                                     tools.CodeTooLarge,
	`const f = async () => await f(); await f()`:                                              tools.CodeTooLarge,
	`JSON.parse("[".repeat(1e6))`:                                                             tools.CodeTooLarge,
	`eval("(".repeat(1e6))`:                                                                   tools.CodeTooLarge,
	`let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a`:                             tools.CodeTooLarge,
	`await new Promise(() => {})`:                                                             tools.CodeInvalidInput,
	`await {then() {}}`:                                                                       tools.CodeInvalidInput,
	`for (;;) tools.ls({})`:                                                                   tools.CodeTooLarge,
	`for (;;) await tools.ls({})`:                                                             tools.CodeTooLarge,
	`const p = "x".repeat(1e6); for (;;) tools.ls({path: p})`:                                 tools.CodeTooLarge,
	`for (;;) print("x".repeat(1000))`:                                                        tools.CodeOutputLimit,
	`throw null`:                                                                              tools.CodeInvalidInput,
	`throw {get message() { throw 1 }, get name() { throw 2 }, get stack() { throw 3 }}`:      tools.CodeInvalidInput,
	`throw new Proxy({}, {get() { throw 1 }, getPrototypeOf() { throw 2 }})`:                  tools.CodeInvalidInput,
	`return {toJSON() { throw new Error("no") }}`:                                             tools.CodeInvalidInput,
	`await import("os")`:                                                                      tools.CodeInvalidInput,
	`}); (async function () { while (true) {}`:                                                tools.CodeTimeout,
	`Promise.prototype.then = null; await tools.ls({}); throw 1`:                              tools.CodeInvalidInput,
	`globalThis.Error = class { get stack() { while (true) {} } }; await tools.ls(); throw 1`: tools.CodeInvalidInput,
}

// Each ends with a clear code, a hundred of them at once, and leaves nothing.
func TestHostileScripts(t *testing.T) {
	most := 300 * time.Millisecond
	if testing.Short() {
		most = 100 * time.Millisecond
	}
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: most, MaxMemory: 16 << 20, MaxAllBytes: 8 << 20}, nil)
	run(t, s, `return 1`)
	before := runtime.NumGoroutine()
	var at sync.WaitGroup
	rounds := 3 // over a hundred scripts
	if testing.Short() {
		rounds = 1
	}
	codes := slices.Sorted(maps.Keys(hostile))
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	codes = codes[:testkit.Some(len(codes))]
	for range rounds {
		for _, code := range codes {
			want := hostile[code]
			at.Go(func() {
				res := run(t, s, code)
				// With so many at once, some run out of time before they run out of anything else.
				if res.Code != tools.CodeTimeout {
					require.Equal(t, want, res.Code, "%s: %.300s", code, res.Text)
				}
				require.Contains(t, res.Text, string(res.Code)+": ")
				require.Less(t, len(res.Text), 40<<10)
			})
		}
	}
	at.Wait()
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, 10*time.Millisecond)
	alone := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Minute, MaxMemory: 16 << 20, MaxAllBytes: 8 << 20}, nil)
	for _, code := range codes {
		if want := hostile[code]; want != tools.CodeTimeout {
			require.Equal(t, want, run(t, alone, code).Code, code)
		}
	}
}

// The end of a context ends a script within a second, whatever its calls do, and so does its own time limit.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, nil)
	release := make(chan struct{})
	defer close(release)
	entered := make(chan struct{}, 1)
	require.NoError(t, s.Add(tools.Func("deaf", "Hears nothing.", func(context.Context, struct{}) (string, error) {
		entered <- struct{}{}
		<-release
		return "", nil
	}, config.Effects{})))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	res := runIn(ctx, t, s, `print("begun"); await tools.write({path: "a.txt", content: "a"}); await tools.deaf({})`)
	require.Equal(t, tools.CodeAborted, res.Code)

	suitetest.InTime(t, func(timeoutMs int) bool {
		res, err := s.Call(t.Context(), "script", fmt.Appendf(nil, `{"code": "print('begun'); await tools.deaf({})", "timeout_ms": %d}`, timeoutMs))
		require.NoError(t, err)
		require.Equal(t, tools.CodeTimeout, res.Code)
		after := time.Duration(timeoutMs) * time.Millisecond
		require.Contains(t, res.Text, fmt.Sprintf("timeout: the script was ended after %v. Raise timeout_ms", after))
		return strings.Contains(res.Text, "begun")
	})
}

// A script whose call must be answered ends in time, with the commands that it runs, and says what it did. The commands do
// not become jobs, because a script would then start one after the other, all of them at once.
func TestAnswerBy(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Settle: time.Millisecond}}, script.Options{}, nil)
	left := -time.Hour
	suitetest.InTime(t, func(timeoutMs int) bool {
		res := runIn(tools.WithAnswerBy(t.Context(), time.Now().Add(left)), t, s,
			`await tools.write({path: "a.txt", content: "a"}); await tools.bash({command: "exec sleep 300"})`)
		require.Equal(t, tools.CodeTimeout, res.Code)
		require.Regexp(t, "^timeout: the script was ended after .*s. The client waits no longer. Do less at a time", res.Text)
		if left < 0 {
			require.Contains(t, res.Text, "after 1s.")
		}
		left = time.Duration(timeoutMs) * time.Millisecond
		return strings.Contains(res.Text, "a.txt")
	})
	require.Empty(t, s.Jobs())
	res := runIn(tools.WithAnswerBy(t.Context(), time.Now().Add(time.Hour)), t, s, `return (await tools.bash({command: "echo hi"})).text`)
	require.Equal(t, "hi\n", res.Text)
}

// Results over the limit of all of a script are errors of their calls, which it can handle.
func TestAllResults(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{MaxAllBytes: 100_000}, map[string]string{"a.txt": strings.Repeat("0123456789\n", 3000)})
	require.Equal(t, `4 too_large`, run(t, s, `let n = 0;
try { for (;; n++) await tools.read({path: "a.txt", offset: n + 1, limit: 2000}) } catch (e) { return n + " " + e.code }`).Text)
}

// What a tool that is not trusted returns is data.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, nil)
	for i, text := range []string{"\x00\xff\xfe", "\u2028\u2029</script>${x}`", strings.Repeat("x", 3<<20), `{"then": 1}`} {
		require.NoError(t, s.Add(
			tools.Func(fmt.Sprintf("say%d", i), "Says.", func(context.Context, struct{}) (string, error) { return text, nil }, config.Effects{}),
			tools.Func(fmt.Sprintf("fail%d", i), "Fails.", func(context.Context, struct{}) (string, error) { return text, fmt.Errorf("%s", text) }, config.Effects{})))
		res := run(t, s, fmt.Sprintf(`const r = await tools.say%[1]d({partial: true}); return typeof r.text + (await tools.fail%[1]d({}).catch((e) => e.code + typeof e.message))`, i))
		require.Equal(t, "stringio_errorstring", res.Text)
	}
}

// However the output of a script is cut, something of a line that is longer than the limits is shown, and where the rest is.
func TestOneLongLine(t *testing.T) {
	for _, strategy := range []truncation.Strategy{
		truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars, truncation.Middle,
		truncation.MiddleLines, truncation.HeadTailLines, truncation.Digest, truncation.JSON,
	} {
		s := newSuite(t, config.Config{MaxBytes: 1024}, script.Options{Strategy: strategy}, nil)
		for _, code := range []string{`return "x".repeat(5000)`, `console.log("x".repeat(5000))`} {
			res := run(t, s, code)
			require.Greater(t, strings.Count(res.Text, "x"), 250, "%s, %s: %s", strategy, code, res.Text)
			require.Contains(t, res.Text, "Full output: ", "%s, %s", strategy, code)
		}
	}
}
