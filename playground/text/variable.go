package text

import (
	"fmt"
	"regexp"
	"strings"
)

// variable matches ${NAME}, and $${ which stands for the characters ${ themselves.
var variable = regexp.MustCompile(`\$\$\{|\$\{([^{}]*)\}`)

// variableName matches what a variable can be called.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Expand replaces each ${NAME} in s by the value that lookup returns, and $${ by ${. The
// error names a variable without a value.
func Expand(s string, lookup func(name string) string) (string, error) {
	var failed error
	expanded := variable.ReplaceAllStringFunc(s, func(m string) string {
		if m == "$${" {
			return "${"
		}
		name := m[2 : len(m)-1]
		switch value := lookup(name); {
		case !variableName.MatchString(name):
			failed = fmt.Errorf("%s is not a variable; for the characters themselves, write $%s", m, m)
		case value == "":
			failed = fmt.Errorf("the environment variable %s is not set, or empty", name)
		default:
			return value
		}
		return m
	})
	return expanded, failed
}

// EscapeVariables returns the text that Expand turns into s.
func EscapeVariables(s string) string { return strings.ReplaceAll(s, "${", "$${") }
