package readonly_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/readonly"
)

// These run the programs of this machine: what Check calls harmless must not change anything, and what the table
// says of a harmful option must be true.

// place is a directory for commands, with a home and a directory for temporary files.
type place struct {
	root, tree, home string
	env              []string
}

// makeTree is a script that fills a directory. What is not installed is not there.
const makeTree = `
	printf 'package a\n1 x\n22 y\n' >a.txt; printf 'b\n' >b.txt; printf 'c\n' >-o.txt
	mkdir sub; printf 'package c\n' >sub/c.go; ln -s a.txt link
	echo '{"a": 1}' >data.json; echo 'a: 1' >data.yaml; echo . >script.jq
	printf '#!/bin/sh\necho ran >ran.txt\ncat >/dev/null\n' >run.sh; chmod +x run.sh
	tar cf a.tar a.txt sub; tar czf a.tar.gz a.txt; zip -q a.zip a.txt
	gzip -k a.txt; xz -k a.txt; bzip2 -k a.txt
	if git init -q; then
		git config user.name x; git config user.email x@x; git config commit.gpgsign false
		git remote add origin ./nowhere
		git add a.txt b.txt sub; git commit -qm 'a commit'; git tag v1; git branch other
		printf 'd\n' >>b.txt; git stash -q; printf 'e\n' >>b.txt
	fi 2>/dev/null
	true`

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{root: t.TempDir()}
	p.tree, p.home = filepath.Join(p.root, "tree"), filepath.Join(p.root, "home")
	for _, dir := range []string{p.tree, p.home, filepath.Join(p.root, "tmp")} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p.env = []string{
		"HOME=" + p.home, "TMPDIR=" + filepath.Join(p.root, "tmp"), "PATH=" + os.Getenv("PATH"), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "TERM=dumb",
		// Values for the variables of the table.
		"file=a.txt", "files=a.txt b.txt", "dir=sub", "n=2", "from=a", "to=b", "x=1", "pattern=package", "name=c.go",
		"archive=a.tar", "path=a.txt", "ref=HEAD", "program=1", "options=-n", "sep=:",
	}
	if out, err := p.run(makeTree, nil); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

