package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// entry is a tool, a prompt or a resource as the gateway lists it.
type entry struct {
	name string          // or the URI
	tool json.RawMessage // the definition of a tool; else nil
}

// offers are the lists with what is called, by the method of the call, and the member of their
// results.
var offers = map[string]struct{ list, entries, name string }{
	playground.ToolsCall:     {playground.ToolsList, "tools", "name"},
	playground.PromptsGet:    {playground.PromptsList, "prompts", "name"},
	playground.ResourcesRead: {playground.ResourcesList, "resources", "uri"},
}

// attempts is how often a gateway is asked again that reached the upstream, and answered with
// an error.
const attempts = 3

// list lists what the gateway offers, once it has the tools of the upstream. It returns a
// sentence if it does not get what has to be called.
func (t *trial) list(ctx context.Context) string {
	limited, stop := context.WithTimeout(ctx, t.Wait)
	defer stop()
	var last playground.Round
	var of string // what last lists
	for refused := 0; ; {
		complete := true
		t.offered, t.lists, t.listed = map[string][]entry{}, nil, 0
		for i, method := range t.methods() {
			entries, newest := t.pages(limited, method)
			if t.listed > maxListed {
				return fmt.Sprintf("The lists of the gateway are larger than %d MiB, so that nothing "+
					"was called.",
					maxListed>>20)
			}
			t.offered[method] = entries
			if t.Own == nil && i > 0 {
				continue // a gateway for tools is one too
			}
			if limited.Err() == nil || last.Kind == "" {
				last, of = newest, offers[method].entries // and not what the limit cut off
			}
			if complete = newest.Kind == playground.OutcomeComplete; !complete {
				break
			}
		}
		t.matchAll(limited)
		if complete && (t.Own != nil || t.hasTools()) {
			return t.uncallable()
		}
		if log, err := t.Upstream.Log(limited); err == nil && len(log) > 0 {
			refused++
		}
		if refused < attempts && limited.Err() == nil && t.Pause(limited, 250*time.Millisecond) == nil {
			continue
		}
		switch {
		case complete:
			return "The gateway lists none of the tools of the upstream: " +
				"check the address that it is pointed at."
		case last.Error != nil:
			return fmt.Sprintf(
				"The gateway does not list the %s of the upstream: error %d, %s.",
				of, last.Error.Code, t.shown(last.Error.Message, 200),
			)
		case last.Detail != "":
			return fmt.Sprintf("The gateway does not list the %s of the upstream: %s.",
				of, t.shown(last.Detail, 300))
		}
		return "The gateway does not answer."
	}
}

// shown returns a text of the gateway for a sentence: with the secrets masked, before a limit cuts
// one of them, and without a period.
func (t *trial) shown(s string, limit int) string {
	return strings.TrimSuffix(text.Visible(t.Target.Secrets.MaskText(s), limit), ".")
}

// methods returns the methods of the calls whose lists are needed.
func (t *trial) methods() []string {
	if t.Own == nil {
		return []string{playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead}
	}
	var list []string
	for _, o := range t.Own {
		if !slices.Contains(list, o.Method) {
			list = append(list, o.Method)
		}
	}
	return list
}

// hasTools reports whether the gateway lists the tools of the upstream.
func (t *trial) hasTools() bool {
	return slices.ContainsFunc(plans(), func(p plan) bool {
		return p.method == "" && t.offers(p)
	})
}

// maxPages is how many pages of a list are read, and maxListed how many bytes all lists may have:
// they are stored with the test.
const (
	maxPages  = 20
	maxListed = 2 << 20
)

// pages reads the pages of the list for a method, and returns the newest Round.
func (t *trial) pages(ctx context.Context, method string) ([]entry, playground.Round) {
	var entries []entry
	offer := offers[method]
	params := json.RawMessage("{}")
	for range maxPages {
		x, err := drive.Fetch(ctx, t.Engine, t.Target, offer.list, params)
		if err != nil {
			return nil, playground.Round{}
		}
		r := *x.Fold().Last()
		c := gateway.Call{
			Method: offer.list, Tool: offer.list, Name: offer.list, Focus: gateway.Definitions,
		}
		for _, e := range x.Log {
			t.listed += len(e.Data)
			c.Fetched = append(c.Fetched, e.Redact(t.Target.Secrets))
		}
		if t.listed > maxListed {
			return entries, r
		}
		t.lists = append(t.lists, c)
		for _, n := range r.Result.Get(offer.entries).Elements() {
			e := entry{name: n.Get(offer.name).Str()}
			if method == playground.ToolsCall {
				e.tool = n.Raw()
			}
			entries = append(entries, e)
		}
		cursor, more := r.Result.Get("nextCursor").Text()
		if r.Kind != playground.OutcomeComplete || !more {
			return entries, r
		}
		params = jsontree.ObjectOf(jsontree.Pair{Key: "cursor", Value: jsontree.Quote(cursor)})
	}
	return entries, playground.Round{Outcome: playground.Outcome{Kind: playground.OutcomeComplete}}
}
