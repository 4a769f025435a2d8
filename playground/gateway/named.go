package gateway

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// named is something that a gateway may do, with its sentence.
type named struct {
	id, title string
	sentence  func(*recordings) string // empty if the gateway does not do it
}

// habits are what is named and not judged.
var habits = []named{
	{"ids", "JSON-RPC ids of its own", pairsWith("The upstream gets other ids than the client sent",
		func(q *request, u playground.Round) bool {
			return !jsontree.Equal(q.client.Sent.Get("id"), u.Sent.Get("id"))
		})},
	{"names", "Names of its own", func(r *recordings) string {
		for _, c := range r.calls {
			if c.Name != c.Tool {
				return fmt.Sprintf(
					"%s is called %s at the gateway.",
					c.Tool,
					text.Visible(c.Name, 80),
				)
			}
		}
		return ""
	}},
	{
		"keys-mapped",
		"Keys of its own",
		pairsWith("The client sees other keys of questions than the upstream made",
			func(q *request, u playground.Round) bool {
				for _, k := range keysOf(result(q.client), result(u)) {
					if k.client.Key != k.upstream.Key {
						return true
					}
				}
				return false
			}),
	},
	{"state-wrapped", "A requestState of its own",
		pairsWith("The client sees another requestState than the upstream gave",
			func(q *request, u playground.Round) bool {
				is := result(q.client).Get("requestState")
				return is != nil && !jsontree.Equal(result(u).Get("requestState"), is)
			})},
	{"task-ids", "Task ids of its own", pairsWith("The client sees another taskId than the upstream made",
		func(q *request, u playground.Round) bool {
			is := result(q.client).Get("taskId")
			return is != nil && !jsontree.Equal(result(u).Get("taskId"), is)
		})},
	{
		"tokens",
		"Progress tokens of its own",
		pairsWith("The upstream gets other progress tokens than the client sent",
			func(q *request, u playground.Round) bool {
				token := u.Sent.At("params", "_meta", "progressToken")
				return token != nil &&
					!jsontree.Equal(q.client.Sent.At("params", "_meta", "progressToken"), token)
			}),
	},
	{"client-info", "A client of its own", pairsWith("The upstream sees another clientInfo",
		func(q *request, u playground.Round) bool {
			path := []string{"params", "_meta", "io.modelcontextprotocol/clientInfo"}
			return !jsontree.Equal(q.client.Sent.At(path...), u.Sent.At(path...))
		})},
	{"reserialised", "JSON that was written again", func(r *recordings) string {
		n := 0
		for _, c := range r.compared {
			if c.reserialised {
				n++
			}
		}
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("%s have other bytes with the same meaning.", text.Plural(n, "part"))
	}},
	{"added", "Members of its own", func(r *recordings) string {
		for _, c := range r.compared {
			for _, d := range c.changes {
				if d.class == added {
					return fmt.Sprintf(
						"The gateway adds %s to the %s.",
						text.Visible(c.path[len(c.path)-1], 80),
						c.part,
					)
				}
			}
		}
		return ""
	}},
	{Surrogates, "Half of a surrogate pair", func(r *recordings) string {
		for _, c := range r.compared {
			for _, d := range c.changes {
				if d.class == surrogate {
					return "A text with half of a surrogate pair, which is no Unicode, is changed."
				}
			}
		}
		return ""
	}},
	{"filtered", "A list of fewer entries", func(r *recordings) string {
		return count(r.unlisted, "does not list", "of the upstream")
	}},
	{"aggregated", "Entries of its own", func(r *recordings) string {
		return count(r.foreign, "lists", "that the upstream does not have")
	}},
	{"descriptions", "Descriptions of its own", func(r *recordings) string {
		return r.definitionWith(texts, "is described in other words")
	}},
	{"annotations", "Annotations of its own", func(r *recordings) string {
		return r.definitionWith(annotation, "is listed with another x-mcp-header")
	}},
	{"own-token", "A token of its own", ownToken},
	{"own-subscriptions", "Subscriptions of its own", func(r *recordings) (sentence string) {
		r.subscriptions(func(q *request) {
			if len(q.ups) == 0 && acknowledged(q.client) {
				sentence = "The gateway acknowledges a subscription that does not reach the upstream."
			}
		})
		return sentence
	}},
	{"no-subscriptions", "No subscriptions", func(r *recordings) (sentence string) {
		r.subscriptions(func(q *request) {
			if len(q.ups) == 0 && refusesMethod(q.client) {
				sentence = "The gateway does not know subscriptions/listen."
			}
		})
		return sentence
	}},
	{"framing", "Streams and bodies of its own", pairsWith(
		"The upstream and the gateway answer in another form, a stream or one body",
		func(q *request, u playground.Round) bool {
			return q.client.Head.Status > 0 && response(u) != nil && response(q.client) != nil &&
				u.Head.IsStream() != q.client.Head.IsStream()
		})},
	{"sticks", "Sticks to an instance", sticks},
	{"own-retries", "Retries of its own", func(r *recordings) string {
		n := 0
		for _, q := range r.requests {
			n += q.continued()
		}
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("The gateway went on by itself with a requestState (%s).", text.Plural(n, "retry"))
	}},
	{"own-requests", "Requests of its own", func(r *recordings) string {
		n := len(r.alone)
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(
			"The upstream got %s that belong to no call of the client.",
			text.Plural(n, "request"),
		)
	}},
}

// count returns a sentence about definitions, or "".
func count(list []definition, verb, which string) string {
	if len(list) == 0 {
		return ""
	}
	var names []string
	for _, d := range list[:min(len(list), 5)] {
		names = append(names, text.Visible(d.name, 80))
	}
	more := ""
	if n := len(list) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("The gateway %s %s%s, %s.", verb, strings.Join(names, ", "), more, which)
}

// definitionWith returns a sentence about the first definition with a change of a class, or "".
func (r *recordings) definitionWith(k class, words string) string {
	for _, c := range r.compared {
		for _, d := range c.changes {
			if c.part == inDefs && d.class == k {
				return text.Visible(c.path[0], 80) + " " + words + "."
			}
		}
	}
	return ""
}

// pairsWith returns a sentence if a pair meets a condition.
func pairsWith(sentence string, is func(*request, playground.Round) bool) func(*recordings) string {
	return func(r *recordings) string {
		n := 0
		r.pairs(func(q *request, u playground.Round) {
			if is(q, u) {
				n++
			}
		})
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("%s (%s).", sentence, text.Plural(n, "request"))
	}
}

// sticks says that every retry reached the instance that had asked.
func sticks(r *recordings) string {
	retries, others := 0, 0
	r.retries(func(_ *request, u playground.Round, _ *request, by playground.Round) {
		if u.Instance == "" || by.Instance == "" {
			return
		}
		retries++
		if u.Instance != by.Instance {
			others++
		}
	})
	if retries < 2 || others > 0 {
		return ""
	}
	return fmt.Sprintf(
		"All %d retries reached the instance that had asked. If it ends, so do its calls.",
		retries,
	)
}

// namedLines returns a line for each habit that the gateway has.
func (r *recordings) namedLines() []verdict.Line {
	list := []verdict.Line{}
	for _, h := range habits {
		if sentence := h.sentence(r); sentence != "" {
			list = append(list, verdict.Line{
				ID: h.id, Title: h.title, Outcome: verdict.NotJudged, Sentence: sentence,
			})
		}
	}
	return list
}
