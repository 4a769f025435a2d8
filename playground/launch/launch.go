// Package launch writes the commands that pages, texts and the terminal show,
// so that their reader can run them: each begins with the command that started
// the program, and one that starts it again repeats the flags that it was
// given. The package does not look for the program itself, and it must get no
// flag with a secret: a page would show it. Texts are quoted for a shell, and
// the package is pure.
package launch

import (
	"slices"
	"strings"
)

// Name is the command that starts an installed program.
const Name = "mrtr-playground"

// Package is the argument of go install and go run.
const Package = "github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground"

// Program is this program as the reader of a command can start it. The zero value is
// one that the reader installs, which is all that the visitors of a site have.
type Program struct {
	Start string // what begins a command, as a shell reads it; empty for Name
	File  string // absolute path; empty if no file of the program remains after it ends
	Flags []Flag // of serve, as they were given, without secrets
}

// Flag is a flag of serve. One without a value is a switch.
type Flag struct{ Name, Value string }

// Command returns the command that runs the program with words, as a shell reads them.
func (p Program) Command(words string) string {
	start := p.Start
	if start == "" {
		start = Name
	}
	if words == "" {
		return start
	}
	return start + " " + words
}

// Serve returns the command that starts serve with the flags of p.
func (p Program) Serve() string { return p.Command(p.words(nil)) }

// With returns p with one more flag.
func (p Program) With(name, value string) Program {
	p.Flags = append(slices.Clone(p.Flags), Flag{name, value})
	return p
}

// Only returns the command with those flags of p that another command has, too.
func (p Program) Only(command string, names ...string) string {
	words := p.words(names)
	if words != "" {
		command += " " + words
	}
	return p.Command(command)
}

// words returns the flags as a shell reads them; all if names is nil.
func (p Program) words(names []string) string {
	var words []string
	for _, f := range p.Flags {
		if names != nil && !slices.Contains(names, f.Name) {
			continue
		}
		words = append(words, "-"+f.Name)
		if f.Value != "" {
			words = append(words, Quote(f.Value))
		}
	}
	return strings.Join(words, " ")
}

// Quote returns a word as a shell reads it.
func Quote(word string) string {
	if word == "" || strings.ContainsFunc(word, isSpecial) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// isSpecial reports whether a shell may read a character as something else.
func isSpecial(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') &&
		!strings.ContainsRune("-_./:,=@%+", r)
}
