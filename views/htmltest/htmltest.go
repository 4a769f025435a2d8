// Package htmltest checks HTML by selector and text, for tests: never by its
// spelling, so that a check means the same however a template writes an element.
//
// A check is a CSS selector, a text in double quotes, or both:
//
//	[data-round="2"][data-outcome=retry]     an element with these attributes
//	"Nothing was sent."                      a text anywhere
//	h2 "Delete 2 calls?"                     a text in such an element
//
// Texts are compared as a reader sees them: without markup, and white space counts
// as one space. Nothing in the quotes is escaped.
package htmltest

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Page is a page or a fragment of one.
type Page struct{ root *html.Node }

// Parse parses a page or a fragment, with the elements that a browser without
// scripts shows.
func Parse(text string) Page {
	root, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		panic("htmltest: read a string: " + err.Error()) // never
	}
	return Page{root}
}

// Find returns the elements that match a check, in the order of the page. It
// panics if the selector is not valid, also if it names an element that HTML does
// not have: an attribute or a text without its signs would never be found.
func (p Page) Find(check string) []*html.Node {
	selector, text := split(check)
	found := []*html.Node{p.root}
	if selector != "" {
		group, err := cascadia.ParseGroup(selector)
		if err != nil {
			panic(fmt.Sprintf("htmltest: parse %q: %v", selector, err))
		}
		for _, m := range element.FindAllStringSubmatch(attribute.ReplaceAllString(selector, ""), -1) {
			if atom.Lookup([]byte(m[1])) == 0 {
				panic(fmt.Sprintf("htmltest: %q in %q is no element", m[1], selector))
			}
		}
		found = cascadia.QueryAll(p.root, group)
	}
	return slices.DeleteFunc(found, func(n *html.Node) bool { return !strings.Contains(Text(n), text) })
}

// Has reports whether an element matches a check.
func (p Page) Has(check string) bool { return len(p.Find(check)) > 0 }

// Values returns an attribute of the elements that match a check and have it.
func (p Page) Values(check, attribute string) []string {
	var list []string
	for _, n := range p.Find(check) {
		if value, ok := valueOf(n, attribute); ok {
			list = append(list, value)
		}
	}
	return list
}

func valueOf(n *html.Node, attribute string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == attribute {
			return a.Val, true
		}
	}
	return "", false
}

// Pairs returns two attributes of the elements that match a check and have both:
// the second by the first.
func (p Page) Pairs(check, key, value string) map[string]string {
	pairs := map[string]string{}
	for _, n := range p.Find(check) {
		k, hasKey := valueOf(n, key)
		if v, hasValue := valueOf(n, value); hasKey && hasValue {
			pairs[k] = v
		}
	}
	return pairs
}

// Form returns the values that a browser sends for the controls inside the
// elements that match a check, but for buttons.
func (p Page) Form(check string) url.Values {
	form := url.Values{}
	for _, parent := range p.Find(check) {
		for _, n := range cascadia.QueryAll(parent, controls) {
			name, _ := valueOf(n, "name")
			value, _ := valueOf(n, "value")
			switch n.DataAtom {
			case atom.Textarea:
				if value = ""; n.FirstChild != nil {
					value = n.FirstChild.Data
				}
			case atom.Option:
				if name, _ = valueOf(n.Parent, "name"); form.Has(name) {
					form.Del(name) // the first one, which was no choice
				}
			case atom.Select:
				if first := cascadia.Query(n, option); first != nil {
					value, _ = valueOf(first, "value")
				}
			}
			form.Add(name, value)
		}
	}
	return form
}

var (
	attribute = regexp.MustCompile(`\[[^\]]*\]`)
	element   = regexp.MustCompile(`(?:^|[\s,>+~])([a-zA-Z][\w-]*)`)
)

var (
	controls = cascadia.MustCompile("textarea[name], select[name], select[name] > option[selected], " +
		"input[name]:not([type=checkbox], [type=radio]), input[name][checked]")
	option = cascadia.MustCompile("option")
)

// Value returns an attribute of the first element that matches a check and has
// it, or "".
func (p Page) Value(check, attribute string) string {
	for _, value := range p.Values(check, attribute) {
		return value
	}
	return ""
}

// Texts returns the texts of the elements that match a check.
func (p Page) Texts(check string) []string {
	var list []string
	for _, n := range p.Find(check) {
		list = append(list, Text(n))
	}
	return list
}

// split returns the selector and the text of a check. The text begins with the
// first quote that no selector can have there.
func split(check string) (selector, text string) {
	if quoted, ok := strings.CutPrefix(check, `"`); ok {
		return "", spaced(strings.TrimSuffix(quoted, `"`))
	}
	if selector, quoted, ok := strings.Cut(check, ` "`); ok && strings.HasSuffix(quoted, `"`) {
		return selector, spaced(strings.TrimSuffix(quoted, `"`))
	}
	return check, ""
}

func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// inline are the elements that do not separate the words around them.
var inline = []string{"a", "abbr", "b", "code", "del", "em", "i", "ins", "kbd", "mark", "s", "small", "span",
	"strong", "time", "u"}

// Text returns the text of an element as it is read.
func Text(n *html.Node) string {
	var b strings.Builder
	var add func(*html.Node)
	add = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		apart := n.Type == html.ElementNode && !slices.Contains(inline, n.Data)
		if apart {
			b.WriteByte(' ')
		}
		for c := range n.ChildNodes() {
			add(c)
		}
		if apart {
			b.WriteByte(' ')
		}
	}
	add(n)
	return spaced(b.String())
}
