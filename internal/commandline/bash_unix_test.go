//go:build unix

package commandline_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
)

// TestRun compares what bash runs with what Parse says that it runs, for texts of random tokens: each program that
// was started, with its arguments, is among the commands, unless something is unknown.
func TestRun(t *testing.T) {
	bash := newRecorder(t)
	r := rand.New(rand.NewPCG(31, seed()))
	runs, most := 0, 3000
	if testing.Short() {
		most = 150
	}
	for runs < most {
		text := randomText(r)
		if r.IntN(100) == 0 { // most random texts do not parse, and all of these do
			g := grammar{r: r, run: true}
			text = g.list(lineDepth)
		}
		line := commandline.Parse(text)
		if line.Unknown != "" || len(line.Commands) == 0 || slices.ContainsFunc(line.Commands, unknown) {
			continue
		}
		runs++
		for _, argv := range bash.run(t, text) {
			assert.True(t, slices.ContainsFunc(line.Commands, func(c commandline.Command) bool { return becomes(c.Words, argv) }), "%q runs %q\n%s", text, argv, listing(line))
		}
	}
}

// seed is that of random texts; BASH_SEED is another one.
func seed() uint64 {
	n, _ := strconv.ParseUint(os.Getenv("BASH_SEED"), 10, 64)
	return n
}

func unknown(c commandline.Command) bool { return c.Unknown != "" }

// becomes reports whether the words of a command may become these arguments.
func becomes(words []commandline.Word, argv []string) bool {
	if len(words) == 0 {
		return len(argv) == 0
	}
	w := words[0]
	if w.Many && becomes(words[1:], argv) {
		return true
	}
	tilde := w.Known && w.Text == "~" || strings.HasPrefix(w.Text, "~/")
	if len(argv) == 0 || w.Known && argv[0] != w.Text && !tilde || !strings.HasPrefix(argv[0], w.Prefix) {
		return false
	}
	return w.Many && becomes(words, argv[1:]) || becomes(words[1:], argv[1:])
}

var tokens = strings.Split(`c0|c1|c2|c3|c0 a|c1 "b c"|c2 'd'|c3 \e| | | | |`+
	"\n"+`|;|;|&&|&|(|)|{ |; }|'|"|\|`+"`"+`|$(|$(|)|<(|`+
	`$'|$"|#| #|`+
	"<<E\n|<<'E'\n|<<\"E\"\n|<<\\E\n|<<-E\n|\nE\n|\n\tE\n|E|<<<|>|>o|<|>&|2>&1|"+
	"x=|x=1|a[0]=|${x:-|${x}|${x%|${x/|}|$x|$((|))|((|[[ | ]]|"+
	"if | then | fi |else |elif |case | in |;;| esac |function f |f()|f|eval |"+
	"eval |sh -c |bash -c |env |env A=b |nice |xargs |"+
	"{a,b}|{c0,c1}|*|?|[|]|!|! |time |coproc |exec |command |builtin |echo |export |"+
	"declare |let |\\\n|\\'|\\\"|\\\\|é|$|-|=|~|@(|"+
	"for i in |;do |;done |set -- |$1|$@|trap |test |read x|,|..|cd |cd ..|true|false|"+
	"[ a|[ -n |:|shift|return|local |1|+|select i in |"+
	"c0 $(c1)|c0 `c1`|\"$(c2)\"|(c3)|&>o|>|<>o|"+
	"<(c1)|unset |export x=1|printf %s |"+
	"timeout 1 |stdbuf -oL |nohup |setsid |-- |-c |-i |A=b ", "|")

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(14) {
		token := tokens[r.IntN(len(tokens))]
		if b.WriteString(token); r.IntN(3) == 0 {
			b.WriteByte(' ')
		}
	}
	if r.IntN(6) == 0 {
		return "if c0; then " + b.String() + "; fi"
	}
	return b.String()
}

// recorder runs bash where programs do nothing but to note their names and arguments.
type recorder struct{ programs, dir, log string }

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	r := &recorder{t.TempDir(), t.TempDir(), t.TempDir()}
	script := "#!/bin/sh\n{ printf '%s\\037' \"${0##*/}\" \"$@\"; } >> \"$RECORDS/$$\"\n"
	for i := range 12 {
		require.NoError(t, os.WriteFile(filepath.Join(r.programs, fmt.Sprint("c", i)), []byte(script), 0o755))
	}
	require.NoError(t, os.Symlink(bash, filepath.Join(r.programs, "bash")))
	for _, name := range []string{"sh", "env", "nice", "xargs", "timeout", "stdbuf", "nohup", "setsid", "find"} {
		if file, err := exec.LookPath(name); err == nil {
			require.NoError(t, os.Symlink(file, filepath.Join(r.programs, name)))
		}
	}
	return r
}

// run returns the names and arguments of the programs that a text starts.
func (r *recorder) run(t *testing.T, text string) (ran [][]string) {
	t.Helper()
	// What an earlier text left running notes its programs elsewhere.
	log, err := os.MkdirTemp(r.log, "")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(r.programs, "bash"), "-c", text)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + r.programs, "RECORDS=" + log, "FUNCNEST=3", "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	records := testkit.Must(t, os.ReadDir, log)
	for _, entry := range records {
		file := filepath.Join(log, entry.Name())
		content := testkit.ReadFile(t, file)
		if argv := strings.Split(content, "\x1f"); len(argv) > 1 {
			ran = append(ran, argv[:len(argv)-1])
		}
	}
	return ran
}
