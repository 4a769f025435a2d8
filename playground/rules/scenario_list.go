package rules

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// nextCursors returns the cursors that results of a method before a contact have.
func (r *record) nextCursors(c *Contact) []*jsontree.Node {
	var list []*jsontree.Node
	for _, x := range r.contacts {
		if x.Method == c.Method && c.after(x) && x.Result.Has("nextCursor") {
			list = append(list, x.Result.Get("nextCursor"))
		}
	}
	return list
}

// cursorAsGiven judges the cursor of a request.
func cursorAsGiven(c *Contact) ruling {
	cursor, given := c.params().Get("cursor"), c.record.nextCursors(c)
	if cursor == nil || len(given) == 0 {
		return na()
	}
	same := func(n *jsontree.Node) bool { return jsontree.Equal(n, cursor) }
	return keeps(slices.ContainsFunc(given, same), c, "params", "cursor")
}

// follows returns the request of the page after that of a contact, or nil. A cursor that was
// changed is known by its mark.
func (r *record) follows(c *Contact) *Contact {
	given := c.Result.Get("nextCursor")
	for _, x := range r.contacts {
		sent := x.params().Get("cursor")
		if x.Method == c.Method && x.after(c) && sent != nil && (jsontree.Equal(given, sent) ||
			slices.ContainsFunc(Marks(sent.Str()), func(m Mark) bool {
				return slices.Contains(Marks(given.Str()), m)
			})) {
			return x
		}
	}
	return nil
}

// nextPage judges whether the page after the first is read.
func nextPage(c *Contact) ruling {
	if c.params().Has("cursor") || !c.Result.Has("nextCursor") {
		return na()
	}
	return c.record.readsOn(c)
}

// readsOn judges whether a client that did something else has read the page after that of a
// contact.
func (r *record) readsOn(c *Contact) ruling {
	if x := r.follows(c); x != nil {
		return kept(x, "params", "cursor")
	}
	if r.wentOn(c) {
		return broken(c)
	}
	return na()
}

// listEnd judges whether the last page is asked for again.
func listEnd(c *Contact) ruling {
	if !c.params().Has("cursor") || c.Result == nil || c.Result.Has("nextCursor") {
		return na()
	}
	for _, x := range c.record.contacts {
		same := jsontree.Equal(x.params().Get("cursor"), c.params().Get("cursor"))
		if x.Method == c.Method && x.after(c) && same {
			return broken(x, "params", "cursor")
		}
	}
	return left(c)
}

// emptyCursor judges whether a client that reads the pages of a list takes an empty cursor
// for its end.
func emptyCursor(c *Contact) ruling {
	cursor, isText := c.Result.Get("nextCursor").Text()
	if !isText || cursor != "" || !c.params().Has("cursor") {
		return na()
	}
	return c.record.readsOn(c)
}

// emptyPage judges whether a client that reads pages takes one without entries for the last.
func emptyPage(c *Contact) ruling {
	if !c.params().Has("cursor") || !c.Result.Has("nextCursor") || c.Result.Get("prompts").Len() > 0 {
		return na()
	}
	return c.record.readsOn(c)
}

// cursorGone judges what follows the error of a cursor that is no longer valid.
func cursorGone(c *Contact) ruling {
	if c.failure == nil || !c.params().Has("cursor") {
		return na()
	}
	for _, x := range c.record.contacts {
		if x.Method == c.Method && x.after(c) && x.isOfClient(c) {
			same := jsontree.Equal(x.params().Get("cursor"), c.params().Get("cursor"))
			return keeps(!same, x, "params", "cursor")
		}
	}
	return na()
}

// relists notes whether a client that hears of a change reads the list again.
func relists(c *Contact) ruling {
	var changed time.Time
	for _, m := range c.Messages {
		if m.Method() == "notifications/tools/list_changed" {
			changed = m.At
		}
	}
	if changed.IsZero() {
		return na()
	}
	for _, x := range c.record.contacts {
		if x.Method == playground.ToolsList && x.Started.After(changed) && x.isOfClient(c) {
			return kept(x)
		}
	}
	if c.record.wentOn(c) {
		return broken(c)
	}
	return na()
}

// notFetched judges whether a reference in the schema of a tool was followed, as the test server
// reports it.
func notFetched(c *Contact) ruling {
	report := c.Result.At("_meta", reportName)
	tool := c.record.tool(c, c.Name())
	if report == nil || tool == nil {
		return na()
	}
	var given []Mark
	for _, x := range c.record.lists {
		given = append(given, Marks(string(x.tools[c.Name()].Get("inputSchema").Raw()))...)
	}
	for _, v := range report.Elements() {
		for _, m := range Marks(v.Get("mark").Str()) {
			if slices.Contains(given, m) {
				return broken(c)
			}
		}
	}
	return kept(c)
}

// notOffered judges whether a tool that must be rejected is called after it was listed.
func notOffered(r *record, s *Scenario) []ruling {
	var list []ruling
	found := na()
	for _, c := range r.contacts {
		switch {
		case c.Method != playground.ToolsCall || r.tool(c, s.Name) == nil:
		case c.Name() == s.Name:
			list = append(list, broken(c, "params", "name"))
		default:
			found = kept(c, "params", "name")
		}
	}
	return append(list, found)
}

// sameCase judges the case of a name.
func sameCase(r *record, s *Scenario) []ruling {
	var list []ruling
	found := na()
	for _, c := range r.contacts {
		switch name := c.Name(); {
		case c.Method != playground.ToolsCall || !strings.EqualFold(name, s.Name):
		case name != s.Name:
			list = append(list, broken(c, "params", "name").says(
				"The client called %s; the name of the tool is %s.", quoted(name), s.Name))
		default:
			found = kept(c, "params", "name")
		}
	}
	return append(list, found)
}

// waits notes whether a client comes back before the time that the server named.
func waits(c *Contact) ruling {
	seconds, err := strconv.Atoi(c.Head.Get("Retry-After"))
	if err != nil {
		return na()
	}
	again := c.record.sameTool(c)
	switch {
	case len(again) == 0 && !c.record.wentOn(c):
		return na()
	case len(again) == 0:
		return kept(c)
	}
	if waited := again[0].Started.Sub(c.Last); waited.Seconds() < float64(seconds) {
		return broken(again[0]).says("The client came back after %d ms; the server asked for %d s.",
			waited.Milliseconds(), seconds)
	}
	return kept(again[0])
}

// fewCalls is how often a call that is refused may be repeated.
const fewCalls = 3

// notHammered notes whether a call that is refused is repeated often.
func notHammered(r *record, s *Scenario) []ruling {
	found, calls := na(), map[string]int{}
	for _, c := range r.of(s) {
		if c.Head.Status < 400 && c.failure == nil {
			continue
		}
		name := clientName(&c.Round)
		if calls[name]++; calls[name] > fewCalls {
			return []ruling{broken(c).says("The client sent the refused call %d times.", calls[name])}
		}
		if r.wentOn(c) {
			found = kept(c)
		}
	}
	return []ruling{found}
}
