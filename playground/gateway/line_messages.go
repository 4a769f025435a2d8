package gateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

func messages(r *recordings, t *tally) {
	r.responses(func(q *request, u playground.Round) {
		if len(q.client.Messages) == 0 && !q.empty() || q.compressed() {
			return
		}
		t.check(q, !q.unreadable(), "The client got something else than a message of the protocol. "+
			text.Visible(q.client.Detail, 200))
		if is := response(q.client); is != nil && response(u).Has("jsonrpc") {
			version := is.Get("jsonrpc")
			t.check(q, version.Str() == "2.0", "jsonrpc of the response was "+
				visible(string(version.Raw()), 40)+".", "jsonrpc")
		}
		kind := q.client.Head.MediaType()
		t.check(q, q.client.Head.Status/100 != 2 || isMessageType(kind) || !isMessageType(u.Head.MediaType()),
			"A response came with the content type "+visible(kind, 60)+".")
	})
}

// isMessageType reports whether responses have a media type.
func isMessageType(kind string) bool {
	return kind == "application/json" || kind == "text/event-stream"
}

func responseIDs(r *recordings, t *tally) {
	r.responses(func(q *request, u playground.Round) {
		if q.call.Stopped || q.client.Request.IsLine() {
			return
		}
		var ids []*jsontree.Node
		for _, m := range q.client.Messages {
			if m.IsResponse() && (m.Node.Has("id") || response(u).Has("id")) {
				ids = append(ids, m.Node.Get("id"))
			}
		}
		if len(ids) == 0 {
			return
		}
		own := q.client.Sent.Get("id")
		t.check(q, jsontree.Equal(own, ids[0]), fmt.Sprintf(
			"The client sent the id %s and got a response to %s.",
			visible(string(own.Raw()), 60), visible(string(ids[0].Raw()), 60)), "id")
		t.check(q, len(ids) == 1, fmt.Sprintf("The client got %d responses to one request.", len(ids)))
	})
}

// compressed reports whether the response has a coding that the client does not accept.
func (q *request) compressed() bool {
	coding := q.client.Head.Coding()
	return coding != "" && !head(q.client).AcceptsCoding(coding)
}

func codings(r *recordings, t *tally) {
	for _, q := range r.requests {
		if len(q.ups) > 0 && q.client.Head.Status > 0 {
			t.check(q, !q.compressed(), fmt.Sprintf(
				"The client accepts %s and got Content-Encoding %s.",
				visible(strings.Join(head(q.client).Values("Accept-Encoding"), ", "), 60),
				visible(q.client.Head.Coding(), 60)))
		}
	}
}

// visible is text.Visible with a word for an empty text.
func visible(s string, most int) string {
	if s == "" {
		return "nothing"
	}
	return text.Visible(s, most)
}

// notifications returns the notifications of a Round that are not about progress.
func notifications(r playground.Round) (list []*jsontree.Node) {
	for _, m := range r.Messages {
		if m.Method() != "" && !m.Node.Has("id") && m.Method() != playground.ProgressNotified {
			list = append(list, m.Node)
		}
	}
	return list
}

// subscriptions calls f for each subscription of the client.
func (r *recordings) subscriptions(f func(q *request)) {
	for _, q := range r.requests {
		if q.client.Method == playground.Listen {
			f(q)
		}
	}
}

// acknowledged reports whether a subscription was acknowledged.
func acknowledged(r playground.Round) bool {
	return slices.ContainsFunc(notifications(r), func(n *jsontree.Node) bool {
		return n.Get("method").Str() == acknowledgment
	})
}

const (
	acknowledgment   = "notifications/subscriptions/acknowledged"
	subscriptionMeta = "io.modelcontextprotocol/subscriptionId"
)

func subscribed(r *recordings, t *tally) {
	r.subscriptions(func(q *request) {
		u, reached := q.up()
		switch {
		case !reached:
			if !acknowledged(q.client) && !refusesMethod(q.client) {
				t.check(q, false, "The subscription did not reach the upstream; "+came(q)+".")
			}
			return
		case q.unreadable():
			return
		}
		was, is := notifications(u), notifications(q.client)
		t.check(q, len(was) == len(is), fmt.Sprintf("The upstream sent %s, the client got %d.",
			text.Plural(len(was), "notification"), len(is)))
		if len(was) != len(is) {
			return
		}
		for i := range was {
			a, b := was[i], is[i]
			uri, listed := a.At("params", "uri").Str(), b.At("params", "uri").Str()
			t.check(q, a.Get("method").Str() == b.Get("method").Str() && (uri == listed ||
				IsNameOf(listed, uri)), fmt.Sprintf("Notification %d was %s %s and became %s %s.", i+1,
				visible(a.Get("method").Str(), 60), text.Visible(uri, 80),
				visible(b.Get("method").Str(), 60), text.Visible(listed, 80)))
		}
		if len(was) > 0 {
			a, b := was[0].At("params", "notifications"), is[0].At("params", "notifications")
			t.check(q, a.Len() == b.Len(), fmt.Sprintf("The upstream acknowledged %s, the client got %s.",
				visible(string(a.Raw()), 120), visible(string(b.Raw()), 120)))
		}
	})
}

// refusesMethod reports whether a method is not known, which a client can see.
func refusesMethod(r playground.Round) bool { return r.Error != nil && r.Error.Code == -32601 }

// subscriptionIDs judges the ids of notifications. Over HTTP the stream says which subscription
// they belong to as well, so one that was not mapped back from the gateway's own is an advice.
func subscriptionIDs(r *recordings, t *tally) {
	r.subscriptions(func(q *request) {
		own := q.client.Sent.Get("id")
		u, _ := q.up()
		for _, n := range notifications(q.client) {
			id := n.At("params", "_meta", subscriptionMeta)
			t.saw(q)
			if jsontree.Equal(own, id) {
				continue
			}
			t.found = append(t.found, found{
				q: q, path: []string{"params", "_meta", subscriptionMeta},
				sentence: fmt.Sprintf("The subscription of the client has the id %s, the notification %s.",
					visible(string(own.Raw()), 60), visible(string(id.Raw()), 60)),
				mild: id != nil && jsontree.Equal(u.Sent.Get("id"), id) && !q.client.Request.IsLine(),
			})
		}
	})
}
