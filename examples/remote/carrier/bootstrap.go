package carrier

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// script runs on the far side, in any POSIX shell and with busybox. It prints the system, reads
// the checksum and the size of a program, reads the program if it is missing, and executes it.
// It is one line without single quotes, backslashes and exclamation marks, so that every login
// shell passes it on. The program's directory belongs to the user, so that nobody else can put
// another program there. The script removes programs that were not used for a month.
const script = `umask 077; say() { echo "` + mark + `$*"; }; fail() { say "fail $*"; exit 1; }; ` +
	`sum() { set -- $( { sha256sum <"$1" || shasum -a 256 <"$1"; } 2>/dev/null ); echo "$1"; }; ` +
	`say "system $(uname -sm)"; read -r want size || exit 1; ` +
	`for d in "${XDG_CACHE_HOME:-${HOME:-/dev/null}/.cache}/spillway" "${TMPDIR:-/tmp}/spillway-$(id -u)"; do ` +
	`mkdir -p "$d" 2>/dev/null && [ -O "$d" ] && [ -w "$d" ] && { [ -L "$d" ] || break; }; d=; done; ` +
	`[ -n "$d" ] || fail "no directory can be written to, ` +
	`neither the cache in the home directory nor the temporary one"; ` +
	`f=$d/spillway-$want; t=$f.$$; if [ "$(sum "$f" 2>/dev/null)" = "$want" ]; then say have; touch "$f"; else ` +
	`say need; head -c "$size" >"$t"; ` +
	`if [ "$(sum "$t")" = "$want" ] && chmod 700 "$t" && mv -f "$t" "$f"; then say have; ` +
	`else rm -f "$t"; fail "the program did not arrive whole in $d, or neither sha256sum nor shasum is there"; fi; fi; ` +
	`find "$d" -name "spillway-*" -mtime +30 -exec rm -f {} + 2>/dev/null; ` +
	`"$f" -version >/dev/null || fail "the program does not run in $d"; ` +
	`set --; while IFS= read -r a && [ -n "$a" ]; do set -- "$@" "$a"; done; say start; exec "$f" "$@"`

// mark begins the lines of the script. A login shell may print other lines.
const mark = "spillway-carrier: "

// maxLoginOutput is how many bytes a login shell may print before each of those lines.
const maxLoginOutput = 64 << 10

// systems and machines map the names of uname to Go's.
var (
	systems  = map[string]string{"Linux": "linux", "Darwin": "darwin"}
	machines = map[string]string{
		"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64", "i686": "386", "i386": "386",
		"armv7l": "arm", "armv6l": "arm", "riscv64": "riscv64", "ppc64le": "ppc64le", "s390x": "s390x",
		"loongarch64": "loong64",
	}
)

// bootstrap tells the script what to run, and sends it the program if it is missing.
func bootstrap(p *pipe, options Options, args []string) error {
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, "\n\x00") {
			return fmt.Errorf("the argument %q is empty or has a line break", arg)
		}
	}
	system, err := reply(p, "system ")
	if err != nil {
		return err
	}
	name, machine, _ := strings.Cut(system, " ")
	goos, goarch := systems[name], machines[machine]
	if goos == "" || goarch == "" {
		return fmt.Errorf("no program is known for the system %q", system)
	}
	if options.Binary == nil {
		return errors.New("Options.Binary is needed to start the program there")
	}
	path, err := options.Binary(goos, goarch)
	if err != nil {
		return fmt.Errorf("the program for %s/%s: %w", goos, goarch, err)
	}
	binary, err := os.Open(path)
	if err != nil {
		return err
	}
	defer binary.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, binary)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(p.in, "%x %d\n", sum.Sum(nil), size); err != nil {
		return err
	}
	state, err := reply(p, "")
	if err == nil && state == "need" {
		if _, err = binary.Seek(0, io.SeekStart); err == nil {
			_, err = io.CopyN(p.in, binary, size)
		}
		if err != nil {
			return err
		}
		state, err = reply(p, "")
	}
	if err != nil {
		return err
	}
	if state != "have" {
		return fmt.Errorf("the far side said %q", state)
	}
	if _, err := fmt.Fprintf(p.in, "%s\n\n", strings.Join(args, "\n")); err != nil {
		return err
	}
	_, err = reply(p, "start")
	return err
}

// reply reads up to the end of the script's next line, which must begin with what is expected,
// and returns the rest of that line.
func reply(p *pipe, expected string) (string, error) {
	var line []byte
	one := make([]byte, 1)
	for range maxLoginOutput {
		if _, err := io.ReadFull(p, one); err != nil {
			return "", fmt.Errorf("the far side ended before the program was started: %w", err)
		}
		if one[0] != '\n' {
			line = append(line, one[0])
			continue
		}
		text := strings.TrimSuffix(string(line), "\r")
		line = line[:0]
		said, ok := strings.CutPrefix(text, mark)
		if !ok {
			continue
		}
		if why, failed := strings.CutPrefix(said, "fail "); failed {
			return "", errors.New(why)
		}
		if rest, ok := strings.CutPrefix(said, expected); ok {
			return rest, nil
		}
		return "", fmt.Errorf("the far side said %q", said)
	}
	return "", errors.New(
		"the far side prints too much before the program is started; make its login shell silent")
}
