package stdio

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Words splits the text of a command into words as a POSIX shell does: at white
// space, with single quotes, double quotes and backslashes. Nothing is expanded. What
// only a shell can do, such as a pipe or a variable, is an error unless it is quoted.
// On Windows, where paths have backslashes, these are characters like others, except
// before a double quote: there \" is a quote and \\ is a backslash, as in the command
// line of a program.
func Words(command string) ([]string, error) { return split(command, onWindows) }

// Quote returns words as Words splits them.
func Quote(words []string) string { return join(words, onWindows) }

const onWindows = runtime.GOOS == "windows"

// join is Quote on a system.
func join(words []string, windows bool) string {
	special, quote := " \t\r\n'\"$|&;<>()*?~`#", `'"'"'`
	if !windows {
		special, quote = special+`\`, `'\''`
	}
	quoted := slices.Clone(words)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, special) {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", quote) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// split is Words on a system.
func split(command string, windows bool) ([]string, error) {
	if strings.ContainsRune(command, 0) {
		return nil, errors.New("the command contains a NUL byte")
	}
	s := splitter{rest: command, windows: windows}
	for s.rest != "" && s.err == nil {
		s.step()
	}
	switch {
	case s.err != nil:
		return nil, s.err
	case s.quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", s.quote)
	}
	s.end()
	if len(s.words) == 0 || s.words[0] == "" {
		return nil, errors.New("the command is empty")
	}
	if variable.MatchString(s.words[0]) {
		use := "use env " + s.words[0] + " …"
		if windows {
			use = "set the variable before you start this program"
		}
		return nil, fmt.Errorf("no shell runs the command, so %s would be its name: %s", s.words[0], use)
	}
	return s.words, nil
}

// variable matches what sets a variable of the environment before a command of a shell.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// splitter is the state of Words.
type splitter struct {
	rest  string
	words []string
	word  strings.Builder
	begun bool // a word has begun, which may be empty
	quote byte // the open quotation mark, or 0
	err   error

	windows bool
}

// step reads one character, or a backslash with the one that it quotes.
func (s *splitter) step() {
	c := s.rest[0]
	s.rest = s.rest[1:]
	switch {
	case s.quote == '\'' && c != '\'':
		s.word.WriteByte(c)
	case c == s.quote:
		s.quote = 0
	case c == '\\' && s.windows:
		s.backslashes()
	case c == '\\':
		s.escape()
	case c == '$' || c == '`', s.quote == 0 && strings.IndexByte("|&;<>()", c) >= 0:
		shell := "sh -c"
		if s.windows {
			shell = "cmd /c"
		}
		s.err = fmt.Errorf(
			"no shell runs the command, so %c has no effect: quote it, or use %s '…'", c, shell)
	case s.quote != 0:
		s.word.WriteByte(c)
	case c == '\'' || c == '"':
		s.quote, s.begun = c, true
	case strings.IndexByte(" \t\r\n", c) >= 0:
		s.end()
	default:
		s.word.WriteByte(c)
		s.begun = true
	}
}

// escape reads what follows a backslash. In double quotes it quotes a few characters
// only.
func (s *splitter) escape() {
	if s.rest == "" {
		s.err = errors.New("the command ends with a backslash")
		return
	}
	c := s.rest[0]
	if s.quote == '"' && strings.IndexByte("$`\"\\\n", c) < 0 {
		s.word.WriteByte('\\')
		return
	}
	s.rest, s.begun = s.rest[1:], true
	if c != '\n' { // a line that continues
		s.word.WriteByte(c)
	}
}

// backslashes reads a backslash and those that follow it, on Windows. Before a double
// quote, two are one of the word, and one that is left quotes it.
func (s *splitter) backslashes() {
	after := strings.TrimLeft(s.rest, `\`)
	n := 1 + len(s.rest) - len(after)
	s.rest, s.begun = after, true
	if strings.HasPrefix(after, `"`) {
		if n%2 == 1 {
			defer s.word.WriteByte('"')
			s.rest = after[1:]
		}
		n /= 2
	}
	s.word.WriteString(strings.Repeat(`\`, n))
}

// end ends a word.
func (s *splitter) end() {
	if s.begun {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.begun = false
}
