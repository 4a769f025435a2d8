package gateway

import (
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// notes returns the notifications of a Round about its request, and whether all are before the
// response. Without logs it leaves out log messages.
func notes(r playground.Round, logs bool) (list []*jsontree.Node, first bool) {
	first = true
	answered := false
	for _, m := range r.Messages {
		answered = answered || m.IsResponse()
		if m.Method() == playground.ProgressNotified || logs && m.Method() == playground.MessageNotified {
			list = append(list, m.Node)
			first = first && !answered
		}
	}
	return list, first
}

// noted are the members of the params of notifications that reach the client as they are.
var noted = []string{"progress", "total", "message", "level", "logger", "data"}

func progress(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		path := []string{"params", "_meta", "progressToken"}
		if q.client.Sent.At(path...) != nil && u.Sent.At(path...) == nil &&
			u.Sent.Get("params").Has("_meta") {
			t.check(q, false, "The request reached the upstream without a progress token.", path...)
		}
		logs := !q.client.Request.IsLine() // a line does not say which request a log message is about
		was, _ := notes(u, logs)
		if len(was) == 0 || q.call.Stopped || q.unreadable() {
			return
		}
		is, first := notes(q.client, logs)
		t.check(q, first, "A notification came after the result.")
		t.check(q, len(is) == len(was), fmt.Sprintf("The upstream sent %s, the client got %d.",
			text.Plural(len(was), "notification"), len(is)))
		for i := range min(len(was), len(is)) {
			a, b := was[i].Get("method").Str(), is[i].Get("method").Str()
			t.check(q, a == b, fmt.Sprintf("Notification %d was %s and became %s.", i+1, visible(a, 60),
				visible(b, 60)))
			for _, name := range noted {
				t.check(q, a != b || jsontree.Equal(was[i].At("params", name), is[i].At("params", name)),
					fmt.Sprintf("%s of notification %d was changed.", name, i+1))
			}
		}
	})
}

func progressToken(r *recordings, t *tally) {
	r.pairs(func(q *request, _ playground.Round) {
		own := q.client.Sent.At("params", "_meta", "progressToken")
		list, _ := notes(q.client, false)
		for _, n := range list {
			token := n.At("params", "progressToken")
			t.check(q, jsontree.Equal(own, token), fmt.Sprintf(
				"The client sent the token %s and got a notification with %s.",
				visible(string(own.Raw()), 60), visible(string(token.Raw()), 60)))
		}
	})
}

func streams(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if q.call.Tool == waiting {
			t.stream(r, q, u)
		}
	})
	r.subscriptions(func(q *request) {
		if u, reached := q.up(); reached && u.Kind == playground.OutcomeComplete {
			t.stream(r, q, u)
		}
	})
}

// stream judges a stream whose end waits for the client. One that is compressed is read as a
// whole, and does not show when its parts came. Two clocks show differences of more than a second.
func (t *tally) stream(r *recordings, q *request, u playground.Round) {
	if len(u.Messages) < 2 || len(q.client.Messages) < 2 || q.client.Decoded {
		return
	}
	last := u.Messages[len(u.Messages)-1]
	first := q.client.Messages[0].At
	if r.Clocks && first.Sub(last.At).Abs() <= unclear {
		return
	}
	t.check(q, first.Before(last.At),
		"The first event came to the client when the upstream had sent its result.")
}

// unclear is a difference between the times of two clocks that says nothing.
const unclear = time.Second

// waiting is the tool whose result waits until its first event has arrived.
const waiting = "hop_stream"

func cancellation(r *recordings, t *tally) {
	for _, q := range r.requests {
		u, reached := q.up()
		closed := q.client.Ended
		if r.Clocks {
			closed = closed.Add(unclear)
		}
		over := u.Kind != playground.OutcomeCancelled && u.Ended.Before(closed) && !u.Ended.IsZero()
		if reached && q.call.Stopped && !over {
			sentence := "The client closed its connection; that to the upstream stayed open."
			if q.client.Request.IsLine() {
				sentence = "The client cancelled the call; the connection to the upstream stayed open."
			}
			t.check(q, u.Kind == playground.OutcomeCancelled, sentence)
		}
	}
}
