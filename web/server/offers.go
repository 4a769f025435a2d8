package server

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// maxListed is how many entries the list of a server's page has. The filter
// finds the others.
const maxListed = 300

// offerOf is a tool, prompt, resource or template of a server. Its form is made
// only when it is shown.
type offer struct {
	kind, name, label string
	index             int  // in its list
	excluded          bool // clients must not offer it
	twin              bool // an earlier one of its kind has the same name
}

// entry returns the part of an address that distinguishes the offer from
// another of the same name; "" for the first of a name.
func (o offer) entry() string {
	if o.twin {
		return serverview.Prefix(o.kind, o.index)
	}
	return ""
}

// offersOf returns everything that a server offers, in the order of its lists.
func offersOf(c server.Connection) []offer {
	var list []offer
	seen := map[[2]string]bool{}
	add := func(kind string, i int, name, label string, excluded bool) {
		key := [2]string{kind, name}
		list = append(list, offer{kind, name, label, i, excluded, seen[key]})
		seen[key] = true
	}
	for i, t := range c.Tools {
		add("tool", i, t.Name, t.Label(), t.Excluded != "")
	}
	for i, p := range c.Prompts {
		add("prompt", i, p.Name, p.Label(), false)
	}
	for i, r := range c.Resources {
		add("resource", i, r.URI, r.Label(), false)
	}
	for i, r := range c.Templates {
		add("template", i, r.URI, r.Label(), false)
	}
	return list
}

// formOf returns the form of an offer with its defaults.
func formOf(k app.KnownServer, o offer) *callview.Form {
	c := k.Connection
	f := &callview.Form{
		Kind: o.kind, Name: o.name, Label: o.label, Target: k.Target.ID,
		Prefix: serverview.Prefix(o.kind, o.index), JSON: "{}",
	}
	completes := c.Completable() && c.Era != playground.Legacy
	switch o.kind {
	case "tool":
		t := c.Tools[o.index]
		f.Description, f.Excluded = t.Description, t.Excluded
		f.Form, f.FormErr = form.Arguments(t.InputSchema)
	case "prompt":
		f.Description, f.Completes = c.Prompts[o.index].Description, completes
		f.Form, f.FormErr = c.Prompts[o.index].Form()
	case "resource":
		if o.index < len(c.Resources) {
			f.Description, f.About = c.Resources[o.index].Description, c.Resources[o.index].MIMEType
		}
	case "template":
		r := c.Templates[o.index]
		f.Description, f.About, f.Completes = r.Description, r.MIMEType, completes
		f.Form, f.FormErr = r.TemplateForm()
	}
	if f.FormErr == nil && o.kind != "resource" {
		content, _ := f.Form.Content(f.Form.Entries())
		f.JSON = serverview.Indented(content)
	}
	exampleArguments(f, k.Start.Params)
	if k.Sample != nil {
		describeFault(k, f)
	}
	f.Path = paths.Call(f.Target, f.Kind, f.Name, o.entry(), nil)
	return f
}

// exampleArguments fills in the arguments of a sample's start button, if there
// are any.
func exampleArguments(f *callview.Form, params json.RawMessage) {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err == nil && f.Kind != "resource" && f.Name == node.Get("name").Str() && node.Has("arguments") {
		fillArguments(f, node.Get("arguments").Raw())
	}
}

func fillArguments(f *callview.Form, args json.RawMessage) {
	node, err := jsontree.Parse(args, jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return
	}
	f.Form, f.JSON = f.Form.Fill(args), string(args)
}

// findOffer returns the offer of a kind and name, or nil. prefix, if it is not
// "", distinguishes those of the same name.
func findOffer(list []offer, kind, name, prefix string) *offer {
	i := slices.IndexFunc(list, func(o offer) bool {
		return o.kind == kind && o.name == name &&
			(prefix == "" || serverview.Prefix(o.kind, o.index) == prefix)
	})
	if i < 0 {
		return nil
	}
	return &list[i]
}

// offerOf returns the offer of a kind and name, or nil. A resource need not be
// listed: a template or a link in a result may lead to it.
func offerOf(k app.KnownServer, list []offer, kind, name, prefix string) *offer {
	o := findOffer(list, kind, name, prefix)
	c := k.Connection
	if o == nil && kind == "resource" && name != "" && len(c.Resources)+len(c.Templates) > 0 {
		o = &offer{kind: kind, name: name, label: name, index: len(c.Resources)}
	}
	return o
}

