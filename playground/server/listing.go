package server

import (
	"cmp"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Limits of one list. Further entries are not read.
const (
	maxEntries   = 500
	MaxListPages = 10 // that are read of one list
)

// Methods that list what a server offers.
const (
	toolsList     = playground.ToolsList
	promptsList   = playground.PromptsList
	resourcesList = playground.ResourcesList
	templatesList = playground.TemplatesList
)

// Tool is one entry of tools/list.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage
	Definition               json.RawMessage // the exact JSON of the entry
	Excluded                 string          // why clients must not offer the tool; empty if they may
}

// Label returns the tool's name for people.
func (t Tool) Label() string { return cmp.Or(t.Title, t.Name) }

// Prompt is one entry of prompts/list.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
}

// Label returns the prompt's name for people.
func (p Prompt) Label() string { return cmp.Or(p.Title, p.Name) }

// PromptArgument is an argument of a prompt. Its value is a string.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// Resource is one entry of resources/list or, with a URI template
// (RFC 6570) instead of a URI, of resources/templates/list.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
}

// Label returns the resource's name for people.
func (r Resource) Label() string { return cmp.Or(cmp.Or(r.Title, r.Name), r.URI) }

// declaredLists returns the methods of the lists that the capabilities declare,
// in the order in which they are requested.
func declaredLists(capabilities *jsontree.Node) []string {
	var lists []string
	if capabilities.Has("tools") {
		lists = append(lists, toolsList)
	}
	if capabilities.Has("prompts") {
		lists = append(lists, promptsList)
	}
	if capabilities.Has("resources") {
		lists = append(lists, resourcesList, templatesList)
	}
	return lists
}

// list reads one page of a list.
func (c *Connection) list(method string, n *jsontree.Node) {
	entries := c.entriesOf(method, n)
	c.pages++
	room := maxEntries - c.entries
	cut := len(entries) > room
	for _, e := range entries[:min(len(entries), room)] {
		c.entries++
		c.entry(method, e)
	}
	c.cursor, c.more = n.Get("nextCursor").Text()
	if c.more && (cut || c.entries == maxEntries || c.pages >= MaxListPages) {
		cut = true
	}
	if cut {
		c.Truncated = append(c.Truncated, method)
	}
	if cut || !c.more {
		c.listDone()
	}
}

// entriesOf returns the entries on one page of a list.
func (c *Connection) entriesOf(method string, n *jsontree.Node) []*jsontree.Node {
	switch method {
	case promptsList:
		return n.Get("prompts").Elements()
	case resourcesList:
		return n.Get("resources").Elements()
	case templatesList:
		return n.Get("resourceTemplates").Elements()
	}
	return n.Get("tools").Elements()
}

// entry adds one entry of a list.
func (c *Connection) entry(method string, n *jsontree.Node) {
	name, title, description := n.Get("name").Str(), n.Get("title").Str(), n.Get("description").Str()
	switch method {
	case promptsList:
		p := Prompt{Name: name, Title: title, Description: description}
		for _, a := range n.Get("arguments").Elements() {
			p.Arguments = append(p.Arguments, PromptArgument{
				a.Get("name").Str(), a.Get("title").Str(), a.Get("description").Str(),
				a.Get("required").True(),
			})
		}
		c.Prompts = append(c.Prompts, p)
	case resourcesList:
		c.Resources = append(c.Resources,
			Resource{n.Get("uri").Str(), name, title, description, n.Get("mimeType").Str()})
	case templatesList:
		c.Templates = append(c.Templates,
			Resource{n.Get("uriTemplate").Str(), name, title, description, n.Get("mimeType").Str()})
	default:
		c.Tools = append(c.Tools, newTool(n))
	}
}

// ToolsOf returns the tools on one page of tools/list.
func ToolsOf(r playground.Round) []Tool {
	var list []Tool
	for _, n := range r.Result.Get("tools").Elements() {
		list = append(list, newTool(n))
	}
	return list
}

func newTool(n *jsontree.Node) Tool {
	schema := n.Get("inputSchema")
	return Tool{
		Name: n.Get("name").Str(), Title: toolTitle(n), Description: n.Get("description").Str(),
		InputSchema: schema.Raw(), Definition: n.Raw(), Excluded: playground.AnnotationFault(schema),
	}
}

// listDone moves on to the next list, or sets Status to Connected after the
// last.
func (c *Connection) listDone() {
	c.lists, c.cursor, c.more, c.pages, c.entries = c.lists[min(1, len(c.lists)):], "", false, 0, 0
	if len(c.lists) == 0 {
		c.Status = Connected
	}
}
