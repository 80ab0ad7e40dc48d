package readonly_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These run the programs of this machine: what Check calls harmless must not change anything, and what the table
// says of a harmful option must be true.

// parts are the programs that are part of another one.
var parts = map[string]string{
	"egrep": "grep", "fgrep": "grep", "zcat": "gzip", "gunzip": "gzip", "tar": "gzip", "zipinfo": "unzip",
	"yq":  "jq python3",
	"git": "git basename sed sh uname git-submodule git-sh-setup git-sh-i18n gettext envsubst", "docker": "docker",
	"bzcat": "bzip2", "gawk": "gawk", "lsblk": "lsblk",
	"pip": "bash readlink dirname basename", // where pyenv finds it
}

// tempted are names that programs may run: pagers, editors, compressors, shells.
var tempted = strings.Fields(`sh dash less more pager most cat pr ls vi vim nano ed emacs gpg ssh rsh man diff sort tput
	gzip xz bzip2 zstd lzma compress uncompress hostname getent logger mail sendmail git-lfs python3 perl jq systemctl`)

// recorded runs a line while other programs, in front of those of PATH, note that they are run. It returns which.
func (p *place) recorded(t *testing.T, name, line string) (did, out string, err error) {
	t.Helper()
	path, record := filepath.Join(t.TempDir(), "bin"), filepath.Join(t.TempDir(), "record")
	require.NoError(t, os.Mkdir(path, 0o777))
	script := filepath.Join(path, ".script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"$0\" >>"+record+"\n"), 0o777))
	for _, n := range tempted {
		if n != name && !strings.Contains(" "+parts[name]+" ", " "+n+" ") {
			require.NoError(t, os.Symlink(script, filepath.Join(path, n)))
		}
	}
	out, err = p.run(line, nil, "PATH="+path+":"+os.Getenv("PATH"))
	ran, _ := os.ReadFile(record)
	return string(ran), out, err
}

// traced are the calls of the kernel that run or change something.
const traced = "execve,execveat,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir," +
	"link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat," +
	"truncate,connect,kill"

// traced runs a line under strace, and returns what it should not have done.
func (p *place) traced(t *testing.T, name, line string) (did, out string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace")
	out, err = p.run(line, []string{"strace", "-f", "-qq", "-o", file, "-e", "trace=" + traced})
	text, readErr := os.ReadFile(file)
	require.NoError(t, readErr)
	return witness(name, string(text)), out, err
}

func hasStrace() bool { return exec.Command("strace", "-f", "-o", "/dev/null", "true").Run() == nil }

var (
	opened  = regexp.MustCompile(`open(?:at)?\((?:AT_FDCWD, |\d+, )?"([^"]*)", [^)]*O_(?:WRONLY|RDWR|CREAT|TRUNC)`)
	started = regexp.MustCompile(`execve\("([^"]*)"[^)]*\).* = 0`)
	mutated = regexp.MustCompile(`^(?:\d+ +)?(unlink|rename|mkdir|rmdir|link|symlink|mknod|f?chmod|[fl]?chown|utimensat` +
		`|truncate|creat|kill)`)
	refused = regexp.MustCompile(`(?i)usage|unrecogni[sz]ed|invalid option|syntax error|unknown option|wasn.t expected`)
)

// witness returns what a trace shows that a command should not have done.
func witness(name, trace string) (did string) {
	own := 0
	for line := range strings.Lines(trace) {
		failed := strings.Contains(line, " = -1 ")
		if m := opened.FindStringSubmatch(line); m != nil && !failed && !strings.HasPrefix(m[1], "/dev/") &&
			!strings.HasSuffix(m[1], ".git/index.lock") {
			did += line
		}
		if m := started.FindStringSubmatch(line); m != nil {
			base := filepath.Base(m[1])
			switch {
			case base == "bash" && own == 0:
			case name == "pip" && (strings.HasPrefix(base, "pyenv") || strings.HasPrefix(base, "python")):
			case base == name || strings.Contains(" "+parts[name]+" ", " "+base+" "):
			default:
				did += line
			}
			own++
		}
		if mutated.MatchString(line) && !failed && !strings.Contains(line, "index.lock") {
			did += line
		}
		if strings.Contains(line, "connect(") && strings.Contains(line, "AF_INET") {
			did += line
		}
	}
	return did
}

