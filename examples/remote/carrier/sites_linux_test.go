package carrier_test

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/examples/remote/carrier"
	"github.com/spillway-go/spillway/internal/testkit"
)

// site is somewhere that tools work: how it is reached, and how the test looks at it.
type site struct {
	on      string          // with a directory at the end
	options carrier.Options // without Binary
	dir     string          // the same directory, for the test
	cache   string          // where the program is put, for the test
}

// lacking skips a test that needs what this machine does not have; where the carriers must be
// there, it fails.
func lacking(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("REMOTE_TESTS") == "required" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

func write(t testing.TB, path, data string, mode os.FileMode) string {
	t.Helper()
	testkit.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	testkit.NoError(t, os.WriteFile(path, []byte(data), mode))
	return path
}

func run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// sshHost is this machine behind OpenSSH's server, with keys and configuration of its own.
// What it starts has a home directory of its own, and a login shell that greets.
func sshHost(t testing.TB) site {
	sshd := "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		lacking(t, "there is no OpenSSH server (Debian: openssh-server)")
	}
	me, err := user.Current()
	testkit.NoError(t, err)
	if strings.Contains(read(t, "/etc/passwd"), ":"+me.HomeDir+":/usr/sbin/nologin\n") {
		t.Skipf("%s may not log in", me.Username)
	}
	dir := t.TempDir()
	for _, key := range []string{"host", "user"} {
		run(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key))
	}
	public, err := os.ReadFile(filepath.Join(dir, "user.pub"))
	testkit.NoError(t, err)
	write(t, filepath.Join(dir, "authorized"), string(public), 0o600)
	if me.Uid == "0" {
		os.MkdirAll("/run/sshd", 0o755) // where the server gives up its rights
	}
	home := filepath.Join(dir, "home")
	host := site{dir: filepath.Join(dir, "src"), cache: filepath.Join(home, ".cache/spillway")}
	for _, d := range []string{home, host.dir} {
		testkit.NoError(t, os.Mkdir(d, 0o700))
	}
	for range 5 { // another process may take the port first
		l, err := net.Listen("tcp", "127.0.0.1:0")
		testkit.NoError(t, err)
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		config := write(t, filepath.Join(dir, "sshd_config"), fmt.Sprintf("ListenAddress 127.0.0.1\nPort %d\nHostKey %s/host\nAuthorizedKeysFile %[2]s/authorized\n"+
			"PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nSetEnv HOME=%s XDG_CACHE_HOME=\n"+
			"ForceCommand echo Welcome to this machine; $SSH_ORIGINAL_COMMAND\n", port, dir, home), 0o600)
		config = write(t, config, strings.ReplaceAll(read(t, config), "; $SSH_ORIGINAL_COMMAND", "; eval \"$SSH_ORIGINAL_COMMAND\""), 0o600)
		log := &lineWatch{want: "Server listening", seen: make(chan bool, 1)}
		server := exec.Command(sshd, "-D", "-e", "-f", config)
		server.Stderr, server.WaitDelay = log, time.Second // its sessions have it too
		testkit.NoError(t, server.Start())
		ended := make(chan error, 1)
		go func() { ended <- server.Wait() }()
		select {
		case <-log.seen:
			t.Cleanup(func() { server.Process.Kill(); <-ended })
			host.on = fmt.Sprintf("ssh://%s@127.0.0.1:%d%s", me.Username, port, host.dir)
			host.options.Program = []string{"ssh", "-F", "none", "-i", filepath.Join(dir, "user"), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=" + filepath.Join(dir, "known"), "-o", "BatchMode=yes", "-o", "LogLevel=ERROR"}
			return host
		case err := <-ended:
			t.Logf("sshd: %v\n%s", err, log.all.String())
		}
	}
	t.Fatal("the OpenSSH server does not start")
	return host
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	testkit.NoError(t, err)
	return string(data)
}

// lineWatch tells when a text was written.
type lineWatch struct {
	want string
	seen chan bool
	all  bytes.Buffer
}

func (w *lineWatch) Write(p []byte) (int, error) {
	before := strings.Contains(w.all.String(), w.want)
	w.all.Write(p)
	if !before && strings.Contains(w.all.String(), w.want) {
		w.seen <- true
	}
	return len(p), nil
}

// container is one of runc's, with nothing in it but a static busybox.
func container(t testing.TB) site {
	if _, err := exec.LookPath("runc"); err != nil {
		lacking(t, "there is no runc")
	}
	if os.Getuid() != 0 {
		t.Skip("runc needs rights here")
	}
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		lacking(t, "there is no busybox (Debian: busybox-static)")
	}
	if program, err := elf.Open(busybox); err != nil || slices.ContainsFunc(program.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		lacking(t, "%s is not linked statically (Debian: busybox-static)", busybox)
	}
	bundle := t.TempDir()
	root := filepath.Join(bundle, "rootfs")
	for _, dir := range []string{"bin", "proc", "dev", "sys", "tmp", "src", "root"} {
		testkit.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	// A file that this program wrote cannot be started while what another test starts is between fork and exec.
	run(t, "install", "-m", "755", busybox, filepath.Join(root, "bin/busybox"))
	run(t, "chroot", root, "/bin/busybox", "--install", "-s", "/bin")
	write(t, filepath.Join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n", 0o644)
	run(t, "runc", "spec", "--bundle", bundle)
	var spec map[string]any
	testkit.NoError(t, json.Unmarshal([]byte(read(t, filepath.Join(bundle, "config.json"))), &spec))
	process := spec["process"].(map[string]any)
	process["terminal"], process["args"] = false, []string{"sleep", "1000000"}
	spec["root"] = map[string]any{"path": "rootfs", "readonly": false}
	config, err := json.Marshal(spec)
	testkit.NoError(t, err)
	write(t, filepath.Join(bundle, "config.json"), string(config), 0o600)
	name := fmt.Sprintf("spillway-%d", os.Getpid())
	state := filepath.Join(bundle, "state")
	start := exec.Command("runc", "--root", state, "run", "--detach", "--bundle", bundle, name)
	log, err := os.Create(filepath.Join(bundle, "log")) // the container keeps it open: a pipe would never end
	testkit.NoError(t, err)
	defer log.Close()
	start.Stdout, start.Stderr = log, log
	if err := start.Run(); err != nil {
		lacking(t, "runc starts no container here: %v\n%s", err, read(t, log.Name()))
	}
	t.Cleanup(func() { run(t, "runc", "--root", state, "delete", "--force", name) })
	return site{
		on: "runc://" + name + "/src", options: carrier.Options{Program: []string{"runc", "--root", state}},
		dir: filepath.Join(root, "src"), cache: filepath.Join(root, "root/.cache/spillway"),
	}
}

// stub is this machine behind a program that does what kubectl exec does with its input, its
// output and its end: what it started is left running, with its pipes open.
func stub(t testing.TB) site {
	home := t.TempDir()
	dir := filepath.Join(home, "src")
	testkit.NoError(t, os.Mkdir(dir, 0o700))
	return site{
		on: "kubectl://namespace/pod" + dir, options: carrier.Options{Program: []string{"env", "HOME=" + home, "XDG_CACHE_HOME=", stubVariable + "=1", os.Args[0]}},
		dir: dir, cache: filepath.Join(home, ".cache/spillway"),
	}
}
