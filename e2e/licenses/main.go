// Command licenses prints the licenses of everything that the program contains,
// as .deploy/THIRD_PARTY_LICENSES has them: a list, then every text. It reads the
// modules of the build, so it needs no network once the program was built.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	text, err := licenses(".")
	if err == nil {
		_, err = os.Stdout.WriteString(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// part is something that the program contains.
type part struct {
	name, version string
	license       string // SPDX identifiers
	text          string // of the license and of notices; empty if there is none to repeat
}

// others are the parts that are no modules. The version of htmx is in the name of
// its file.
var others = []part{
	{name: "SQLite", version: "as in github.com/mattn/go-sqlite3", license: "blessing", text: `The author
disclaims copyright to the source code of SQLite: https://sqlite.org/copyright.html
`},
	{name: "GNU C Library", version: "of the system that builds, in the static binaries",
		license: "LGPL-2.1-or-later", text: `The static binaries are linked with it. To link
them with another version, run "make static" in the source of this version of the program:
https://github.com/mrtr-playground/mrtr-playground. The source of the library and its license are at
https://sourceware.org/glibc/.
`},
}

// licenses returns the licenses of the program whose module is at root.
func licenses(root string) (string, error) {
	parts, err := modules(root)
	if err != nil {
		return "", err
	}
	parts = append(parts, others...)
	for _, one := range []struct{ name, pattern, license string }{
		{"Go", filepath.Join(goRoot(root), "LICENSE"), "BSD-3-Clause"},
		{"htmx", filepath.Join(root, "static/vendor/htmx-LICENSE.txt"), "0BSD"},
	} {
		text, err := os.ReadFile(one.pattern)
		if err != nil {
			return "", err
		}
		parts = append(parts, part{name: one.name, license: one.license, text: string(text)})
	}
	var out strings.Builder
	out.WriteString("MRTR Playground contains these works of others.\n\n")
	for _, p := range parts {
		fmt.Fprintf(&out, "%s\n", strings.Join(strings.Fields(p.name+" "+p.version+" "+p.license), " "))
	}
	for _, p := range parts {
		rule := strings.Repeat("=", 80)
		fmt.Fprintf(&out, "\n%s\n%s\n%s\n\n%s\n", rule, p.name, rule, strings.TrimSpace(p.text))
	}
	return out.String(), nil
}

// goRoot returns the directory of Go.
func goRoot(root string) string {
	command := exec.Command("go", "env", "GOROOT")
	command.Dir = root
	out, _ := command.Output() // without it, no license is found there
	return strings.TrimSpace(string(out))
}

// modules returns the modules that the program is built from, but for its own,
// by name.
func modules(root string) ([]part, error) {
	command := exec.Command("go", "list", "-deps", "-json=Module", "-tags", "netgo,osusergo",
		"./cmd/mrtr-playground")
	command.Dir = root
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1")
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list modules: %w", err)
	}
	found := map[string]part{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("list modules: %w", err)
		}
		m := p.Module
		if m == nil || m.Main || found[m.Path].name != "" {
			continue
		}
		one := part{name: m.Path, version: m.Version}
		if one.license, one.text, err = read(m.Dir); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		found[m.Path] = one
	}
	var list []part
	for _, p := range found {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// licenseFile is the name of a file with a license or a notice.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense)(\.(txt|md))?$`)

// read returns the licenses in a directory, and their texts with the notices.
func read(dir string) (names, texts string, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", "", err
	}
	var found []string
	for _, f := range files {
		if f.IsDir() || !licenseFile.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return "", "", err
		}
		texts += string(text) + "\n"
		if !strings.HasPrefix(strings.ToLower(f.Name()), "notice") {
			found = append(found, classify(string(text))...)
		}
	}
	if len(found) == 0 {
		return "", "", errors.New("no known license; look at it, then teach classify its text")
	}
	return strings.Join(found, " AND "), texts, nil
}

// marks are texts that only the license with that name has.
var marks = []struct {
	license, text string
	instead       string // another license that has the text as well
}{
	{"MIT-0", "MIT No Attribution", ""},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy of this " +
		"software and associated documentation files", "MIT-0"},
	{"Apache-2.0", "Apache License Version 2.0, January 2004", ""},
	{"MPL-2.0", "Mozilla Public License Version 2.0", ""},
	{"MPL-2.0", "Mozilla Public License, version 2.0", ""},
	{"Unlicense", "This is free and unencumbered software released into the public domain", ""},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from", ""},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms", "BSD-3-Clause"},
	{"CC-BY-4.0", "Creative Commons Attribution 4.0 International", ""},
}

// classify returns the licenses that a text has.
func classify(text string) []string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "//", " ")), " ")
	var found []string
	for _, m := range marks {
		if slices.Contains(found, m.license) || slices.Contains(found, m.instead) {
			continue
		}
		if strings.Contains(text, m.text) {
			found = append(found, m.license)
		}
	}
	return found
}
