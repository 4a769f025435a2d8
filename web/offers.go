package web

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
)

// Offers returns what a test of a server can call: tools by their name, prompts and resources by
// method and name.
func Offers(c server.Connection) []checkview.Tool {
	var list []checkview.Tool
	for _, t := range c.Tools {
		if t.Excluded == "" {
			label := t.Label()
			if label != t.Name {
				label += " (" + t.Name + ")"
			}
			list = append(list, checkview.Tool{Name: t.Name, Label: label})
		}
	}
	for _, p := range c.Prompts {
		list = append(list, checkview.Tool{
			Name: playground.PromptsGet + " " + p.Name, Label: "Prompt: " + p.Label(),
		})
	}
	for _, r := range c.Resources {
		list = append(list, checkview.Tool{
			Name: playground.ResourcesRead + " " + r.URI, Label: "Resource: " + r.Label(),
		})
	}
	return list
}

// OfferedCall returns the call of one of the Offers, and false if the server does not offer it.
func OfferedCall(c server.Connection, chosen string, arguments []byte) (playground.Call, bool) {
	if tool, ok := c.Tool(chosen); ok {
		return server.ToolCall(tool, arguments), true
	}
	if !slices.ContainsFunc(Offers(c), func(t checkview.Tool) bool { return t.Name == chosen }) {
		return playground.Call{}, false
	}
	method, name, _ := strings.Cut(chosen, " ")
	params := []jsontree.Pair{
		{Key: "name", Value: jsontree.Quote(name)}, {Key: "arguments", Value: arguments},
	}
	if method == playground.ResourcesRead {
		params = []jsontree.Pair{{Key: "uri", Value: jsontree.Quote(name)}}
	}
	return playground.Call{Method: method, Params: jsontree.ObjectOf(params...)}, true
}

// PlaceholderArguments returns arguments for one of the Offers, or for the first if none is chosen.
func PlaceholderArguments(c server.Connection, chosen string) string {
	if list := Offers(c); chosen == "" && len(list) > 0 {
		chosen = list[0].Name
	}
	tool, _ := c.Tool(chosen)
	return string(question.PlaceholderArguments(tool.InputSchema))
}
