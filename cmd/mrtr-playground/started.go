package main

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
)

// self is this program as its user started it. Only main sets it: what runs the tests is
// another program.
var self launch.Program

// started returns the program that was started as arg0, whose file is at path. version is
// that of its module, empty in a work tree, and dirs are those of PATH.
func started(arg0, path, version string, dirs []string) launch.Program {
	shell := launch.ShellOf(runtime.GOOS)
	p := launch.Program{Shell: shell, Start: shell.Program(arg0), File: path}
	switch slashed := filepath.ToSlash(path); {
	case ofPackage.MatchString(slashed):
		p.Start = "npx " + launch.Name
		return p
	case builtByRun.MatchString(slashed) && version == "":
		return launch.Program{Shell: shell, Start: "go run ./cmd/mrtr-playground"}
	case builtByRun.MatchString(slashed):
		return launch.Program{Shell: shell, Start: "go run " + launch.Package + "@" + version}
	}
	base := filepath.Base(arg0)
	for _, dir := range dirs {
		if found, err := os.Stat(filepath.Join(dir, base)); err == nil { // a shell starts the first
			if own, err := os.Stat(path); err == nil && os.SameFile(found, own) {
				p.Start = shell.Quote(strings.TrimSuffix(base, ".exe"))
			}
			break
		}
	}
	return p
}

// builtByRun matches the path of a program that go run built, in a directory that it
// removes or in its cache.
var builtByRun = regexp.MustCompile(`/go-build\d+/.*/exe/[^/]*$|/[0-9a-f]{2}/[0-9a-f]{64}-d/[^/]*$`)

// ofPackage matches the path of a program in the npm package of its platform, which npx
// starts wherever it is installed.
var ofPackage = regexp.MustCompile(`/node_modules/@mrtr-playground/[a-z0-9-]+/[^/]*$`)

// program returns the program with the flags that it was started with.
func (o options) program() launch.Program {
	p := self
	p.Flags = o.given
	return p
}

// given returns the flags of a command in args, which have nothing else, with
// the secrets in them masked.
func given(command string, args []string) []launch.Flag {
	rows := rowsOf(command)
	var list []launch.Flag
	for len(args) > 0 {
		name, value, has := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		args = args[1:]
		i := slices.IndexFunc(rows, func(r flagRow) bool { return r.name == name })
		if i < 0 { // what ends the flags
			break
		}
		if rows[i].isSwitch() {
			if on, err := strconv.ParseBool(value); has && err == nil && !on {
				continue
			}
			value = ""
		} else if !has && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		list = append(list, launch.Flag{Name: name, Value: maskFlag(rows[i], value)})
	}
	return list
}

// maskFlag returns the value of a flag as a page may show it.
func maskFlag(r flagRow, value string) string {
	if r.kind == repeatedCommand {
		if words, err := stdio.Words(value); err == nil {
			return lines.NameOf(words)
		}
		return value
	}
	u, err := url.Parse(value)
	if !strings.Contains(value, "://") || err == nil && u.User == nil && u.RawQuery == "" {
		return value
	}
	scheme, _, _ := strings.Cut(value, "://")
	return scheme + "://…" // a user name, a query or an unreadable URL may have a password
}
