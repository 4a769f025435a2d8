package session

import (
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Bounds of what is found of a log: people look for what a server asked and
// said, which comes first.
const (
	MaxSearchText = 2 << 10 // bytes of one log
	maxEventText  = 512     // bytes of one event
)

// SearchText are what an Event says to people, in lower case: questions, answers,
// results and errors, without what only machines read. It is a function of the
// stored bytes, so nothing can be found that the record does not show.
func SearchText(e playground.Event) string {
	var b strings.Builder
	switch e.Kind {
	case playground.Decided:
		collect(&b, parsed(e.Data).Get("answers"))
	case playground.Received:
		saysOf(&b, parsed(wire.Split(e.Data).Body))
	case playground.Message:
		data, _, _ := wire.EventData(e.Data)
		saysOf(&b, parsed(data))
	}
	return strings.ToValidUTF8(b.String()[:min(b.Len(), maxEventText)], "")
}

func parsed(data []byte) *jsontree.Node {
	n, err := jsontree.Parse(data, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return n
}

func saysOf(b *strings.Builder, message *jsontree.Node) {
	collect(b, message.Get("result"))
	collect(b, message.Get("error"))
}

// collect takes the texts of a value, as long as there is room.
func collect(b *strings.Builder, n *jsontree.Node) {
	if n == nil || b.Len() >= maxEventText {
		return
	}
	switch n.Kind {
	case jsontree.String, jsontree.Number:
		text := n.Str()
		if n.Kind == jsontree.Number {
			text = string(n.Raw())
		}
		b.WriteString(strings.ToLower(text[:min(len(text), maxEventText)]) + " ")
	}
	for _, m := range n.Members {
		if isForMachines(m.Key) {
			continue
		}
		collect(b, m.Value)
	}
	for _, item := range n.Items {
		collect(b, item)
	}
}

// isForMachines reports whether nobody looks for what stands under a name.
func isForMachines(key string) bool {
	switch key {
	case "requestState", "_meta", "resultType", "type", "method", "mode", "action", "data", "blob", "mimeType", "$schema", "progressToken":
		return true
	}
	return false
}

// JoinSearchText adds the words of one more event to those of a log.
func JoinSearchText(have, more string) string {
	all := strings.TrimSpace(have + " " + strings.TrimSpace(more))
	if len(all) <= MaxSearchText {
		return all
	}
	end := MaxSearchText
	for !utf8.RuneStart(all[end]) {
		end--
	}
	return all[:end]
}
