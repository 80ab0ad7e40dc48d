package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// release is the version of a release, which its linker sets.
var release string

// versionCommand is spillway version.
func versionCommand(flags *flag.FlagSet) runner {
	asJSON := flags.Bool("json", false, "print it as JSON")
	return func(args []string, out io.Writer) error {
		if err := noArguments(args); err != nil {
			return err
		}
		info, _ := debug.ReadBuildInfo()
		if *asJSON {
			return printJSON(out, jsonVersion(release, info))
		}
		fmt.Fprintf(out, "spillway %s%s, %s, %s/%s\n",
			versionOf(release, info), commitOf(release, info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	}
}

// version is that of the build, as the server tells its clients.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(release, info)
}

// versionOf is the version of a release; else that which go install was given, or which Go
// makes of a checkout's tag and commit.
func versionOf(release string, info *debug.BuildInfo) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	return cmp.Or(release, info.Main.Version, "(devel)")
}

// built is the version as -json prints it.
type built struct {
	Format  int    `json:"format"`
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Changed bool   `json:"changed,omitempty"` // there were changes that were not committed
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func jsonVersion(release string, info *debug.BuildInfo) built {
	b := built{
		Format: jsonFormat, Version: versionOf(release, info), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	if info != nil {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				b.Changed = s.Value == "true"
			}
		}
	}
	return b
}

// commitOf is the commit of a release, which its version does not name, and whether there
// were changes.
func commitOf(release string, info *debug.BuildInfo) (text string) {
	if release == "" || info == nil {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text = ", commit " + s.Value[:min(12, len(s.Value))] + text
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	return text
}
