package session

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Limits of the search text of an Exchange, in bytes. The first questions and
// results of a server are the ones that users search for.
const (
	MaxSearchText = 4 << 10 // of one Exchange
	maxCallText   = 2 << 10 // of its Target and Call
	maxEventText  = 512     // of one Event
)

// Normalise returns the form of a text that is stored for searching and
// compared with search words: Unicode case folding and NFKC. So ß equals ss,
// the Greek final sigma equals σ, and full-width letters equal ordinary ones.
// Dotted and dotless i are one letter, because a search does not know in which
// language a word was typed. Letters keep their accents.
func Normalise(text string) string {
	text = norm.NFKC.String(strings.ToValidUTF8(text, "\ufffd"))
	return oneForm.Replace(norm.NFKC.String(cases.Fold().String(text)))
}

// oneForm replaces the dotted and dotless i left by case folding by i, and NUL
// by a space, because SQLite ends a comparison there.
var oneForm = strings.NewReplacer("i\u0307", "i", "\u0131", "i", "\x00", " ")

// ExchangeSearchText returns the normalised search text of a new Exchange: its
// Target and the names and values of its Call.
func ExchangeSearchText(x playground.Exchange) string {
	c := collector{limit: maxCallText, keys: true}
	if params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{}); err == nil {
		c.collect(params)
	} else {
		c.add(string(x.Call.Params))
	}
	text := strings.Join([]string{x.Target.Name, x.Call.Method, c.text.String(), x.Target.URL}, " ")
	return truncate(Normalise(text), maxCallText)
}

// SearchText returns the normalised search text that an Event adds to its
// Exchange: questions, answers, results and errors, without members that only
// programs read. It depends on the stored bytes alone, so that a search finds
// nothing that the record does not show.
func SearchText(e playground.Event) string {
	c := collector{limit: maxEventText, skip: isForMachines}
	switch e.Kind {
	case playground.Decided:
		c.collect(parsed(e.Data).Get("answers"))
	case playground.Received:
		c.collectMessage(parsed(wire.Split(e.Data).Body))
	case playground.Message:
		data, _, _ := wire.EventData(e.Data)
		c.collectMessage(parsed(data))
	}
	return truncate(Normalise(c.text.String()), maxEventText)
}

// JoinSearchText returns the search text of an Exchange with that of one more
// Event added, cut at MaxSearchText bytes.
func JoinSearchText(text, more string) string {
	return truncate(strings.TrimSpace(text+" "+strings.TrimSpace(more)), MaxSearchText)
}

// truncate returns the first n bytes of a text, without an incomplete
// character.
func truncate(text string, n int) string {
	return strings.ToValidUTF8(text[:min(len(text), n)], "")
}

func parsed(data []byte) *jsontree.Node {
	n, err := jsontree.Parse(data, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return n
}

// collector gathers the texts of JSON values until it has limit bytes.
type collector struct {
	text  strings.Builder
	limit int
	keys  bool                  // whether names of members are included
	skip  func(key string) bool // reports members to leave out; nil for none
}

func (c *collector) collectMessage(message *jsontree.Node) {
	c.collect(message.Get("result"))
	c.collect(message.Get("error"))
}

func (c *collector) collect(n *jsontree.Node) {
	if n == nil || c.text.Len() >= c.limit {
		return
	}
	switch n.Kind {
	case jsontree.String:
		c.add(n.Str())
	case jsontree.Number:
		c.add(string(n.Raw()))
	}
	for _, m := range n.Members {
		if c.skip != nil && c.skip(m.Key) {
			continue
		}
		if c.keys {
			c.add(m.Key)
		}
		c.collect(m.Value)
	}
	for _, item := range n.Items {
		c.collect(item)
	}
}

func (c *collector) add(text string) {
	c.text.WriteString(truncate(text, c.limit) + " ")
}

// isForMachines reports whether a member of this name holds nothing that users
// search for.
func isForMachines(key string) bool {
	switch key {
	case "requestState", "_meta", "resultType", "type", "method", "mode", "action", "data", "blob",
		"mimeType", "$schema", "progressToken":
		return true
	}
	return false
}
