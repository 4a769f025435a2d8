package capture

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// notRetried judges whether what is no question of the call was answered.
func notRetried(o *observation, c *contact) finding {
	if c.source != nil || len(c.issued()) == 0 {
		return finding{}
	}
	if list := o.retries(c); len(list) > 0 {
		return fault(list[0], "params")
	}
	if o.wentOn(c) {
		return fine(c)
	}
	return finding{}
}

// pairs judges every two requests of the scenario that were in progress at the same time and
// name the same client.
func pairs(o *observation, s *Scenario, judge func(a, b *contact) finding) finding {
	var list []finding
	all := o.of(s)
	for i, a := range all {
		for _, b := range all[i+1:] {
			const info = "io.modelcontextprotocol/clientInfo"
			if a.overlaps(b) && jsontree.Equal(a.meta().Get(info), b.meta().Get(info)) {
				list = append(list, judge(a, b))
			}
		}
	}
	return worst(list)
}

func idFree(o *observation, s *Scenario) finding {
	return pairs(o, s, func(a, b *contact) finding {
		return is(!jsontree.Equal(a.Sent.Get("id"), b.Sent.Get("id")), b, "id")
	})
}

func tokenFree(o *observation, s *Scenario) finding {
	return pairs(o, s, func(a, b *contact) finding {
		one, other := a.meta().Get("progressToken"), b.meta().Get("progressToken")
		if one == nil || other == nil {
			return finding{}
		}
		return is(!jsontree.Equal(one, other), b, "params", "_meta", "progressToken")
	})
}

// notMixed judges a retry of one of two calls that waited for answers at the same time.
func notMixed(o *observation, c *contact) finding {
	if c.mixed() {
		return fault(c, "params")
	}
	for _, x := range o.contacts {
		if x.source == nil && x.scenario == c.scenario && x != c.source && c.after(x) &&
			!x.Started.After(c.source.Last) && len(x.issued()) > 0 && c.byKey != nil && c.byState != nil {
			return fine(c, "params")
		}
	}
	return finding{}
}

// longLoop is the number of rounds after which a client should have ended an endless call.
const longLoop = 100

func ends(o *observation, s *Scenario) finding {
	rounds := map[*contact]int{}
	for _, c := range o.of(s) {
		if c.source != nil {
			rounds[c] = rounds[c.source] + 1
		}
		if rounds[c] >= longLoop {
			return fault(c).says("The client sent %d rounds of a call without an end.", rounds[c]+1)
		}
	}
	for _, c := range o.of(s) {
		if len(o.retries(c)) == 0 && rounds[c] > 0 && o.wentOn(c) {
			return fine(c).says("The client ended the call after %d rounds.", rounds[c]+1)
		}
	}
	return finding{}
}

// ignoresComments judges a retry after a stream whose comments hold a false answer.
func ignoresComments(_ *observation, c *contact) finding {
	if !c.source.Head.IsStream() {
		return finding{}
	}
	asked := c.source.asked().Get("inputRequests")
	for _, a := range c.answers() {
		if !asked.Has(a.Key) && len(marksIn(a.Key)) > 0 {
			return fault(c, "params", "inputResponses", a.Key)
		}
	}
	return fine(c, "params")
}

// sameTool returns the later calls of what the contact called.
func (o *observation) sameTool(c *contact) []*contact {
	var list []*contact
	for _, x := range o.contacts {
		if x.Method == c.Method && x.name() == c.name() && x.after(c) && x.sameClient(c) {
			list = append(list, x)
		}
	}
	return list
}

// afterCut notes whether a call whose stream was cut off is sent again with the same id.
func afterCut(o *observation, s *Scenario) finding {
	var list []finding
	for _, c := range o.of(s) {
		if again := o.sameTool(c); len(again) > 0 {
			same := jsontree.Equal(again[0].Sent.Get("id"), c.Sent.Get("id"))
			list = append(list, is(!same, again[0], "id"))
		} else if o.wentOn(c) {
			list = append(list, fine(c))
		}
	}
	return worst(list)
}

// signal judges how a client gives up a request.
func signal(o *observation, c *contact) finding {
	for _, x := range o.contacts {
		if x.Method == playground.CancelledNotified && o.cancels(x, c) {
			return fault(x, "method")
		}
	}
	if c.Kind == playground.OutcomeCancelled {
		return fine(c)
	}
	return finding{}
}

// listAgain judges what follows an error about headers.
func listAgain(o *observation, c *contact) finding {
	if c.failure == nil {
		return finding{}
	}
	again := o.sameTool(c)
	for _, x := range o.contacts {
		if x.Method == playground.ToolsList && x.after(c) && x.sameClient(c) &&
			(len(again) == 0 || !x.Started.After(again[0].Started)) {
			return fine(x)
		}
	}
	if len(again) > 0 {
		return fault(again[0])
	}
	return finding{}
}

// noFallback judges whether a client takes an error of this revision for an earlier server.
func noFallback(o *observation, c *contact) finding {
	if c.failure == nil {
		return finding{}
	}
	for _, x := range o.contacts {
		if x.Method == playground.Initialize && o.before(x) == c {
			return fault(x, "method")
		}
	}
	if o.wentOn(c) {
		return fine(c)
	}
	return finding{}
}

// before returns the newest request of this revision that the same client had an answer to
// before a contact, or nil: what comes after that answer is no consequence of earlier ones.
func (o *observation) before(c *contact) *contact {
	var newest *contact
	for _, x := range o.contacts {
		answered := x.result != nil || x.failure != nil || x.Head.Status >= 400
		if x.isRequest() && answered && c.after(x) && c.sameClient(x) &&
			(newest == nil || x.Last.After(newest.Last)) {
			newest = x
		}
	}
	return newest
}

// versionRetry judges the version of a call that is repeated after error -32022.
func versionRetry(o *observation, c *contact) finding {
	supported := c.failure.At("data", "supported").Elements()
	again := o.sameTool(c)
	if len(supported) == 0 || len(again) == 0 {
		return finding{}
	}
	const name = "io.modelcontextprotocol/protocolVersion"
	for _, v := range supported {
		if jsontree.Equal(v, again[0].meta().Get(name)) {
			return fine(again[0], "params", "_meta", name)
		}
	}
	return fault(again[0], "params", "_meta", name)
}