// chosenOffer returns the offer that an address chooses, as views.CallPath
// writes it. Without a choice it is the best match of the filter, else the one
// that a sample starts with, which asks, else the first that can be called: no
// list of a server says which of its tools ask. missing is the
// name of a chosen offer that the server does not have.
func chosenOffer(k app.KnownServer, list []offer, q url.Values) (o *offer, missing string) {
	for _, kind := range []string{"tool", "prompt", "resource", "template"} {
		if name := q.Get(kind); name != "" {
			if o = offerOf(k, list, kind, name, q.Get("entry")); o != nil {
				return o, ""
			}
			return nil, name
		}
	}
	if entry := q.Get("entry"); entry != "" { // its name is too long for an address
		i := slices.IndexFunc(list, func(o offer) bool { return serverview.Prefix(o.kind, o.index) == entry })
		if i < 0 {
			return nil, entry
		}
		return &list[i], ""
	}
	if q.Get("q") != "" {
		return bestMatch(list, q.Get("q")), ""
	}
	if o = findOffer(list, kindOf(k.Start.Method), app.NameOf(k.Start.Params), ""); o != nil {
		return o, ""
	}
	i := slices.IndexFunc(list, func(o offer) bool { return !o.excluded })
	if i < 0 {
		return nil, ""
	}
	return &list[i], ""
}

// bestMatch returns the first of the offers that match a filter best, or nil.
func bestMatch(list []offer, filter string) *offer {
	var best *offer
	least := 0
	for i, o := range list {
		if rank, ok := server.Match(filter, o.name, o.label); ok && (best == nil || rank < least) {
			best, least = &list[i], rank
		}
	}
	return best
}

// menuOf returns the list of a server's offers, with the chosen one marked.
func menuOf(k app.KnownServer, list []offer, chosen *offer, filter string) serverview.Menu {
	m := serverview.Menu{Target: k.Target.ID, Filter: filter, Total: len(list)}
	var best *offer
	if filter != "" {
		best = bestMatch(list, filter)
	}
	listed := 0
	for _, g := range []serverview.MenuGroup{
		{Title: "Tools", ID: "tools"}, {Title: "Prompts", ID: "prompts"},
		{Title: "Resources", ID: "resources"}, {Title: "Resource templates", ID: "templates"},
	} {
		kind, method := groupOf(g.ID)
		for i, o := range list {
			if _, ok := server.Match(filter, o.name, o.label); o.kind != kind || !ok {
				continue
			}
			if g.Count++; listed == maxListed {
				m.Cut = true
				continue
			}
			listed++
			g.Entries = append(g.Entries, serverview.MenuEntry{
				Kind: o.kind, Name: o.name, Label: o.label, Excluded: o.excluded, Path: pathOf(k, o),
				Current: chosen == &list[i], Best: best == &list[i],
			})
		}
		g.Short = slices.Contains(k.Connection.Truncated, method)
		if g.Count > 0 {
			m.Groups = append(m.Groups, g)
		}
	}
	return m
}

// groupOf returns the kind of the entries of a group, and the method that lists
// them.
func groupOf(id string) (kind, method string) {
	switch id {
	case "prompts":
		return "prompt", playground.PromptsList
	case "resources":
		return "resource", playground.ResourcesList
	case "templates":
		return "template", playground.TemplatesList
	}
	return "tool", playground.ToolsList
}

// pathOf returns the page with the form of an offer.
func pathOf(k app.KnownServer, o offer) string {
	path := paths.Call(k.Target.ID, o.kind, o.name, o.entry(), nil)
	if len(o.name) > paths.MaxName {
		path = paths.Call(k.Target.ID, o.kind, o.name, serverview.Prefix(o.kind, o.index), nil)
	}
	return path
}

// kindOf returns the kind of thing that a method calls.
func kindOf(method string) string {
	switch method {
	case playground.PromptsGet:
		return "prompt"
	case playground.ResourcesRead:
		return "resource"
	}
	return "tool"
}
