package server

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Change is one difference between two connections to a server.
type Change struct {
	Kind    jsontree.ChangeKind
	What    string   // "tool", "prompt", "resource", "resource template", or a part such as "version"
	Name    string   // of the tool, prompt or resource; empty for a part of the server
	Details []string // what changed in it, such as "inputSchema/properties/seat added"
}

// mostDetails is how many details of a change are listed.
const mostDetails = 6

// Earlier returns the newest connection of a log before its last attempt that came to
// an end with a list of offers, and when it was made. It returns false if there is none.
func Earlier(log []playground.Event) (Connection, time.Time, bool) {
	end := len(log)
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].Kind != playground.Decided {
			continue
		}
		if end < len(log) { // not the last attempt
			if c := FoldConnection(log[:end]); c.Status == Connected {
				return c, log[i].At, true
			}
		}
		end = i
	}
	return Connection{}, time.Time{}, false
}

// Changes returns what a server says and offers differently in a later connection. A list
// that was not read to its end is not compared.
func Changes(before, after Connection) []Change {
	var list []Change
	part := func(what, was, is string) {
		if was != is {
			list = append(list, Change{Kind: jsontree.Changed, What: what, Details: fromTo(was, is)})
		}
	}
	part("name", before.Name, after.Name)
	part("version", before.Version, after.Version)
	part("era", string(before.Era), string(after.Era))
	part("protocol versions", strings.Join(before.Versions, ", "), strings.Join(after.Versions, ", "))
	if before.Instructions != after.Instructions {
		list = append(list, Change{Kind: jsontree.Changed, What: "instructions"})
	}
	if d := details(jsontree.Diff(before.Capabilities, after.Capabilities)); len(d) > 0 {
		list = append(list, Change{Kind: jsontree.Changed, What: "capabilities", Details: d})
	}
	for _, o := range offers {
		if slices.Contains(before.Truncated, o.method) || slices.Contains(after.Truncated, o.method) {
			continue
		}
		list = append(list, changed(o.what, o.of(before), o.of(after))...)
	}
	return list
}

// fromTo says how a text changed.
func fromTo(was, is string) []string {
	words := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return text.Visible(s, 120)
	}
	return []string{"from " + words(was) + " to " + words(is)}
}

// named is an offer by its name, as JSON.
type named struct {
	name string
	node *jsontree.Node
}

// offers are the kinds of offers, with the offers of a connection.
var offers = []struct {
	what, method string
	of           func(Connection) []named
}{
	{"tool", toolsList, func(c Connection) []named {
		var list []named
		for _, t := range c.Tools {
			list = append(list, newNamed(t.Name, t.Definition))
		}
		return list
	}},
	{"prompt", promptsList, func(c Connection) []named {
		var list []named
		for _, p := range c.Prompts {
			arguments := []byte("[")
			for i, a := range p.Arguments {
				if i > 0 {
					arguments = append(arguments, ',')
				}
				arguments = append(arguments, jsontree.ObjectOf(
					jsontree.Pair{Key: "name", Value: jsontree.Quote(a.Name)},
					jsontree.Pair{Key: "description", Value: jsontree.Quote(a.Description)},
					jsontree.Pair{Key: "required", Value: fmt.Append(nil, a.Required)},
				)...)
			}
			list = append(list, newNamed(p.Name, jsontree.ObjectOf(
				jsontree.Pair{Key: "title", Value: jsontree.Quote(p.Title)},
				jsontree.Pair{Key: "description", Value: jsontree.Quote(p.Description)},
				jsontree.Pair{Key: "arguments", Value: append(arguments, ']')},
			)))
		}
		return list
	}},
	{"resource", resourcesList, func(c Connection) []named { return resources(c.Resources) }},
	{"resource template", templatesList, func(c Connection) []named { return resources(c.Templates) }},
}

func resources(list []Resource) []named {
	var names []named
	for _, r := range list {
		names = append(names, newNamed(r.URI, jsontree.ObjectOf(
			jsontree.Pair{Key: "name", Value: jsontree.Quote(r.Name)},
			jsontree.Pair{Key: "title", Value: jsontree.Quote(r.Title)},
			jsontree.Pair{Key: "description", Value: jsontree.Quote(r.Description)},
			jsontree.Pair{Key: "mimeType", Value: jsontree.Quote(r.MIMEType)},
		)))
	}
	return names
}

func newNamed(name string, raw []byte) named {
	node, _ := jsontree.Parse(raw, jsontree.Limits{}) // nil is equal to nil
	return named{name, node}
}

// changed returns the differences between two lists of offers of one kind.
func changed(what string, before, after []named) []Change {
	find := func(list []named, name string) int {
		return slices.IndexFunc(list, func(n named) bool { return n.name == name })
	}
	var list []Change
	for _, n := range after {
		i := find(before, n.name)
		if i < 0 {
			list = append(list, Change{Kind: jsontree.Added, What: what, Name: n.name})
			continue
		}
		if d := details(jsontree.Diff(before[i].node, n.node)); len(d) > 0 {
			list = append(list, Change{Kind: jsontree.Changed, What: what, Name: n.name, Details: d})
		}
	}
	for _, n := range before {
		if find(after, n.name) < 0 {
			list = append(list, Change{Kind: jsontree.Removed, What: what, Name: n.name})
		}
	}
	return list
}

// details names changes of a document by their paths. Metadata does not count.
func details(changes []jsontree.Change) []string {
	var list []string
	more := 0
	for _, c := range changes {
		switch {
		case len(c.Path) > 0 && c.Path[0] == "_meta":
		case len(list) >= mostDetails:
			more++
		default:
			path := strings.TrimPrefix(jsontree.Pointer(c.Path...), "/")
			if path == "" {
				path = "all of it"
			}
			words := text.Visible(path, 120)
			if c.Kind != jsontree.Changed {
				words += " " + string(c.Kind)
			}
			list = append(list, words)
		}
	}
	if more > 0 {
		list = append(list, text.Plural(more, "more change"))
	}
	return list
}
