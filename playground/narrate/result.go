package narrate

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxResult is how many characters of one block of a result are shown as text.
const maxResult = 64 << 10

// Result returns the final result of a call as plain text, one entry per block:
// the content of a tool, the messages of a prompt, the contents of a resource.
// What is no text is named by its type and URI.
func Result(final *jsontree.Node) []string {
	var blocks []*jsontree.Node
	blocks = append(blocks, final.Get("content").Elements()...)
	for _, m := range final.Get("messages").Elements() {
		blocks = append(blocks, m.Get("content"))
	}
	blocks = append(blocks, final.Get("contents").Elements()...)
	lines := make([]string, 0, len(blocks))
	for _, b := range blocks {
		lines = append(lines, block(b))
	}
	return lines
}

func block(n *jsontree.Node) string {
	if n.Get("type").Str() == "resource" {
		n = n.Get("resource")
	}
	if words, ok := n.Get("text").Text(); ok {
		return strings.TrimSpace(text.Lines(words, maxResult) + " " + text.Visible(n.Get("uri").Str(), 2048))
	}
	kind := n.Get("mimeType").Str()
	if kind == "" {
		kind = n.Get("type").Str()
	}
	title := n.Get("title").Str()
	if title == "" {
		title = n.Get("name").Str()
	}
	words := []string{text.Visible(kind, 80), text.Visible(title, 200),
		text.Visible(n.Get("uri").Str(), 2048)}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
