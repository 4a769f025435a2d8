package gateway

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

func capabilities(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if !u.Sent.Get("params").Has("_meta") {
			return // the line about _meta has it
		}
		path := []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities"}
		was, is := q.client.Sent.At(path...), u.Sent.At(path...)
		t.check(q, jsontree.Equal(was, is), fmt.Sprintf(
			"The client declared %s, the upstream saw %s.",
			text.Visible(
				string(was.Raw()),
				120,
			),
			cmp.Or(text.Visible(string(is.Raw()), 120), "nothing"),
		), path...)
	})
}

func questions(r *recordings, t *tally) {
	changed(inQuestions)(r, t)
	r.pairs(func(q *request, u playground.Round) {
		was, is := result(u).Get("inputRequests"), result(q.client).Get("inputRequests")
		if was != nil && result(q.client) != nil && !q.finished(u) {
			t.check(q, was.Len() == is.Len(), fmt.Sprintf(
				"The upstream asked %s, the client got %s.",
				text.Plural(
					was.Len(),
					"question",
				),
				text.Plural(is.Len(), "question"),
			), "result", "inputRequests")
		}
	})
}

func keys(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, asked *request, by playground.Round) {
		got := u.Sent.At("params", "inputResponses")
		if got == nil {
			return
		}
		own := result(by).Get("inputRequests")
		for _, m := range got.Entries() {
			t.check(q, own.Has(m.Key), "The upstream got an answer to a key that it did not ask: "+
				text.Visible(m.Key, 80)+".", "params", "inputResponses", m.Key)
		}
		sent := q.client.Sent.At("params", "inputResponses")
		for _, k := range keysOf(result(asked.client), result(by)) {
			if sent.Has(k.client.Key) && got.Len() < sent.Len() {
				t.check(q, got.Has(k.upstream.Key), "The upstream got no answer to its key "+
					text.Visible(k.upstream.Key, 80)+".", "params", "inputResponses")
			}
		}
	})
}

func newIDs(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, asked *request, by playground.Round) {
		id := u.Sent.Get("id")
		if jsontree.Equal(q.client.Sent.Get("id"), asked.client.Sent.Get("id")) {
			return // the gateway may pass on what its client sends
		}
		t.check(q, !jsontree.Equal(id, by.Sent.Get("id")), "The retry and the request before have the id "+
			visible(string(id.Raw()), 60)+".", "id")
	})
}

func answersDropped(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, _ *request, _ playground.Round) {
		if sent := q.client.Sent.At("params", "inputResponses"); sent.Len() > 0 {
			t.check(q, u.Sent.Get("params").Has("inputResponses"), "The upstream got no inputResponses.",
				"params", "inputResponses")
		}
	})
}

func state(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, _ *request, by playground.Round) {
		own, got := result(by).Get("requestState"), u.Sent.At("params", "requestState")
		if got == nil {
			return // the line about dropped states has it
		}
		sentence := "The upstream had given no requestState and got one."
		if own != nil {
			sentence = fmt.Sprintf("The upstream gave the requestState %s and got %s.",
				text.Visible(string(own.Raw()), 60), text.Visible(string(got.Raw()), 60))
		}
		holds := jsontree.Equal(own, got) || lettersDiffer(own.Str(), got.Str()) // a line of its own
		t.check(q, holds, sentence, "params", "requestState")
	})
}

func stateDropped(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if result(u).Has("requestState") && result(q.client) != nil && !q.finished(u) {
			t.check(q, result(q.client).Has("requestState"), "The result reached the client without its "+
				"requestState.", "result", "requestState")
		}
	})
	r.retries(func(q *request, u playground.Round, _ *request, by playground.Round) {
		if result(by).Has("requestState") && q.client.Sent.Get("params").Has("requestState") {
			t.check(q, u.Sent.Get("params").Has("requestState"),
				"The retry reached the upstream without the requestState.", "params", "requestState")
		}
	})
}

// finished reports whether the gateway made a question a final result, which the line about
// resultType counts.
func (q *request) finished(u playground.Round) bool {
	return result(u).Get("resultType").Str() == "input_required" &&
		result(q.client).Get("resultType").Str() == "complete"
}

func resultType(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		a, b := result(u), result(q.client)
		if a != nil && b != nil && a.Has("resultType") {
			was, is := a.Get("resultType"), b.Get("resultType")
			t.check(q, jsontree.Equal(was, is), fmt.Sprintf("resultType was %s and became %s.",
				text.Visible(string(was.Raw()), 60), cmp.Or(text.Visible(string(is.Raw()), 60), "nothing")),
				"result", "resultType")
		}
	})
}

func tasks(r *recordings, t *tally) {
	for _, c := range r.calls {
		if len(c.requests) == 0 || slices.ContainsFunc(c.requests, (*request).broken) {
			continue
		}
		first := c.requests[0]
		u, _ := first.up()
		id := result(u).Get("taskId")
		if id == nil || result(first.client).Get("resultType").Str() != "task" {
			continue // the lines about results have it
		}
		for _, q := range c.requests {
			switch q.client.Method {
			case playground.TasksCancel:
				t.check(q, len(q.ups) > 0, "The cancellation of the task did not reach the upstream; "+
					came(q)+".")
			case playground.TasksUpdate:
				t.check(q, len(q.ups) > 0, "The answer to the task did not reach the upstream; "+came(q)+".")
			}
		}
		t.task(c, id)
	}
}

// task judges what the upstream was asked about a task with an id, and the end of it.
func (t *tally) task(c *made, id *jsontree.Node) {
	first, last := c.requests[0], c.requests[len(c.requests)-1]
	polls := 0 // of the client
	polled, asked, answered := 0, false, false
	var end *jsontree.Node
	for _, q := range c.requests {
		if q.client.Method == playground.TasksGet {
			polls += 1 + q.client.Repeats
		}
		for _, u := range q.ups {
			if isCall(u.Method) {
				continue
			}
			polled++
			asked = asked || result(u).Get("inputRequests").Len() > 0
			answered = answered || u.Method == playground.TasksUpdate &&
				u.Sent.At("params", "inputResponses").Len() > 0
			t.check(q, jsontree.Equal(id, u.Sent.At("params", "taskId")), fmt.Sprintf(
				"The upstream made the task %s and was asked about %s.", text.Visible(id.Str(), 60),
				text.Visible(u.Sent.At("params", "taskId").Str(), 60)), "params", "taskId")
			if x := result(u).Get("result"); x != nil {
				end = x
			}
		}
	}
	t.check(first, polled > 0, "No poll reached the upstream.")
	if polled == 0 {
		return
	}
	if last.client.Final == nil && result(last.client).Get("status").Str() != "cancelled" {
		t.check(last, polled >= polls/2, fmt.Sprintf("Of %d polls of the client, %d reached the upstream.",
			polls, polled))
	}
	t.check(last, answered || !asked, "No answer reached the task.")
	t.check(last, jsontree.Equal(end, last.client.Final),
		"The result of the task is not that of the upstream; "+came(last)+".")
}
