package rules

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// notRetried judges whether the client answered a question that the call does
// not have.
func notRetried(c *Contact) ruling {
	if c.Source != nil || len(c.Issued()) == 0 {
		return na()
	}
	if list := c.record.retries(c); len(list) > 0 {
		return broken(list[0], "params")
	}
	return left(c)
}

// pairs judges every two requests of the scenario that were in progress at the same time and
// name the same client.
func pairs(judge func(a, b *Contact) ruling) check {
	return func(r *record, s *Scenario) []ruling {
		var list []ruling
		all := r.of(s)
		for i, a := range all {
			for _, b := range all[i+1:] {
				const info = metaPrefix + "clientInfo"
				if a.overlaps(b) && jsontree.Equal(a.meta().Get(info), b.meta().Get(info)) {
					list = append(list, judge(a, b))
				}
			}
		}
		return list
	}
}

func idFree(a, b *Contact) ruling {
	return keeps(!jsontree.Equal(a.Sent.Get("id"), b.Sent.Get("id")), b, "id")
}

func tokenFree(a, b *Contact) ruling {
	one, other := a.meta().Get("progressToken"), b.meta().Get("progressToken")
	if one == nil || other == nil {
		return na()
	}
	return keeps(!jsontree.Equal(one, other), b, "params", "_meta", "progressToken")
}

// notMixed judges a retry of one of two calls that waited for answers at the same time.
func notMixed(c *Contact) ruling {
	if c.Mixed {
		return broken(c, "params")
	}
	for _, x := range c.record.contacts {
		if x.Source == nil && x.Scenario == c.Scenario && x != c.Source && c.after(x) &&
			!x.Started.After(c.Source.Last) && len(x.Issued()) > 0 && c.Known {
			return kept(c, "params")
		}
	}
	return na()
}

// longLoop is the number of rounds after which a client should have ended an endless call.
const longLoop = 100

func ends(r *record, s *Scenario) []ruling {
	rounds := map[*Contact]int{}
	for _, c := range r.of(s) {
		if c.Source != nil {
			rounds[c] = rounds[c.Source] + 1
		}
		if rounds[c] >= longLoop {
			return []ruling{broken(c).says(
				"The client sent %d rounds of a call without an end.", rounds[c]+1)}
		}
	}
	for _, c := range r.of(s) {
		if len(r.retries(c)) == 0 && rounds[c] > 0 && r.wentOn(c) {
			return []ruling{kept(c).says("The client ended the call after %d rounds.", rounds[c]+1)}
		}
	}
	return nil
}

// ignoresComments judges a retry after a stream whose comments hold a false answer.
func ignoresComments(c *Contact) ruling {
	if !c.Source.Head.IsStream() {
		return na()
	}
	asked := c.Source.asked().Get("inputRequests")
	for _, a := range c.inputResponses() {
		if !asked.Has(a.Key) && len(Marks(a.Key)) > 0 {
			return broken(c, "params", "inputResponses", a.Key)
		}
	}
	return kept(c, "params")
}

// sameTool returns the later calls of the same tool, prompt or resource as the
// contact's.
func (r *record) sameTool(c *Contact) []*Contact {
	var list []*Contact
	for _, x := range r.contacts {
		if x.Method == c.Method && x.Name() == c.Name() && x.after(c) && x.isOfClient(c) {
			list = append(list, x)
		}
	}
	return list
}

// afterCut notes whether a call whose stream was cut off is sent again with the same id.
func afterCut(c *Contact) ruling {
	if again := c.record.sameTool(c); len(again) > 0 {
		same := jsontree.Equal(again[0].Sent.Get("id"), c.Sent.Get("id"))
		return keeps(!same, again[0], "id")
	}
	return left(c)
}

// signal judges how a client gives up a request.
func signal(c *Contact) ruling {
	for _, x := range c.record.contacts {
		if x.Method == playground.CancelledNotified && c.record.cancels(x, c) {
			return broken(x, "method")
		}
	}
	if c.Kind == playground.OutcomeCancelled {
		return kept(c)
	}
	return na()
}

// listAgain judges what follows an error about headers.
func listAgain(c *Contact) ruling {
	if c.failure == nil {
		return na()
	}
	again := c.record.sameTool(c)
	for _, x := range c.record.contacts {
		if x.Method == playground.ToolsList && x.after(c) && x.isOfClient(c) &&
			(len(again) == 0 || !x.Started.After(again[0].Started)) {
			return kept(x)
		}
	}
	if len(again) > 0 {
		return broken(again[0])
	}
	return na()
}

// noFallback judges whether a client takes an error of this revision for an earlier server.
func noFallback(c *Contact) ruling {
	if c.failure == nil {
		return na()
	}
	for _, x := range c.record.contacts {
		if x.Method == playground.Initialize && c.record.before(x) == c {
			return broken(x, "method")
		}
	}
	return left(c)
}

// before returns the newest request of this revision that the same client had an answer to
// before a contact, or nil: a request after that answer is no consequence of
// earlier ones.
func (r *record) before(c *Contact) *Contact {
	var newest *Contact
	for _, x := range r.contacts {
		answered := x.Result != nil || x.failure != nil || x.Head.Status >= 400
		if x.isModern() && answered && c.after(x) && c.isOfClient(x) &&
			(newest == nil || x.Last.After(newest.Last)) {
			newest = x
		}
	}
	return newest
}

// versionRetry judges the version of a call that is repeated after error -32022.
func versionRetry(c *Contact) ruling {
	supported := c.failure.At("data", "supported").Elements()
	again := c.record.sameTool(c)
	if len(supported) == 0 || len(again) == 0 {
		return na()
	}
	const name = "io.modelcontextprotocol/protocolVersion"
	for _, v := range supported {
		if jsontree.Equal(v, again[0].meta().Get(name)) {
			return kept(again[0], "params", "_meta", name)
		}
	}
	return broken(again[0], "params", "_meta", name)
}
