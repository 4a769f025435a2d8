package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFlags_PageIsTheTable: the page has each flag of each command, and each variable. With
// -update, it is written.
func TestFlags_PageIsTheTable(t *testing.T) {
	const head = "| flag | meaning | default | variable |\n|---|---|---|---|\n"
	var b strings.Builder
	b.WriteString("# Flags\n\n" +
		"The flags of each command, which may stand before and after its other words. A flag that has a " +
		"variable is set by it unless the command line has the flag; of one that may be repeated, both " +
		"count. The values in a variable have white space between them, commands have a line each. " +
		"`mrtr-playground help COMMAND` prints the same, and [Limits](limits.md) has the names of " +
		"`-limit`.\n")
	for _, command := range commandNames() {
		fmt.Fprintf(&b, "\n## %s\n\n%s", command, head)
		for _, r := range rowsOf(command) {
			cells := []string{inCode(r.label()), r.sentence() + r.more, r.usual(), inCode(r.env)}
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
		if command == "flow run" {
			b.WriteString("\n`flow check` has the flags of `check`.\n")
		}
	}
	b.WriteString("\n## Variables without a flag\n\n| variable | meaning | commands |\n|---|---|---|\n")
	for _, v := range variables {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", v.name, v.help, strings.Join(v.in, ", "))
	}
	golden(t, "../../../.deploy/flags.md", b.String())
}

// inCode returns a text as code in a table of Markdown.
func inCode(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// TestFlags_DocumentsNameKnownOnes: the commands in the documents, lessons and files to
// install have only flags of their command, and other code there only flags and variables
// that exist.
func TestFlags_DocumentsNameKnownOnes(t *testing.T) {
	variables, read := knownVariables(), 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`MRTR_[A-Z_]+`).FindAllString(string(text), -1) {
			if !slices.Contains(variables, name) {
				t.Errorf("%s: there is no variable %s", path, name)
			}
		}
		for _, name := range codeFlag.FindAllStringSubmatch(string(text), -1) {
			if !isFlag(name[1]) {
				t.Errorf("%s: there is no flag -%s", path, name[1])
			}
		}
		for _, line := range commandLines(string(text)) {
			read++
			flags := rowsOf(line[0])
			for _, word := range line[1:] {
				name, _, _ := strings.Cut(strings.TrimPrefix(word, "-"), "=")
				known := func(r flagRow) bool { return r.name == name }
				if strings.HasPrefix(word, "-") && !slices.ContainsFunc(flags, known) {
					t.Errorf("%s: %s has no flag %s", path, line[0], word)
				}
			}
		}
	}
	if read < 20 {
		t.Errorf("only %d commands were read", read)
	}
}

// codeFlag matches code that is a flag.
var codeFlag = regexp.MustCompile("`-([a-z][a-z-]*)[^`]*`")

// documents returns the texts of the project that name flags.
func documents(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	list := []string{filepath.Join(root, "README.md"), filepath.Join(root, "Dockerfile"),
		filepath.Join(root, ".github", "SECURITY.md")}
	for _, dir := range []string{".deploy", "playground/lesson/content"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				list = append(list, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// commandLines returns the commands in a text that start this program: the name of each,
// and its words up to those of another command.
func commandLines(text string) [][]string {
	var list [][]string
	text = strings.ReplaceAll(text, "\\\n", " ")
	for _, found := range startsProgram.FindAllStringSubmatch(text, -1) {
		line, _, _ := strings.Cut(found[1], " -- ")
		words := regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`).FindAllString(line, -1)
		verb := min(2, len(words))
		switch two := strings.Join(words[:verb], " "); {
		case two == "flow check":
			words = append([]string{"check"}, words[verb:]...)
		case len(rowsOf(two)) > 0:
			words = append([]string{two}, words[verb:]...)
		case strings.HasPrefix(two, "-"):
			words = append([]string{"serve"}, words...)
		case helpTexts[words[0]] == "":
			continue // the name of a user or a server
		}
		list = append(list, words)
	}
	return list
}

// startsProgram matches a command of a document, which ends with its line, its code or its
// part of a pipe.
var startsProgram = regexp.MustCompile("\\bmrtr-playground (-?[a-z][^\n`#|>&;]+)")
