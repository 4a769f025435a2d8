package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// commandNames returns the commands that have flags, in the order of the table.
func commandNames() []string {
	var names []string
	for _, r := range flagTable {
		for _, command := range r.in {
			if !slices.Contains(names, command) {
				names = append(names, command)
			}
		}
	}
	return names
}

// TestFlags_HelpHasEach: the help of a command has each of its flags, in the list of them,
// in its own words, or in that of a topic to which it refers.
func TestFlags_HelpHasEach(t *testing.T) {
	for _, command := range commandNames() {
		var out bytes.Buffer
		args := append(strings.Fields(command), "-help")
		if err := run(t.Context(), args, noEnv, &out, io.Discard); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		for _, r := range rowsOf(command) {
			text := out.String()
			if helpTexts[r.under] != "" {
				if !strings.Contains(text, fmt.Sprintf("%q has more", "help "+r.under)) {
					t.Errorf("the help of %s does not refer to that of %s", command, r.under)
				}
				text = helpOf(r.under)
			}
			if !regexp.MustCompile(`(^|[\s\[])-` + r.name + `\b`).MatchString(text) {
				t.Errorf("the help of %s has no -%s", command, r.name)
			}
		}
	}
}

// TestFlags_VariablesAreRead: each variable sets its flag, and the command line wins. What
// is no value of the flag is an error that names the variable.
func TestFlags_VariablesAreRead(t *testing.T) {
	for name, command := range map[string]string{
		"MRTR_PUBLIC": "serve", "MRTR_REPLICAS": "serve", "MRTR_STDIO": "serve", "MRTR_DENY": "serve",
		"MRTR_LIMITS": "mcp", "MRTR_VERBOSE": "serve",
	} {
		env := func(n string) string { return map[string]string{name: `'wrong`}[n] }
		err := run(t.Context(), []string{command}, env, io.Discard, io.Discard)
		if exitCode(err, io.Discard) != exitUsage || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	const stdio = "node a.js\n\n node b.js 'c d'\n"
	env := func(n string) string { return map[string]string{"MRTR_STDIO": stdio}[n] }
	o, err := parseOptions([]string{"-stdio", "e"}, env, io.Discard)
	if got := fmt.Sprint([][]string(o.stdio)); err != nil || got != "[[node a.js] [node b.js c d] [e]]" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestFlags_CodeNamesKnownOnes: the variables that the code names, and the flags in its
// errors, hints and commands, are in the tables.
func TestFlags_CodeNamesKnownOnes(t *testing.T) {
	known, named := knownVariables(), 0
	for path, file := range sources(t) {
		if strings.Contains(path, "/db/") || strings.Contains(path, "/sampletools/page/") {
			continue // other programs, style sheets
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(literal.Value)
			if isVariable.MatchString(text) && !ofTests.MatchString(text) && !slices.Contains(known, text) {
				t.Errorf("%s: there is no variable %s", path, text)
			}
			if strings.Contains(text, "openssl ") {
				return true
			}
			for _, found := range inSentence.FindAllStringSubmatch(text, -1) {
				if named++; found[1] != "help" && !isFlag(found[1]) {
					t.Errorf("%s: there is no flag -%s", path, found[1])
				}
			}
			return true
		})
	}
	if named < 100 {
		t.Errorf("only %d flags were found", named)
	}
}

// isVariable matches the name of a variable of this program, ofTests that of one which only
// tests read, and inSentence a flag in a text.
var (
	isVariable = regexp.MustCompile(`^MRTR_[A-Z_]+$`)
	ofTests    = regexp.MustCompile(`^MRTR_(TEST|NEED)_`)
	inSentence = regexp.MustCompile(`(?:^|[\s'"(])-([a-z][a-z-]+)[\s,;:.')]`)
)

// isFlag reports whether a command has a flag of this name.
func isFlag(name string) bool {
	return slices.ContainsFunc(flagTable, func(r flagRow) bool { return r.name == name })
}

// knownVariables returns the variables of both tables.
func knownVariables() []string {
	var names []string
	for _, r := range flagTable {
		if r.env != "" {
			names = append(names, r.env)
		}
	}
	for _, v := range variables {
		names = append(names, v.name)
	}
	return names
}
