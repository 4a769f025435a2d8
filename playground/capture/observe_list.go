package capture

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// nextCursors returns the cursors that results of a method before a contact have.
func (o *observation) nextCursors(c *contact) []*jsontree.Node {
	var list []*jsontree.Node
	for _, x := range o.contacts {
		if x.Method == c.Method && c.after(x) && x.result.Has("nextCursor") {
			list = append(list, x.result.Get("nextCursor"))
		}
	}
	return list
}

// cursorAsGiven judges the cursor of a request.
func cursorAsGiven(o *observation, c *contact) finding {
	cursor, given := c.params.Get("cursor"), o.nextCursors(c)
	if cursor == nil || len(given) == 0 {
		return finding{}
	}
	same := func(n *jsontree.Node) bool { return jsontree.Equal(n, cursor) }
	return is(slices.ContainsFunc(given, same), c, "params", "cursor")
}

// follows returns the request of the page after that of a contact, or nil. A cursor that was
// changed is known by its mark.
func (o *observation) follows(c *contact) *contact {
	given := c.result.Get("nextCursor")
	for _, x := range o.contacts {
		sent := x.params.Get("cursor")
		if x.Method == c.Method && x.after(c) && sent != nil && (jsontree.Equal(given, sent) ||
			slices.ContainsFunc(marksIn(sent.Str()), func(m mark) bool {
				return slices.Contains(marksIn(given.Str()), m)
			})) {
			return x
		}
	}
	return nil
}

// nextPage judges whether the page after the first is read.
func nextPage(o *observation, c *contact) finding {
	if c.params.Has("cursor") || !c.result.Has("nextCursor") {
		return finding{}
	}
	return o.readsOn(c)
}

// readsOn judges whether a client that did something else has read the page after that of a
// contact.
func (o *observation) readsOn(c *contact) finding {
	if x := o.follows(c); x != nil {
		return fine(x, "params", "cursor")
	}
	if o.wentOn(c) {
		return fault(c)
	}
	return finding{}
}

// listEnd judges whether the last page is asked for again.
func listEnd(o *observation, c *contact) finding {
	if !c.params.Has("cursor") || c.result == nil || c.result.Has("nextCursor") {
		return finding{}
	}
	for _, x := range o.contacts {
		same := jsontree.Equal(x.params.Get("cursor"), c.params.Get("cursor"))
		if x.Method == c.Method && x.after(c) && same {
			return fault(x, "params", "cursor")
		}
	}
	if o.wentOn(c) {
		return fine(c)
	}
	return finding{}
}

// emptyCursor judges whether a client that reads the pages of a list takes an empty cursor
// for its end.
func emptyCursor(o *observation, c *contact) finding {
	cursor, isText := c.result.Get("nextCursor").Text()
	if !isText || cursor != "" || !c.params.Has("cursor") {
		return finding{}
	}
	return o.readsOn(c)
}

// emptyPage judges whether a client that reads pages takes one without entries for the last.
func emptyPage(o *observation, c *contact) finding {
	if !c.params.Has("cursor") || !c.result.Has("nextCursor") || c.result.Get("prompts").Len() > 0 {
		return finding{}
	}
	return o.readsOn(c)
}

// cursorGone judges what follows the error of a cursor that is no longer valid.
func cursorGone(o *observation, c *contact) finding {
	if c.failure == nil || !c.params.Has("cursor") {
		return finding{}
	}
	for _, x := range o.contacts {
		if x.Method == c.Method && x.after(c) && x.sameClient(c) {
			return is(!jsontree.Equal(x.params.Get("cursor"), c.params.Get("cursor")), x, "params", "cursor")
		}
	}
	return finding{}
}

// relists notes whether a client that hears of a change reads the list again.
func relists(o *observation, c *contact) finding {
	var changed time.Time
	for _, m := range c.Messages {
		if m.Method() == "notifications/tools/list_changed" {
			changed = m.At
		}
	}
	if changed.IsZero() {
		return finding{}
	}
	for _, x := range o.contacts {
		if x.Method == playground.ToolsList && x.Started.After(changed) && x.sameClient(c) {
			return fine(x)
		}
	}
	if o.wentOn(c) {
		return fault(c)
	}
	return finding{}
}

// notFetched judges whether a reference in the schema of a tool was followed, as the test server
// reports it.
func notFetched(o *observation, c *contact) finding {
	report := c.result.At("_meta", reportName)
	tool := o.tool(c, c.name())
	if report == nil || tool == nil {
		return finding{}
	}
	var given []mark
	for _, x := range o.lists {
		given = append(given, marksIn(string(x.tools[c.name()].Get("inputSchema").Raw()))...)
	}
	for _, v := range report.Elements() {
		for _, m := range marksIn(v.Get("mark").Str()) {
			if slices.Contains(given, m) {
				return fault(c)
			}
		}
	}
	return fine(c)
}

// notOffered judges whether a tool that must be rejected is called after it was listed.
func notOffered(o *observation, s *Scenario) finding {
	found := finding{}
	for _, c := range o.contacts {
		if c.Method != playground.ToolsCall || o.tool(c, s.Name) == nil {
			continue
		}
		if c.name() == s.Name {
			return fault(c, "params", "name")
		}
		found = fine(c, "params", "name")
	}
	return found
}

// sameCase judges the case of a name.
func sameCase(o *observation, s *Scenario) finding {
	found := finding{}
	for _, c := range o.contacts {
		switch name := c.name(); {
		case c.Method != playground.ToolsCall || !strings.EqualFold(name, s.Name):
		case name != s.Name:
			return fault(c, "params", "name").says("The client called %s; the name of the tool is %s.",
				quoted(name), s.Name)
		default:
			found = fine(c, "params", "name")
		}
	}
	return found
}

// waits notes whether a client comes back before the time that the server named.
func waits(o *observation, s *Scenario) finding {
	var list []finding
	for _, c := range o.of(s) {
		seconds, err := strconv.Atoi(c.Head.Get("Retry-After"))
		if err != nil {
			continue
		}
		if again := o.sameTool(c); len(again) > 0 {
			waited := again[0].Started.Sub(c.Last)
			if waited.Seconds() < float64(seconds) {
				list = append(list, fault(again[0]).says(
					"The client came back after %d ms; the server asked for %d s.",
					waited.Milliseconds(), seconds))
				continue
			}
			list = append(list, fine(again[0]))
		} else if o.wentOn(c) {
			list = append(list, fine(c))
		}
	}
	return worst(list)
}

// fewCalls is how often a call that is refused may be repeated.
const fewCalls = 3

// notHammered notes whether a call that is refused is repeated often.
func notHammered(o *observation, s *Scenario) finding {
	found, calls := finding{}, map[string]int{}
	for _, c := range o.of(s) {
		if c.Head.Status < 400 && c.failure == nil {
			continue
		}
		if calls[c.client()]++; calls[c.client()] > fewCalls {
			return fault(c).says("The client sent the refused call %d times.", calls[c.client()])
		}
		if o.wentOn(c) {
			found = fine(c)
		}
	}
	return found
}
