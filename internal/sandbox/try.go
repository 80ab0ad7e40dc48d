package sandbox

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/netns"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/workspace"
)

// probeScript fails where it cannot write to its own files, and where it can do anything that it must not. OUTSIDE is
// a directory, PORT that of a server; each may be empty. In bash it starts no other process, which takes as long as the
// rest. The status is read at once: bash seeks back after each line that it reads, and would miss lines when a number
// grows meanwhile.
const probeScript = `
fail() { echo "$1"; exit 1; }
echo >"$TMPDIR/` + probeFile + `" || fail "nothing can be written to the private temporary directory"
status=$(</proc/self/status)
case ${status:-$(cat /proc/self/status)} in *NoNewPrivs:?0*) filtered= ;; *Seccomp:?2*) filtered=yes ;; esac
[ "$filtered" ] || fail "system calls are not filtered"
[ -z "$OUTSIDE" ] || ! { echo >"$OUTSIDE/written"; } 2>/dev/null || fail "a file outside could be written"
[ -z "$PORT$BASH_VERSION" ] || ! { true 3<>"/dev/tcp/127.0.0.1/$PORT"; } 2>/dev/null ||
	fail "a server outside could be reached"
exit 0`

// probeFile is what probeScript leaves in the private temporary directory.
const probeFile = ".probe"

// try tries a sandbox by a script that fails where it is not confined: the error says how. temp is the sandbox's
// private temporary directory, writable what a command may write to beside it, and network whether it has one. run
// runs the script in the sandbox with that environment, and returns what it printed.
func try(temp string, writable []string, network bool, run func(script string, env []string) (string, error)) error {
	outside, err := os.MkdirTemp("", "spillway-probe-")
	if err == nil {
		outside, err = filepath.EvalSymlinks(outside)
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(outside)
	env := []string{"PATH=" + program.Path(), "TMPDIR=" + temp, "OUTSIDE=", "PORT="}
	if !slices.ContainsFunc(writable, func(root string) bool { return workspace.Within(root, outside) }) {
		env[2] += outside
	}
	if !network {
		if server, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
			defer server.Close()
			env[3] += fmt.Sprint(server.Addr().(*net.TCPAddr).Port)
		}
	}
	said, err := run(probeScript, env)
	if said == "" || err == nil {
		return err
	}
	return fmt.Errorf("%s%s", said, namespaceAdvice(said))
}

// namespaceAdvice says what may keep bwrap from making namespaces.
func namespaceAdvice(said string) string {
	if !strings.Contains(said, "bwrap: ") {
		return ""
	}
	advice := " (see kernel.unprivileged_userns_clone, user.max_user_namespaces and, with AppArmor, " +
		"kernel.apparmor_restrict_unprivileged_userns; in a container, its filter of system calls and its masks of /proc)"
	name, value := netns.Refusing()
	switch {
	case name == "":
		return advice
	case strings.Contains(name, "apparmor"):
		return fmt.Sprintf(" (%s is %s: give bwrap an AppArmor profile that allows userns)", name, value)
	}
	return fmt.Sprintf(" (%s is %s)", name, value)
}

// refusals are what programs say when the system refuses them something that a sandbox may
// be the reason for.
var refusals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)permission ?denied|not permitted|EACCES|EPERM|EROFS|read-only file system|` +
		`device or resource busy|network is unreachable|ENETUNREACH|could not resolve|name resolution|EAI_AGAIN|` +
		`name or service not known|no such host|no new privileges|cross-device link|bad system call`)
})

var readOnlyRefusals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)EROFS|EBUSY|EXDEV|read-only file system|device or resource busy|` +
		`cross-device link`)
})

// RefusedReadOnly reports whether a program says in its output what the system says of a path that is mounted
// read-only, or is a mount point.
func RefusedReadOnly(output string) bool { return readOnlyRefusals().MatchString(output) }

// isRefusal reports whether a program says in its output that the system refused it something for which a sandbox may
// be the reason.
func isRefusal(output string) bool { return refusals().MatchString(output) }
