package checkpoint_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// commands are command lines in which $a and $b are paths, and $t is a text.
var commands = []string{
	`echo $t > "$a"`, `echo $t >> "$a"`, `printf $t > "$a"`, `rm -f "$a"`, `rm -rf "$a"`, `mv -fT "$a" "$b"`,
	`mv -f "$a" "$b"`,
	`ln -sfn "$b" "$a"`, `ln -fT "$a" "$b"`, `cp -aT "$a" "$b"`, `cp -r "$a" "$b"`, `cp -lr "$a" "$b"`,
	`cp -f "$a" "$b"`,
	`mkdir -p "$a"`, `rmdir "$a"`, `rm -rf "$a"; mkdir "$a"; echo $t > "$a/a"`, `rm -rf "$a"; echo $t > "$a"`,
	`chmod u=rwX,go= "$a"`, `chmod u+x "$a"`, `chmod 4755 "$a"`, `chmod -R g-w,o-r "$a"`, `chmod a=rX "$a"`,
	`umask 077; echo $t > "$a"`,
	`sed -i "s/1/$t/" "$a"`, `sort -o "$a" "$a"`, `find . -name x -delete`,
	`find "$a" -type f -exec sh -c 'echo $t >> "$1"' - {} \;`,
	`truncate -s 100000 "$a"`, `truncate -s 3 "$a"`, `truncate -s 0 "$a"`,
	`dd if=/dev/zero of="$a" bs=1 seek=50000 count=1 conv=notrunc`,
	`touch "$a"`, `touch -d @0 "$a"`, `touch -d "2 days" "$a"`, `touch -h -d "2 days" "$a"`,
	`touch -d "2 days" "$a"; echo $t > "$a"; touch -d "2 days ago" "$a"`,
	// With the size and the times of before:
	`touch -r "$a" .k; tr 0-4 1-40 < "$a" > .l; cat .l > "$a"; touch -r .k "$a"; rm .k .l`,
	`touch -r "$a" .k; tr 0-4 1-40 < "$a" > .l; touch -r .k .l; mv -fT .l "$a"; rm -f .k .l`,
	`tar cf .tar "$a" && rm -rf "$a" && tar xf .tar; rm -f .tar`, `mkfifo fifo$t`, `rm -f fifo$t`, `mv fifo$t fifo4`,
	`exec 3<>"$a"; echo $t >&3`, `yes $t | head -c 9000 > "$a"`,
}

// names are what $a and $b stand for: with case twins, and some that are not UTF-8.
var names = []string{
	"a", "A", "dir", "dir/a", "dir/A", "dir/sub", "dir/sub/x", "dir/sub/y", "Dir",
	"dir b/y", "dir-b", "z/z/z", "-n", "\xff\xfe", "dir/\xe4", "new\nline", "x.o",
}

// command runs a random command line, or writes to a file that it maps, and returns what it did.
func (p *place) command(r *rand.Rand) string {
	a, b := "./"+names[r.IntN(len(names))], "./"+names[r.IntN(len(names))]
	text := fmt.Sprint(r.IntN(5))
	if r.IntN(2) == 0 {
		os.MkdirAll(filepath.Dir(p.path(a)), 0o755)
		os.MkdirAll(filepath.Dir(p.path(b)), 0o755)
	}
	if r.IntN(20) == 0 {
		mapped(p.path(a), text)
		return "map " + a
	}
	line := commands[r.IntN(len(commands))]
	sh := exec.Command("sh", "-c", line)
	sh.Dir = p.dir
	sh.Env = append(os.Environ(), "a="+a, "b="+b, "t="+text)
	sh.Run() // some fail, and what they have changed counts all the same
	return strings.NewReplacer("$a", a, "$b", b, "$t", text).Replace(line)
}

// mapped writes to a file through memory.
func mapped(name, text string) {
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() < int64(len(text)) || !info.Mode().IsRegular() {
		return
	}
	data, err := unix.Mmap(int(f.Fd()), 0, len(text), unix.PROT_WRITE|unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return
	}
	copy(data, text)
	unix.Munmap(data)
}

// TestCommands rewinds what a thousand command lines have done, and compares with copies of all.
func TestCommands(t *testing.T) {
	testkit.Raced(t)
	need.Program(t, "sh", "tar", "truncate")
	testkit.IsolateGit(t)
	for seed := range uint64(testkit.Few(24)) {
		r := rand.New(rand.NewPCG(seed, 4))
		p := newPlace(t)
		for range 15 {
			p.command(r)
		}
		git := seed%2 == 1
		if git {
			p.repository()
		}
		p.track(nil)
		p.rounds(r, git, p.command)
	}
}