// inShell are commands of the table that bash runs itself.
var inShell = strings.Fields("[[ command set cd exit type :")

func installed(name string) bool {
	for _, n := range inShell {
		if n == name {
			return true
		}
	}
	_, err := exec.LookPath(name)
	return err == nil
}

func TestHarmlessInReality(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs hundreds of programs")
	}
	p := newPlace(t)
	trace := hasStrace()
	if !trace {
		t.Log("no strace: only what is left behind shows, and programs that are found by PATH")
	}
	missing := map[string]bool{}
	before := p.state(t)
	for _, r := range append(rows(t, "testdata/commands.txt"), rows(t, "testdata/reported.txt")...) {
		name, _, _ := strings.Cut(r.command, " ")
		if r.verdict != "yes" && r.verdict != "yes?" {
			continue
		}
		if !installed(name) {
			missing[name] = true
			continue
		}
		var did, out string
		var err error
		if trace {
			did, out, err = p.traced(t, name, r.command)
		} else {
			did, out, err = p.recorded(t, name, r.command)
		}
		assert.Empty(t, did, "%s:\n%s", r.command, did)
		if changed := difference(before, p.state(t)); changed != nil {
			t.Fatalf("%s: %s", r.command, strings.Join(changed, "\n"))
		}
		// A line that the program does not take shows nothing.
		if err != nil && r.verdict == "yes" && refused.MatchString(out) {
			t.Errorf("%s: %v: %s", r.command, err, out)
		}
	}
	for name := range missing {
		t.Log("not installed: ", name)
	}
}

// nasty are values of variables that would do harm in the wrong place.
var nasty = []string{
	"-o new", "--output=new", "-onew", "-i", "-delete", "new", "-v", "-v a[$(./run.sh)]", "a[$(./run.sh)]", "-x ./run.sh",
	"--pre=./run.sh", "-exec ./run.sh ;", "$(./run.sh)", "-C . -o new", "w new", "-s 2020-01-01", "%n PATH",
}

// TestUnknownInReality runs the lines that are harmless with words that are not known, with words that are nasty.
func TestUnknownInReality(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs hundreds of programs")
	}
	p := newPlace(t)
	before := p.state(t)
	for _, r := range rows(t, "testdata/commands.txt") {
		name, _, _ := strings.Cut(r.command, " ")
		if !strings.HasPrefix(r.verdict, "yes") || r.verdict == "yes-" || !variable.MatchString(r.command) || !installed(name) {
			continue
		}
		for _, value := range nasty {
			var env []string
			for _, v := range variables {
				env = append(env, v+"="+value)
			}
			out, _ := p.run(r.command+" </dev/null", nil, env...)
			if changed := difference(before, p.state(t)); changed != nil {
				t.Fatalf("%s with %s: %s: %s", r.command, value, strings.Join(changed, "\n"), out)
			}
		}
	}
}

var (
	variable  = regexp.MustCompile(`\$[a-z]`)
	variables = strings.Fields("file files dir n from to x pattern name archive path ref program options sep script log")
)

// TestWitness checks that a trace shows what commands do.
func TestWitness(t *testing.T) {
	if testing.Short() || !hasStrace() {
		t.Skip("no strace")
	}
	p := newPlace(t)
	for _, line := range []string{"echo a >new", "env true", "rm b.txt", "touch a.txt", "mkdir x", "chmod 700 a.txt"} {
		name, _, _ := strings.Cut(line, " ")
		if did, out, _ := p.traced(t, name, line); did == "" {
			t.Errorf("%s: nothing is seen: %s", line, out)
		}
	}
}

