package tools

import (
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/workspace"
)

// noHiddenFile is the HiddenFile of a suite without such files.
const noHiddenFile = "-"

// hideFiles keeps the tools from seeing what Hidden and HiddenFile hide.
func hideFiles(cfg config.Config, ws *workspace.Workspace, spills string) error {
	name := cfg.HiddenFile
	if name == noHiddenFile {
		name = ""
	}
	if strings.ContainsAny(name, "/\\\x00") || name == "." || name == ".." {
		return refuse(&cfg, "HiddenFile", show(name), "the name of a file, without a directory, or -")
	}
	if name == "" && len(cfg.Hidden) == 0 {
		return nil
	}
	files, err := hidden.New(ws.Dir(), spills, cfg.Hidden, name)
	if err != nil {
		return refuse(&cfg, "Hidden", show(strings.Join(cfg.Hidden, ", ")), err.Error())
	}
	ws.Hide(files.Look)
	return nil
}
