package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// path is what one call shows: what was asked, answered and returned.
type path struct {
	args  *jsontree.Node
	tool  *jsontree.Node // its definition; nil if unknown
	asked []asked
	end   ending
	task  bool
}

// asked is a question in a path, or work that was given back (flow.Shed).
type asked struct {
	kind    flow.StepKind
	key     string // in the flow
	q       playground.Question
	round   int
	inTask  bool
	action  string         // accept, decline or cancel; "" if no answer is recorded
	content *jsontree.Node // of an accepted form
	model   string         // the text of a sampled message
	again   bool           // it was refused, and asked again
	secret  bool           // a form that asks for a secret
}

// ending is how a path ends.
type ending struct {
	seen   bool
	text   string
	failed bool // the result reports an error
}

// read returns the path of a call.
func (d *draft) read(x playground.Exchange) (path, bool) {
	p := path{}
	params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	if err != nil {
		return p, false
	}
	p.args = params.Get("arguments")
	p.tool, _ = jsontree.Parse(x.Call.Tool, jsontree.Limits{})
	rounds := x.Fold().Rounds
	responded := false
	for i, r := range rounds {
		switch r.Kind {
		case playground.OutcomePending, playground.OutcomeTransportError, playground.OutcomeHTTPError,
			playground.OutcomeCancelled, playground.OutcomeInterrupted, playground.OutcomeViolation:
			d.failures++
			continue
		}
		responded = true
		d.extras(r)
		p.task = p.task || r.Task != nil
		switch {
		case r.Kind == playground.OutcomeRetry && len(p.asked) < maxSteps:
			p.asked = append(p.asked, asked{kind: flow.Shed, key: "work", round: r.N})
		case r.Kind == playground.OutcomeInputRequired:
			for _, q := range r.Questions {
				p.ask(d, q, r, answersAfter(rounds[i+1:], q.Key))
			}
		}
		if r.Final != nil {
			p.end = d.final(x.Call.Method, r)
		} else if r.Kind == playground.OutcomeRPCError && r.Error != nil {
			p.end = ending{true, r.Error.Message, true}
			d.note(-1, "The call ended with the JSON-RPC error %d. A flow ends with the error of a tool.",
				r.Error.Code)
		}
	}
	p.uniqueKeys(d)
	return p, responded
}

// answersAfter returns the answer to a key in the first request after the question that
// has one.
func answersAfter(rounds []playground.Round, key string) *jsontree.Node {
	for _, r := range rounds {
		for _, a := range r.Answers() {
			if a.Key == key {
				n, _ := jsontree.Parse(a.Value, jsontree.Limits{})
				return n
			}
		}
		if a := r.Sent.At("params", "inputResponses", key); a != nil {
			return a
		}
	}
	return nil
}

// ask adds a question to the path.
func (p *path) ask(d *draft, q playground.Question, r playground.Round, answer *jsontree.Node) {
	a := asked{key: q.Key, q: q, round: r.N, inTask: r.Task != nil}
	switch {
	case q.Method == playground.Elicit && q.Mode() == "url":
		a.kind = flow.URL
	case q.Method == playground.Elicit:
		a.kind = flow.Form
		if a.secret = asksSecret(q.Params); a.secret {
			a.kind = flow.URL
		}
	case q.Method == playground.CreateMessage:
		a.kind = flow.Sampling
		a.model = contentText(answer.Get("content"))
	case q.Method == playground.RootsList:
		a.kind = flow.Roots
	default:
		d.note(-1, "A question with the method %s, which flows do not have.", q.Method)
		return
	}
	if a.kind == flow.Form || a.kind == flow.URL {
		a.action, a.content = answer.Get("action").Str(), answer.Get("content")
	} else if answer != nil {
		a.action = "accept"
	}
	for i := range p.asked { // without an answer in between, it is the same question
		b := &p.asked[i]
		if b.q.Key != q.Key || b.kind != a.kind {
			continue
		}
		if b.action == "" || b.round == r.N {
			return
		}
		if a.kind == flow.URL && b.action == "accept" { // the page was not finished: a flow asks again, too
			return
		}
		if b.action != "accept" && !b.again {
			b.again = true
			if a.action != "" {
				b.action, b.content = a.action, a.content
			}
			b.round = r.N
			d.refusedAgain(b.key)
			return
		}
	}
	if len(p.asked) < maxSteps {
		p.asked = append(p.asked, a)
	}
}

// asksSecret reports whether a form asks for a secret, which a flow refuses.
func asksSecret(params *jsontree.Node) bool {
	if form.RequestsSecret(params.Get("message").Str()) {
		return true
	}
	return slices.ContainsFunc(params.At("requestedSchema", "properties").Entries(),
		func(m jsontree.Member) bool {
			return form.AsksSecret(m.Key) || form.AsksSecret(m.Value.Get("title").Str())
		})
}

// uniqueKeys gives each step a key that a flow can have, and no other step of the path has.
func (p *path) uniqueKeys(d *draft) {
	used := map[string]bool{}
	for i := range p.asked {
		a := &p.asked[i]
		key, n := validName(a.key, "question"), 2
		for name := key; used[key]; n++ {
			key = fmt.Sprintf("%.60s_%d", name, n)
		}
		used[key] = true
		if a.kind != flow.Shed && key != a.key {
			d.note(-1, "The key “%s” is “%s” here: the keys of a flow are unique, and begin with a letter.",
				a.key, key)
		}
		a.key = key
	}
}

// final returns the ending of a call with a result.
func (d *draft) final(method string, r playground.Round) ending {
	e := ending{seen: true, failed: r.IsError}
	var blocks []*jsontree.Node
	switch method {
	case playground.PromptsGet:
		for _, m := range r.Final.Get("messages").Elements() {
			blocks = append(blocks, m.Get("content"))
		}
	case playground.ResourcesRead:
		blocks = r.Final.Get("contents").Elements()
	default:
		blocks = r.Final.Get("content").Elements()
	}
	var words []string
	for _, b := range blocks {
		if s, ok := b.Get("text").Text(); ok {
			if len(words) == 0 || !isCopy(s, r.Final.Get("structuredContent")) {
				words = append(words, s)
			}
			continue
		}
		d.note(-1, "Content of the result that is not text, of the type “%s”. The result of a flow is text.",
			b.Get("type").Str())
	}
	if r.Final.Has("structuredContent") {
		d.note(-1, "The structuredContent of the result. The result of a flow is text.")
	}
	e.text = strings.Join(words, "\n")
	return e
}

// isCopy reports whether a text is the structured content of a result as JSON, as servers
// send it for older clients.
func isCopy(s string, content *jsontree.Node) bool {
	n, err := jsontree.Parse([]byte(s), jsontree.Limits{})
	return err == nil && content != nil && jsontree.Equal(n, content)
}

// extras notes what came with a response and is no part of the flow.
func (d *draft) extras(r playground.Round) {
	if r.State != nil {
		d.state = true
	}
	for _, m := range r.AllMessages() {
		switch method := m.Method(); {
		case method == playground.ProgressNotified:
			d.progress = true
		case method == playground.MessageNotified:
			d.logs = true
		}
	}
}

// contentText returns the text of a message's content, which is one block or a list.
func contentText(n *jsontree.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind != jsontree.Array {
		return n.Get("text").Str()
	}
	var words []string
	for _, b := range n.Elements() {
		if s := b.Get("text").Str(); s != "" {
			words = append(words, s)
		}
	}
	return strings.Join(words, "\n")
}