// TestHarmfulInReality proves what the table says of options: that they write, or run what they are told to.
func TestHarmfulInReality(t *testing.T) {
	proofs := map[string]row{}
	for _, r := range rows(t, "testdata/harmful.txt") {
		proofs[r.verdict] = r
	}
	like := newPlace(t)
	for _, l := range readonly.Table() {
		if l.Does == "" {
			continue
		}
		key := l.Command + " " + l.Option
		proof, ok := proofs[key]
		delete(proofs, key)
		if !ok {
			t.Errorf("%s (%s) has no proof", key, l.Does)
		} else if proof.command != "-" {
			t.Run(key, func(t *testing.T) { prove(t, like, proof.command, strings.TrimPrefix(proof.why, "-")) })
		}
	}
	for key := range proofs {
		t.Errorf("%s is not in the table", key)
	}
}

// prove runs a command that Check must not take for harmless, and demands that it changes something.
func prove(t *testing.T, like *place, line, setup string) {
	if readonly.Check(words(line)) == "" || readonly.CheckNetwork(words(line)) == "" {
		t.Errorf("%s is taken for harmless", line)
	}
	if name, _, _ := strings.Cut(line, " "); !installed(name) {
		t.Skip("not installed: ", name)
	}
	if testing.Short() || testkit.Race {
		return
	}
	p := like.copy(t)
	if out, err := p.run(setup, nil); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before := p.state(t)
	exports := ""
	for part := range strings.SplitSeq(setup, "; ") {
		if strings.HasPrefix(part, "export ") || strings.HasPrefix(part, "PATH=") || strings.HasPrefix(part, "exec ") {
			exports += part + "; "
		}
	}
	out, err := p.run(exports+line, nil)
	switch {
	case difference(before, p.state(t)) != nil:
	case os.Geteuid() != 0 && strings.Contains(out, "Operation not permitted"):
		t.Skip("needs root: ", out)
	case refused.MatchString(out):
		t.Skip("another version: ", out)
	default:
		t.Errorf("%s changes nothing: %v: %s", line, err, out)
	}
}

var (
	helpGNU = regexp.MustCompile(`(?m)^ +(?:(-[A-Za-z0-9])(?:, +| ))?(--[a-z][a-z0-9-]+)(\[=|=| <|\[<)?`)
	helpGit = regexp.MustCompile(`(?m)^ +(?:(-[A-Za-z0-9]), )?(--(?:\[no-\])?[a-z][a-z0-9-]+)(\[=| <|\[<)?`)
)

// TestTakes compares with what programs say of themselves: an option that takes a value, and of which the table does
// not know it, would swallow a "--", and what follows would not be operands.
func TestTakes(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs programs")
	}
	p := newPlace(t)
	takes := map[string]map[string]string{}
	for _, l := range readonly.Table() {
		if l.Does == "" {
			if takes[l.Command] == nil {
				takes[l.Command] = map[string]string{}
			}
			takes[l.Command][l.Option] = l.Takes
		}
	}
	compared := 0
	for command, options := range takes {
		name, _, _ := strings.Cut(command, " ")
		if name == "fd" {
			name, command = "fdfind", "fdfind"
		}
		if name == "awk" || name == "find" || name == "npm" {
			continue
		}
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		help, pattern := " --help", helpGNU
		if name == "git" {
			help, pattern = " -h", helpGit
		}
		out, _ := p.run(command+help, nil)
		for _, m := range pattern.FindAllStringSubmatch(out, -1) {
			says := map[string]string{"": "flag", "=": "value", " <": "value", "[=": "optional", "[<": "optional"}[m[3]]
			for _, o := range []string{m[1], strings.Replace(m[2], "[no-]", "", 1)} {
				if table, ok := options[o]; o != "" && ok {
					// sort has two lines for --check, and git takes the --merged behind which nothing is.
					known := o == "--check" || o == "-C" || strings.HasSuffix(o, "merged")
					if compared++; table != says && says == "value" && !known {
						t.Errorf("%s %s: the table says %s, it says %s: %s", command, o, table, says, m[0])
					}
				}
			}
		}
	}
	if t.Log(compared, "options compared"); compared < 300 {
		t.Error("too few")
	}
}
