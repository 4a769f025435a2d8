package code

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// story is a call that the tests of the output make.
type story struct {
	name      string // example, decline
	version   string
	arguments string // JSON
	scenes    []scene
	end       string
	isError   bool
}

// scene is a round that does not end the call.
type scene struct {
	keys    []string // of its questions; none if it sheds
	pages   []string // those of keys that lead to a page
	answers string   // JSON
}

// stories returns the calls of a version: one with its example answers, and one
// that declines the first question, if it can be.
func (p *plan) stories(v *flow.Version) []story {
	answers := v.ExampleAnswers()
	list := []story{p.story("example", v, answers)}
	for _, r := range v.Predict(p.flow.Example(), answers) {
		for _, q := range r.Asks {
			if q.Kind != flow.Form && q.Kind != flow.URL || q.Decline.Continue || q.Decline.Again {
				continue
			}
			answers = maps.Clone(answers)
			answers[q.Key] = flow.Answer{Action: "decline"}
			return append(list, p.story("decline", v, answers))
		}
	}
	return list
}

func (p *plan) story(name string, v *flow.Version, answers map[string]flow.Answer) story {
	s := story{name: name, version: v.Name, arguments: encoded(p.flow.Example())}
	instances := []string{"a", "b"}
	if p.needs["shares"] {
		instances = instances[:1]
	}
	for _, r := range v.PredictOn(p.flow.Example(), answers, instances...) {
		if r.Ending != nil {
			s.end, s.isError = r.Ending.Text, r.Ending.Error
			continue
		}
		var round scene
		given := map[string]any{}
		for _, q := range r.Asks {
			round.keys = append(round.keys, q.Key)
			given[q.Key] = onWire(q.Kind, answers[q.Key])
			if q.Kind == flow.URL && answers[q.Key].Action == "accept" {
				round.pages = append(round.pages, q.Key)
			}
		}
		slices.Sort(round.keys)
		round.answers = encoded(given)
		s.scenes = append(s.scenes, round)
	}
	return s
}

// tests returns the tests of the output.
func (w *writer) tests() string {
	var b strings.Builder
	for i := range w.flow.Versions {
		for _, s := range w.stories(&w.flow.Versions[i]) {
			b.WriteString(w.printer.test(s))
			for _, round := range s.scenes {
				fmt.Fprintf(&b, w.asks, quotedList(round.keys, w.text))
				for _, key := range round.pages {
					fmt.Fprintf(&b, w.press, w.text(key))
				}
				fmt.Fprintf(&b, w.answers, w.json(round.answers))
			}
			fmt.Fprintf(&b, w.ends, w.text(s.end), w.boolean(s.isError))
		}
	}
	return b.String()
}

// onWire returns an answer as it is on the wire.
func onWire(kind flow.StepKind, a flow.Answer) any {
	switch kind {
	case flow.Sampling:
		return map[string]any{
			"role": "assistant", "model": a.Values["model"],
			"content": map[string]any{"type": "text", "text": a.Values["text"]},
		}
	case flow.Roots:
		var roots []map[string]any
		names, _ := a.Values["names"].([]any)
		uris, _ := a.Values["uris"].([]any)
		for i, uri := range uris {
			roots = append(roots, map[string]any{"uri": uri, "name": names[i]})
		}
		return map[string]any{"roots": roots}
	}
	answer := map[string]any{"action": a.Action}
	if a.Action == "accept" && kind == flow.Form {
		answer["content"] = a.Values
	}
	return answer
}

// encoded returns a value as JSON, with "<" as it is.
func encoded(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("code: encode an example: " + err.Error()) // it came from JSON
	}
	return strings.TrimSpace(b.String())
}
