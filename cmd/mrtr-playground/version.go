package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
)

const versionHelp = `usage: mrtr-playground version

Prints the version of the program.
`

// printVersion prints the version.
func printVersion(args []string, stdout io.Writer) error {
	if err := readOnlyFlags(newFlags("version"), args, nil, stdout); errors.Is(err, errHelp) {
		return nil
	} else if err != nil {
		return err
	}
	_, err := fmt.Fprintln(stdout, "mrtr-playground", version)
	return err
}

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