// run runs a line by bash, for ten seconds and 5 of the processor's, and then all that it started is killed.
func (p *place) run(line string, wrap []string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	bash := "ulimit -t 5 -f 20000; exec \"$@\""
	args := append([]string{"-c", bash, "bash"}, append(wrap, "bash", "--norc", "-c", line)...)
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir, cmd.Env = p.tree, append(p.env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return out.String(), err
}

// state describes every file of a place: name, mode, times and content.
func (p *place) state(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, dir := range []string{"tree", "home", "tmp"} {
		err := filepath.WalkDir(filepath.Join(p.root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			var content [32]byte
			if info.Mode().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				content = sha256.Sum256(data)
			}
			name := strings.TrimPrefix(path, p.root+"/")
			switch name {
			case "tree/.git/index": // git refreshes the times that it notes in there
				return nil
			case "tree/.git": // and makes a lock file for that
				state[name] = info.Mode().String()
				return nil
			}
			state[name] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), fmt.Sprintf("%x", content[:6]))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return state
}

// difference names what is not as it was.
func difference(before, after map[string]string) (changed []string) {
	for name := range before {
		if after[name] != before[name] {
			changed = append(changed, name+": "+before[name]+" is now "+after[name])
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			changed = append(changed, name+" is new")
		}
	}
	return changed
}

// parts are the programs that are part of another one.
var parts = map[string]string{
	"egrep": "grep", "fgrep": "grep", "zcat": "gzip", "gunzip": "gzip", "tar": "gzip", "zipinfo": "unzip", "yq": "jq python3",
	"git": "git basename sed sh uname git-submodule git-sh-setup git-sh-i18n gettext envsubst", "docker": "docker",
	"bzcat": "bzip2", "gawk": "gawk", "lsblk": "lsblk",
}

// tempted are names that programs may run: pagers, editors, compressors, shells.
var tempted = strings.Fields(`sh dash less more pager most cat pr ls vi vim nano ed emacs gpg ssh rsh man diff sort tput
	gzip xz bzip2 zstd lzma compress uncompress hostname getent logger mail sendmail git-lfs python3 perl jq systemctl`)

// recorders makes a directory of programs that note that they were run, for a command that has name.
func (p *place) recorders(t *testing.T, name string) (path, record string) {
	t.Helper()
	path, record = filepath.Join(t.TempDir(), "bin"), filepath.Join(t.TempDir(), "record")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(path, ".script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0\" >>"+record+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, n := range tempted {
		if n != name && !strings.Contains(" "+parts[name]+" ", " "+n+" ") {
			if err := os.Symlink(script, filepath.Join(path, n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return path, record
}

// traced are the calls of the kernel that run or change something.
const traced = "execve,execveat,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat," +
	"symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat,truncate,connect,kill"

func hasStrace() bool { return exec.Command("strace", "-f", "-o", "/dev/null", "true").Run() == nil }

var (
	opened  = regexp.MustCompile(`open(?:at)?\((?:AT_FDCWD, |\d+, )?"([^"]*)", [^)]*O_(?:WRONLY|RDWR|CREAT|TRUNC)`)
	started = regexp.MustCompile(`execve\("([^"]*)"[^)]*\).* = 0`)
	mutated = regexp.MustCompile(`^(?:\d+ +)?(unlink|rename|mkdir|rmdir|link|symlink|mknod|f?l?chmod|f?l?chown|utimensat|truncate|creat|kill)`)
)

// witness returns what a trace shows that a command should not have done.
func witness(name, trace string) (did []string) {
	own := 0
	for line := range strings.Lines(trace) {
		failed := strings.Contains(line, " = -1 ")
		if m := opened.FindStringSubmatch(line); m != nil && !failed && !strings.HasPrefix(m[1], "/dev/") &&
			!strings.HasSuffix(m[1], ".git/index.lock") {
			did = append(did, line)
		}
		if m := started.FindStringSubmatch(line); m != nil {
			base := filepath.Base(m[1])
			switch {
			case base == "bash" && own == 0:
			case base == name || strings.Contains(" "+parts[name]+" ", " "+base+" "):
			default:
				did = append(did, line)
			}
			own++
		}
		if mutated.MatchString(line) && !failed && !strings.Contains(line, "index.lock") {
			did = append(did, line)
		}
		if strings.Contains(line, "connect(") && strings.Contains(line, "AF_INET") {
			did = append(did, line)
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
	if testing.Short() {
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
		path, record := p.recorders(t, name)
		out, err := p.run(r.command, nil, "PATH="+path+":"+os.Getenv("PATH"))
		if ran, err := os.ReadFile(record); err == nil {
			t.Errorf("%s: ran %s", r.command, ran)
		}
		if changed := difference(before, p.state(t)); changed != nil {
			t.Fatalf("%s: %s", r.command, strings.Join(changed, "\n"))
		}
		// A line that the program does not take shows nothing.
		if err != nil && r.verdict == "yes" && regexp.MustCompile(`(?i)usage|unrecogni[sz]ed|invalid option|syntax error|unknown option`).MatchString(out) {
			t.Errorf("%s: %v: %s", r.command, err, out)
		}
		if trace {
			file := filepath.Join(t.TempDir(), "trace")
			p.run(r.command, []string{"strace", "-f", "-qq", "-o", file, "-e", "trace=" + traced})
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if did := witness(name, string(text)); did != nil {
				t.Errorf("%s:\n%s", r.command, strings.Join(did, ""))
			}
		}
	}
	for name := range missing {
		t.Log("not installed: ", name)
	}
}

// TestWitness checks that a trace shows what commands do.
func TestWitness(t *testing.T) {
	if !hasStrace() {
		t.Skip("no strace")
	}
	p := newPlace(t)
	for _, line := range []string{"echo a >new", "env true", "rm b.txt", "touch a.txt", "mkdir x", "chmod 700 a.txt"} {
		file := filepath.Join(t.TempDir(), "trace")
		p.run(line, []string{"strace", "-f", "-qq", "-o", file, "-e", "trace=" + traced})
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(line, " ")
		if witness(name, string(text)) == nil {
			t.Errorf("%s: nothing is seen in %s", line, text)
		}
	}
}

// TestHarmfulInReality proves what the table says of options: that they write, or run what they are told to.
func TestHarmfulInReality(t *testing.T) {
	proofs := map[string]row{}
	for _, r := range rows(t, "testdata/harmful.txt") {
		proofs[r.verdict] = r
	}
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
			t.Run(key, func(t *testing.T) { prove(t, proof.command, strings.TrimPrefix(proof.why, "-")) })
		}
	}
	for key := range proofs {
		t.Errorf("%s is not in the table", key)
	}
}

// prove runs a command that Check must not take for harmless, and demands that it changes something.
func prove(t *testing.T, line, setup string) {
	if readonly.Check(words(line)) == "" {
		t.Errorf("%s is taken for harmless", line)
	}
	if name, _, _ := strings.Cut(line, " "); !installed(name) {
		t.Skip("not installed: ", name)
	}
	if testing.Short() {
		return
	}
	p := newPlace(t)
	// A copy before the setup would also show what that changes.
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
	if difference(before, p.state(t)) == nil {
		t.Errorf("%s changes nothing: %v: %s", line, err, out)
	}
}
