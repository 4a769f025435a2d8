package main

import (
	"cmp"
	"runtime/debug"
)

// stamp is set by the linker for releases. "go install" leaves it empty.
var stamp string

// version is the stamp, or the version that the go command recorded for a
// module, such as v1.2.3. It is "dev" if neither is known.
var version = cmp.Or(stamp, moduleVersion(), "dev")

// moduleVersion returns the version of the main module, or "" if it was built in
// a work tree.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}

// revision returns the commit that the program was built from, with "+dirty" for
// a changed work tree, or "" if it is not known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var commit, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + dirty
}
