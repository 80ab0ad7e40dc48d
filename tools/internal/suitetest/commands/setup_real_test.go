package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// usual returns the options that docs/bash.md gives for an environment.
func usual(t *testing.T, name string) config.Bash {
	page, err := os.ReadFile("../../../../docs/bash.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| " + name + " \\| `(.*)` \\| `(.*)` \\|$").FindSubmatch(page)
	require.NotNil(t, row, name)
	return config.Bash{Setup: string(row[1]), SetupFiles: []string{string(row[2])}}
}

// inHome is a suite whose commands have a home directory of their own.
func inHome(t *testing.T, cfg config.Bash, files map[string]string) (s *tools.Suite, home string) {
	home = t.TempDir()
	cfg.Env = []string{"HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home}
	return withSetup(t, cfg, files), home
}

// TestSetupDirenv has the real direnv load an .envrc, once it is allowed.
func TestSetupDirenv(t *testing.T) {
	t.Parallel()
	need.Proc(t)
	need.Program(t, "direnv")
	s, home := inHome(t, usual(t, "direnv"), map[string]string{
		".envrc": "export STAGE=test\nPATH_add bin\ndotenv", ".env": "GREETING='hello you'\n", "bin/file": "",
	})
	const command = `echo ${STAGE-none} $GREETING; case $PATH in "$PWD/bin:"*) echo first in PATH; esac`
	text := say(t, s, command)
	require.Contains(t, text, "none\n\n[Bash.Setup, which prepares the environment of commands, exited with code 1. ")
	require.Contains(t, text, ".envrc is blocked. Run `direnv allow`")
	require.Equal(t, "none\n", say(t, s, command))

	// The user allows it.
	const allow = "direnv allow && touch .envrc"
	user := exec.Command("sh", "-c", allow)
	user.Dir = say(t, s, "printf %s \"$PWD\"")
	user.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	out, err := user.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "test hello you\nfirst in PATH\n", say(t, s, command))
	call(t, s, "write", tools.WriteParams{Path: ".envrc", Content: "export STAGE=hostile"})
	require.Contains(t, say(t, s, command), "is blocked", "direnv asks the user again")
}

// TestSetupVenv activates a real virtual environment.
func TestSetupVenv(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	need.Program(t, "python3")
	s, _ := inHome(t, usual(t, "venv"), nil)
	require.Contains(t, say(t, s, "echo ${VIRTUAL_ENV-none}"), "none\n\n[Bash.Setup, which prepares")
	text := say(t, s, "python3 -m venv --without-pip .venv && echo made")
	require.Equal(t, "made\n", text)
	require.Equal(t, "True .venv\n", say(t, s, `python -c 'import sys, os; print(sys.prefix != sys.base_prefix, os.path.basename(sys.prefix))'`))
	require.Equal(t, "gone\n", say(t, s, `deactivate; echo ${VIRTUAL_ENV-gone}`), "its function is there")
}

// nvm is what matters of nvm.sh: functions that call each other and change PATH.
const nvm = `export NVM_DIR="$HOME/.nvm"
nvm_echo() { command printf '%s\n' "$*" 2>/dev/null; }
nvm_rc_version() { NVM_RC_VERSION=$(command head -n 1 .nvmrc | command tr -d '\r'); [ -n "$NVM_RC_VERSION" ]; }
nvm() {
  case "${1-}" in
    use) nvm_rc_version || return 3
      [ -d "$NVM_DIR/versions/$NVM_RC_VERSION" ] || { nvm_echo "N/A: version \"$NVM_RC_VERSION\" is not yet installed" >&2; return 3; }
      export PATH="$NVM_DIR/versions/$NVM_RC_VERSION/bin:$PATH" NVM_BIN="$NVM_DIR/versions/$NVM_RC_VERSION/bin" ;;
    current) nvm_echo "${NVM_BIN-none}" | command sed 's,/bin$,,; s,.*/,,' ;;
  esac
}
`

// TestSetupNVM hands on functions like those of nvm, and changes the version with .nvmrc.
func TestSetupNVM(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	s, home := inHome(t, usual(t, "nvm"), map[string]string{".nvmrc": "v20\n"})
	for _, version := range []string{"v20", "v22"} {
		bin := filepath.Join(home, ".nvm/versions", version, "bin")
		require.NoError(t, os.MkdirAll(bin, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(bin, "node"), []byte("#!/bin/sh\necho "+version+"\n"), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(home, ".nvm/nvm.sh"), []byte(nvm), 0o644))
	require.Equal(t, "v20\nv20\n", say(t, s, "node; nvm current"))
	call(t, s, "write", tools.WriteParams{Path: ".nvmrc", Content: "v22\n"})
	require.Equal(t, "v22\nv22\n", say(t, s, "node; nvm current"))
	call(t, s, "write", tools.WriteParams{Path: ".nvmrc", Content: "v18\n"})
	require.Contains(t, say(t, s, "nvm current 2>/dev/null || echo none"), `exited with code 3. Commands run without what it sets. `+
		`It printed last: "N/A: version \"v18\" is not yet installed".`)
}

// TestSetupScript sources a script of the project.
func TestSetupScript(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	s, _ := inHome(t, usual(t, "a script"), map[string]string{"env.sh": "export STAGE=test\nbuild() { echo building $1; }\n"})
	require.Equal(t, "test\nbuilding all\n", say(t, s, "echo $STAGE; build all"))
}
