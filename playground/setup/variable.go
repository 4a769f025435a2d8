package setup

import (
	"regexp"
	"slices"
	"strings"
)

// variables are the ways in which clients write a variable: ${NAME}, ${env:NAME},
// ${NAME:-default}, ${input:id}, {env:NAME} and $NAME.
var variables = regexp.MustCompile(
	`\$\{([^{}]{1,200})\}|\{(env:[A-Za-z_][A-Za-z0-9_]{0,99})\}|\$([A-Za-z_][A-Za-z0-9_]{0,99})`)

// envName is a name of a variable of the environment.
var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// newVariable reads a variable as it is written.
func newVariable(written string) Variable {
	v := Variable{Text: written}
	inner := strings.TrimSuffix(strings.TrimLeft(written, "${"), "}")
	inner, v.Default, _ = strings.Cut(inner, ":-")
	switch kind, name, found := strings.Cut(inner, ":"); {
	case !found:
		v.Name, v.Known = inner, envName.MatchString(inner) && !slices.Contains(editorNames, inner)
	case kind == "env":
		v.Name, v.Known = name, envName.MatchString(name)
	case kind == "input" || kind == "promptString":
		v.Name, v.Input, v.Known = name, true, true
	default:
		v.Name = inner
	}
	return v
}

// editorNames are variables of editors, which have no value outside of them.
var editorNames = []string{
	"workspaceFolder", "userHome", "workspaceFolderBasename", "pathSeparator", "file", "cwd",
}

// Variables returns the variables of a text, each once.
func Variables(value string) []Variable {
	var list []Variable
	for _, written := range variables.FindAllString(value, -1) {
		v := newVariable(written)
		if !slices.ContainsFunc(list, func(o Variable) bool { return o.Text == v.Text }) {
			list = append(list, v)
		}
	}
	return list
}

// Fill returns a text with the values of its variables, by the way they are written. It
// returns false if one is missing. A value is not read for variables again.
func Fill(value string, values map[string]string) (filled string, whole bool) {
	whole = true
	filled = variables.ReplaceAllStringFunc(value, func(written string) string {
		v, ok := values[written]
		if !ok {
			whole = false
		}
		return v
	})
	return filled, whole
}
