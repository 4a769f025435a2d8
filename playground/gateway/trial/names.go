package trial

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// matchAll finds out which names of the gateway are those of the upstream. It needs all names of
// the upstream that are known, because some end with others.
func (t *trial) matchAll(ctx context.Context) {
	log, _ := t.Upstream.Log(ctx) // what the gateway asked for already; without it fewer names are known
	ups := playground.Connections(log)
	t.matched = map[string]map[string]entry{}
	for method, entries := range t.offered {
		own := t.names(method, ups)
		listed := make([]string, len(entries))
		for i, e := range entries {
			listed[i] = e.name
		}
		t.matched[method] = map[string]entry{}
		for i, at := range gateway.MatchNames(own, listed) {
			if at >= 0 {
				t.matched[method][own[i]] = entries[at]
			}
		}
	}
}

// names returns what a method calls at the upstream: what the test calls, and what the upstream
// listed.
func (t *trial) names(method string, ups []playground.Round) []string {
	var list []string
	for _, o := range t.Own {
		if o.Method == method {
			list = append(list, o.Name)
		}
	}
	for _, p := range plans() {
		if t.Own == nil && cmp.Or(p.method, playground.ToolsCall) == method {
			list = append(list, p.tool)
		}
	}
	offer := offers[method]
	for _, u := range ups {
		if u.Method != offer.list {
			continue
		}
		for _, n := range u.Result.Get(offer.entries).Elements() {
			list = append(list, n.Get(offer.name).Str())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// offers reports whether the gateway lists what a plan calls. What it does not list is not called,
// because it may refuse that.
func (t *trial) offers(p plan) bool {
	method := cmp.Or(p.method, playground.ToolsCall)
	_, listed := t.matched[method][p.tool]
	return method == playground.Listen || listed
}

// find returns what is called as the gateway lists it. What the gateway does not list is called by
// its own name.
func (t *trial) find(method, name string) entry {
	if e, listed := t.matched[method][name]; listed {
		return e
	}
	return entry{name: name}
}

// callable reports whether the name of an own call is known at the gateway, or nothing there is like
// it: a name that ends with it may be that of something else, which must not be called.
func (t *trial) callable(o OwnCall) bool {
	_, listed := t.matched[o.Method][o.Name]
	return listed || !slices.ContainsFunc(t.offered[o.Method], func(e entry) bool {
		return gateway.IsNameOf(e.name, o.Name)
	})
}

// uncallable returns a sentence if no own call can be made, or "".
func (t *trial) uncallable() string {
	if len(t.Own) == 0 || slices.ContainsFunc(t.Own, t.callable) {
		return ""
	}
	return fmt.Sprintf("The gateway does not list %s, or lists several names that may be it.",
		text.Visible(t.Own[0].Name, 80))
}
