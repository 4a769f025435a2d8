package gateway

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// lists are the lists that are compared, with the members of their results and of the entries
// that name them.
var lists = []struct{ method, entries, name string }{
	{playground.ToolsList, "tools", "name"},
	{playground.PromptsList, "prompts", "name"},
	{playground.ResourcesList, "resources", "uri"},
}

// definition is one tool, prompt or resource as an end lists it.
type definition struct {
	method string
	name   string // or the URI
	node   *jsontree.Node
	q      *request // of the client that got it; nil at the upstream
}

// definitionPair is a definition at both ends.
type definitionPair struct{ upstream, client definition }

// compareDefinitions joins the definitions that the upstream gave to those that the client got,
// whenever the gateway asked for them, and compares them.
func (r *recordings) compareDefinitions() {
	for _, l := range lists {
		given := map[string]definition{} // the newest by name
		var names []string
		for _, u := range r.ups {
			if u.Method != l.method {
				continue
			}
			for _, n := range result(u).Get(l.entries).Elements() {
				name := n.Get(l.name).Str()
				if _, known := given[name]; !known {
					names = append(names, name)
				}
				given[name] = definition{l.method, name, n, nil}
			}
		}
		var got []definition
		for _, q := range r.requests {
			for _, n := range result(q.client).Get(l.entries).Elements() {
				if q.client.Method == l.method {
					got = append(got, definition{l.method, n.Get(l.name).Str(), n, q})
				}
			}
		}
		if len(names) == 0 || len(got) == 0 {
			continue
		}
		r.join(names, given, got)
	}
	for _, p := range r.defined {
		r.compareDefinition(p)
	}
}

// join joins the definitions of a list by their names. What may be one of several is not compared.
func (r *recordings) join(names []string, given map[string]definition, got []definition) {
	listed := make([]string, len(got))
	for i, d := range got {
		listed[i] = d.name
	}
	m := match(names, listed)
	for i, name := range names {
		switch {
		case m.of[i] >= 0:
			r.defined = append(r.defined, definitionPair{given[name], got[m.of[i]]})
		case !m.doubtful[i]:
			r.unlisted = append(r.unlisted, given[name])
		}
	}
	known := map[string]bool{}
	for i, d := range got {
		known[d.name] = known[d.name] || m.related[i]
	}
	for _, d := range got {
		if !known[d.name] {
			r.foreign = append(r.foreign, d)
		}
	}
}

// describing are the members of a definition for people and models. A gateway may write them
// anew, and drops nothing.
var describing = []string{"title", "description", "icons", "name"}

// compareDefinition compares the members of a definition but its name.
func (r *recordings) compareDefinition(p definitionPair) {
	a, b := p.upstream.node, p.client.node
	named := "name"
	if p.upstream.method == playground.ResourcesList {
		named = "uri"
	}
	from := len(r.compared)
	r.members(p.client.q, inDefs, a, b, []string{named}, p.upstream.name)
	for i := range r.compared[from:] {
		c := &r.compared[from+i]
		member := c.path[1]
		for j, d := range c.changes {
			if slices.Contains(describing, member) && d.After != nil && d.Before != nil {
				c.changes[j].class = texts
			}
		}
	}
}

// mirrored are the tools of the upstream of which an annotated argument was judged in the
// header of a call.
func (r *recordings) mirrored() map[string]bool {
	list := map[string]bool{}
	for _, q := range r.requests {
		for _, u := range q.ups {
			name := u.Sent.At("params", "name").Str()
			tool := r.tool(name)
			if tool != nil && !u.Request.IsLine() &&
				len(playground.MirroredArguments(tool, u.Sent.Get("params"))) > 0 {
				list[name] = true
			}
		}
	}
	return list
}

func definitions(r *recordings, t *tally) {
	mirrored := r.mirrored()
	for _, c := range r.compared {
		if c.part != inDefs {
			continue
		}
		c.judge(t, func(d change) bool {
			return d.class == other || d.class == annotation && !mirrored[c.path[0]]
		})
	}
}
