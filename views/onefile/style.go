package onefile

import (
	"regexp"
	"strings"
)

// used are the names that the elements of a page have: tags, classes as ".name" and
// attributes as "[name".
type used map[string]bool

// sheet returns the rules of a style sheet that can apply to a page, without comments
// and unneeded white space. A selector is left out if it names a tag, a class or an
// attribute that no element has. What :is, :where, :has and :not name does not count.
func (u used) sheet(css string) string {
	var b strings.Builder
	u.rules(&b, stripComments(css))
	return b.String()
}

// rules writes the rules of css that can apply.
func (u used) rules(b *strings.Builder, css string) {
	for css != "" {
		open := outside(css, '{', ';')
		if open < 0 {
			return
		}
		head := squeeze(css[:open])
		if css[open] == ';' { // a statement, such as @charset
			css = css[open+1:]
			continue
		}
		end := closing(css, open)
		body := css[open+1 : end]
		css = css[min(end+1, len(css)):]
		switch {
		case strings.HasPrefix(head, "@media"), strings.HasPrefix(head, "@supports"),
			strings.HasPrefix(head, "@container"):
			var inner strings.Builder
			if u.rules(&inner, body); inner.Len() > 0 {
				b.WriteString(head + "{" + inner.String() + "}")
			}
		case strings.HasPrefix(head, "@"):
			b.WriteString(head + "{" + squeeze(body) + "}")
		default:
			if head = u.selectors(head); head != "" {
				b.WriteString(head + "{" + squeeze(body) + "}")
			}
		}
	}
}

// selectors returns those of a list that can match, or "".
func (u used) selectors(list string) string {
	var kept []string
	for list != "" {
		one, rest := list, ""
		if i := outside(list, ',', ','); i >= 0 {
			one, rest = list[:i], list[i+1:]
		}
		if one = strings.TrimSpace(one); u.matches(one) {
			kept = append(kept, one)
		}
		list = rest
	}
	return strings.Join(kept, ",")
}

// name is a tag, a class, an id or an attribute of a selector, or a pseudo-class.
var name = regexp.MustCompile(`::?[a-zA-Z-]+|[.#]?[a-zA-Z][\w-]*|\[[\w-]+[^\]]*\]`)

// attribute is the beginning of a selector of an attribute.
var attribute = regexp.MustCompile(`^\[[\w-]+`)

// matches reports whether every name of a selector is used.
func (u used) matches(selector string) bool {
	for _, n := range name.FindAllString(withoutGroups(selector), -1) {
		switch n[0] {
		case ':':
			continue
		case '[':
			n = attribute.FindString(n)
		}
		if !u[n] {
			return false
		}
	}
	return true
}

// withoutGroups returns a selector without what stands in parentheses.
func withoutGroups(selector string) string {
	var b strings.Builder
	depth := 0
	for _, r := range selector {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// outside returns the index of the first of two bytes that stands in no parentheses,
// brackets and quotes, or -1.
func outside(css string, a, b byte) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(css); i++ {
		c := css[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth == 0 && (c == a || c == b):
			return i
		}
	}
	return -1
}

// closing returns the index of the brace that closes the one at open, or the length.
func closing(css string, open int) int {
	depth, at := 0, open
	for at < len(css) {
		i := outside(css[at:], '{', '}')
		if i < 0 {
			return len(css)
		}
		at += i
		if css[at] == '{' {
			depth++
		} else if depth--; depth == 0 {
			return at
		}
		at++
	}
	return len(css)
}

// stripComments returns a style sheet without comments. No string of ours has one.
func stripComments(css string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(css, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, css, _ = strings.Cut(after, "*/")
	}
}

// squeeze returns a part of a style sheet with every run of white space as one space.
func squeeze(css string) string {
	css = strings.Join(strings.Fields(css), " ")
	return strings.TrimSuffix(strings.NewReplacer("; ", ";", ": ", ":").Replace(css), ";")
}
