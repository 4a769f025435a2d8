package doctor

import "strings"

// specification is where the pages of the specification are.
const specification = "https://modelcontextprotocol.io/specification/2026-07-28/"

// Link returns the address of a clause: a page and an anchor of the specification, or an RFC
// and its section. It is empty for no clause.
func Link(clause string) string {
	number, isRFC := strings.CutPrefix(clause, "RFC ")
	switch {
	case clause == "":
		return ""
	case !isRFC:
		return specification + clause
	}
	number, section, _ := strings.Cut(number, ", section ")
	link := "https://www.rfc-editor.org/rfc/rfc" + number
	if section != "" {
		link += "#section-" + section
	}
	return link
}
