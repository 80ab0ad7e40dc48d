package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// maxHosts is how many hosts the model is told before it runs a command.
const maxHosts = 20

// noProxy is what commands reach without a proxy: their own loopback.
const noProxy = "localhost,127.0.0.1,::1"

// proxyVariables returns the variables by which programs find the way out of a command's own network, without those in
// whose place Bash.Env says something else.
func proxyVariables(changes []string) (list []string) {
	said := settings(changes)
	for _, v := range outward() {
		name, _, _ := strings.Cut(v, "=")
		value, ok := said[strings.ToLower(name)]
		if !ok {
			list = append(list, v)
		} else if _, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value) // in the place of the host's, which counts less than Bash.Env
		}
	}
	// git prefers GIT_SSH_COMMAND to GIT_SSH.
	for _, name := range []string{"GIT_SSH_COMMAND", "GIT_SSH"} {
		if _, ok := said[strings.ToLower(name)]; ok || os.Getenv(name) != "" {
			return list
		}
	}
	if through := sshThrough(exec.LookPath); through != "" {
		list = append(list, "GIT_SSH_COMMAND=ssh -o ProxyCommand='"+through+"'")
	}
	return list
}

// settings returns what Bash.Env sets, by names in small letters: some programs prefer a proxy's variable in those, and
// others in capitals.
func settings(changes []string) map[string]string {
	said := map[string]string{}
	for _, v := range changes {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			value, ok = os.LookupEnv(name)
		}
		if ok {
			said[strings.ToLower(name)] = value
		}
	}
	return said
}

// outward returns the variables that name the proxy.
func outward() (list []string) {
	http, socks := fmt.Sprintf("http://127.0.0.1:%d", HTTPPort), fmt.Sprintf("socks5h://127.0.0.1:%d", SOCKSPort)
	for _, v := range [][2]string{
		{"http_proxy", http}, {"https_proxy", http}, {"all_proxy", socks}, {"no_proxy", noProxy},
	} {
		list = append(list, v[0]+"="+v[1], strings.ToUpper(v[0])+"="+v[1])
	}
	return append(list,
		// A proxy in the user's .npmrc cannot be reached.
		"npm_config_proxy="+http, "npm_config_https_proxy="+http, "npm_config_noproxy="+noProxy,
		"NODE_USE_ENV_PROXY=1", // for fetch of Node.js
		fmt.Sprintf("RSYNC_PROXY=127.0.0.1:%d", HTTPPort))
}

// sshThrough returns a command of this system that connects ssh through the proxy, or "".
func sshThrough(find func(string) (string, error)) string {
	if path, err := find("nc"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil && strings.HasSuffix(real, "nc.openbsd") {
			return fmt.Sprintf("%s -X 5 -x 127.0.0.1:%d %%h %%p", real, SOCKSPort)
		}
	}
	if _, err := find("ncat"); err == nil {
		return fmt.Sprintf("ncat --proxy-type socks5 --proxy 127.0.0.1:%d %%h %%p", SOCKSPort)
	}
	if _, err := find("socat"); err == nil {
		return fmt.Sprintf("socat - PROXY:127.0.0.1:%%h:%%p,proxyport=%d", HTTPPort)
	}
	return ""
}
