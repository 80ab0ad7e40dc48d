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
func versionCommand(*flag.FlagSet) runner {
	return func(args []string, out io.Writer) error {
		if err := noArguments(args); err != nil {
			return err
		}
		info, _ := debug.ReadBuildInfo()
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
