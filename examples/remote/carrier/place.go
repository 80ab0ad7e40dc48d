package carrier

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// place is where tools run.
type place struct {
	argv       []string // starts a server, or a shell that runs script
	dir        string   // the workspace there
	bootstraps bool     // argv starts the shell
}

// engines are programs that run a command in a container, with the arguments for that.
var engines = map[string][]string{
	"docker": {"exec", "-i"}, "podman": {"exec", "-i"}, "nerdctl": {"exec", "-i"}, "runc": {"exec"},
}

// parse parses the argument of Connect. program replaces the command of the carrier.
func parse(on string, program []string) (place, error) {
	scheme, _, ok := strings.Cut(on, "://")
	if !ok || strings.ContainsAny(scheme, " /") {
		if argv := strings.Fields(on); len(argv) > 0 {
			return place{argv: argv}, nil
		}
		return place{}, errors.New("carrier: nowhere to connect to; " +
			"give ssh://host/dir, docker://container/dir, kubectl://namespace/pod/dir or a command")
	}
	u, err := url.Parse(on)
	if err != nil {
		return place{}, fmt.Errorf("carrier: %w", err)
	}
	if len(program) == 0 {
		program = []string{scheme}
	}
	at := place{bootstraps: true, dir: u.Path}
	refuse := func(why string) (place, error) {
		return place{}, fmt.Errorf("carrier: %s: %s", u.Redacted(), why)
	}
	name := u.Hostname()
	if name == "" || strings.HasPrefix(name, "-") {
		return refuse("a name is missing after ://, or begins with a dash")
	}
	if strings.ContainsAny(u.Path, "\n\r\x00") {
		return refuse("a directory cannot have line breaks in its name")
	}
	switch scheme {
	case "ssh":
		if _, secret := u.User.Password(); secret {
			return refuse("ssh takes no password from a command line; use a key")
		}
		// Commands there must not use the keys and the display here.
		at.argv = slices.Concat(program, []string{"-a", "-x", "-T", "-o", "ClearAllForwardings=yes"})
		if user := u.User.Username(); user != "" {
			at.argv = append(at.argv, "-l", user)
		}
		if port := u.Port(); port != "" {
			at.argv = append(at.argv, "-p", port)
		}
		at.argv = append(at.argv, "--", name, "exec sh -c '"+script+"'")
		if home, ok := strings.CutPrefix(at.dir, "/~"); ok && (home == "" || home[0] == '/') {
			at.dir = strings.TrimPrefix(home, "/") // where ssh starts
		}
	case "kubectl":
		pod, dir, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
		if pod == "" || strings.HasPrefix(pod, "-") {
			return refuse("the name of a pod is missing, as in kubectl://namespace/pod/dir")
		}
		at.argv = slices.Concat(program, []string{"exec", "-i", "--namespace", name, pod})
		if container := u.Query().Get("container"); container != "" {
			at.argv = append(at.argv, "--container="+container)
		}
		at.argv = append(at.argv, "--", "sh", "-c", script)
		if at.dir = "/" + dir; dir == "" {
			at.dir = ""
		}
	default:
		how, known := engines[scheme]
		if !known {
			return refuse("only ssh, docker, podman, nerdctl, runc and kubectl are known; " +
				"write out the command for any other")
		}
		at.argv = slices.Concat(program, how, []string{name, "sh", "-c", script})
	}
	if at.dir == "" {
		at.dir = "."
	}
	return at, nil
}
