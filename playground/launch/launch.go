// Package launch writes the commands that pages, texts and the terminal show,
// so that their reader can run them: each begins with the command that started
// the program, and one that starts it again repeats the flags that it was
// given. The package does not look for the program itself, and it must get no
// flag with a secret: a page would show it. Texts are quoted for the shell of the
// program's system, and the package is pure.
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
	Shell Shell  // of its user
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
			words = append(words, p.Shell.Quote(f.Value))
		}
	}
	return strings.Join(words, " ")
}

// Shell is a kind of shell.
type Shell int

// Kinds of shells.
const (
	POSIX   Shell = iota
	Windows       // PowerShell, and cmd.exe where both read the same
)

// ShellOf returns the kind of shell of a system, such as runtime.GOOS names it.
func ShellOf(system string) Shell {
	if system == "windows" {
		return Windows
	}
	return POSIX
}

// Program returns the path of a program as the first word of a command.
func (s Shell) Program(path string) string {
	word := s.Quote(path)
	if s == Windows && word != path { // PowerShell would print it
		return "& " + word
	}
	return word
}

// Placeholder returns the name of what the user puts in its place, in quotes that keep its
// spaces.
func (s Shell) Placeholder(name string) string {
	if s == Windows {
		return `"` + name + `"`
	}
	return "'" + name + "'"
}

// Quote returns a word as the shell reads it. On Windows a word with a dollar sign or a
// backtick is for PowerShell alone.
func (s Shell) Quote(word string) string {
	plain := "-_./:,=@%+"
	if s == Windows { // a comma, @ and % are special there
		plain = `-_./:=+\`
	}
	isSpecial := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') &&
			!strings.ContainsRune(plain, r)
	}
	switch {
	case word != "" && !strings.ContainsFunc(word, isSpecial):
		return word
	case s == POSIX:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	case strings.ContainsAny(word, "$`"):
		return "'" + strings.ReplaceAll(escaped(word), "'", "''") + "'"
	}
	return `"` + escaped(word) + `"`
}

// escaped returns a word for the command line of a program of Windows, in double quotes:
// these are escaped, and backslashes before one and at the end.
func escaped(word string) string {
	var b strings.Builder
	for rest := word; rest != ""; {
		after := strings.TrimLeft(rest, `\`)
		slashes := rest[:len(rest)-len(after)]
		b.WriteString(slashes)
		if after == "" || after[0] == '"' {
			b.WriteString(slashes)
		}
		if after != "" && after[0] == '"' {
			b.WriteByte('\\')
		}
		n := min(1, len(after))
		b.WriteString(after[:n])
		rest = after[n:]
	}
	return b.String()
}
