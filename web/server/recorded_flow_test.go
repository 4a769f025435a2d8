package server_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/recorded"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// questionsOf returns what an exchange asked, in order: method, message and schema, or
// prompt; "" stands for a Round with a state alone. The questions of one Round are joined.
// answers are those to the questions, in the same order.
func questionsOf(x playground.Exchange) (list []string, answers []json.RawMessage) {
	var open []playground.Question
	for _, r := range x.Fold().Rounds {
		for _, q := range open {
			for _, a := range r.Decision.Answers {
				if a.Key == q.Key {
					answers = append(answers, a.Value)
				}
			}
		}
		open = r.Questions
		if !r.Open() {
			continue
		}
		var asked []string
		for _, q := range r.Questions {
			words := []string{q.Method, q.Mode(), q.Params.Get("message").Str(),
				string(jsontree.Canonical(schemaOf(q)))}
			for _, m := range q.Params.Get("messages").Elements() {
				words = append(words, m.At("content", "text").Str())
			}
			asked = append(asked, strings.Join(words, "|"))
		}
		list = append(list, strings.Join(asked, "\n"))
	}
	return list, answers
}

// schemaOf returns the schema of a form without what says nothing about its fields.
func schemaOf(q playground.Question) *jsontree.Node {
	schema := q.Params.Get("requestedSchema")
	if schema == nil {
		return nil
	}
	pairs := []jsontree.Pair{}
	for _, m := range schema.Entries() {
		if m.Key == "properties" || m.Key == "required" {
			pairs = append(pairs, jsontree.Pair{Key: m.Key, Value: m.Value.Raw()})
		}
	}
	n, _ := jsontree.Parse(jsontree.ObjectOf(pairs...), jsontree.Limits{})
	return n
}

// flowOf makes a flow of a call and returns its page and the slug of its server.
func flowOf(s *sitetest.Site, id string) (page, slug string) {
	s.T.Helper()
	got := s.Follow("/flows", url.Values{"exchange": {id}})
	if got.Status != http.StatusOK {
		s.T.Fatalf("make: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	address := sitetest.Find(s.T, got.Body, `(/mcp/flow/[\w-]+)`)
	return s.Last, "flow-" + path.Base(address)
}

// TestRecordedFlow_AsksAsTheSampleDid makes a flow of the recorded call of every sample
// that asks, calls it with the same arguments and answers, and is asked the same
// questions in the same order.
func TestRecordedFlow_AsksAsTheSampleDid(t *testing.T) {
	t.Parallel()
	for _, sample := range []string{
		"azure-devops", "checkout", "confirm", "interview", "load-shedding", "profile", "rolling-upgrade",
		"trip", "voucher", "wizard", "workspace", "tasks", "before-mrtr",
	} {
		t.Run(sample, func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, app.Local)
			original := s.Drive(path.Base(s.StartOf(sample)))
			asked, answers := questionsOf(original)
			if len(asked) == 0 {
				t.Fatal("the sample asked nothing")
			}
			page, slug := flowOf(s, original.ID)
			source := s.Get(page + ".yaml").Body
			s.Get(page).Has(t, `[data-unseen]`)
			if len(recorded.Notes(source)) == 0 {
				t.Errorf("nothing is named as not recorded:\n%s", source)
			}
			params, _ := jsontree.Parse(original.Call.Params, jsontree.Limits{})
			arguments := params.Get("arguments").Raw()
			if arguments == nil {
				arguments = json.RawMessage("{}")
			}
			got := s.Post("/exchanges", url.Values{"target": {slug}, "kind": {"tool"}, "tool": {params.Get(
				"name").Str()},
				"raw": {"true"}, "json": {string(arguments)}}.Encode())
			if got.Status != http.StatusSeeOther {
				t.Fatalf("call: %d %s\n%s", got.Status, sitetest.Excerpt(got.Body), source)
			}
			again := driveWith(s, path.Base(got.Header.Get("Location")), answers)
			repeated, _ := questionsOf(again)
			if a, b := strings.Join(asked, "\n"), strings.Join(repeated, "\n"); a != b {
				t.Errorf("asked:\n%s\nthe flow asked:\n%s\n%s", a, b, source)
			}
			if a, b := original.Fold().Last(), again.Fold().Last(); a.FirstText() != b.FirstText() {
				t.Errorf("result %q, of the flow %q\n%s", a.FirstText(), b.FirstText(), source)
			}
			s.NoErrors()
		})
	}
}

// driveWith answers an exchange with recorded answers.
func driveWith(s *sitetest.Site, id string, answers []json.RawMessage) playground.Exchange {
	s.T.Helper()
	read := func() playground.Exchange {
		s.Runner.Wait(s.T.Context(), id)
		x, err := s.Store.Exchange(s.T.Context(), "local", id)
		sitetest.Check(s.T, err)
		return x
	}
	for range 10 {
		x := read()
		f := x.Fold()
		if f.Status != playground.StatusWaiting {
			return x
		}
		d := playground.Decision{Action: playground.ActionRetry, Round: f.Last().N + 1}
		for _, q := range f.Last().Questions {
			d.Action = playground.ActionAnswer
			if len(answers) == 0 {
				s.T.Errorf("asked %q, which was not recorded", q.Key)
				return x
			}
			value := answers[0]
			answers = answers[1:]
			d.Answers = append(d.Answers, playground.Answer{Key: q.Key, Value: value})
		}
		x.Target = x.Target.At(sitetest.Base)
		if _, err := s.Runner.Decide(s.T.Context(), x, d); err != nil {
			s.T.Fatal(err)
		}
	}
	return read()
}

// TestRecordedFlow_OfAForeignCall makes a flow of a call that a foreign client made through an
// address, which asks the same question.
func TestRecordedFlow_OfAForeignCall(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	c := s.Capture("confirm", "")
	params := map[string]any{"name": "delete_records", "arguments": map[string]any{"table": "orders"}}
	c.Send(playground.ToolsList, map[string]any{})
	got := c.Send(playground.ToolsCall, params)
	var asked struct {
		Result struct {
			RequestState  string
			InputRequests map[string]any
		}
	}
	sitetest.Check(t, json.Unmarshal([]byte(got.Body), &asked))
	responses := map[string]any{}
	for key := range asked.Result.InputRequests {
		responses[key] = map[string]any{"action": "decline"}
	}
	params["inputResponses"] = responses
	if asked.Result.RequestState != "" {
		params["requestState"] = asked.Result.RequestState
	}
	end := c.Send(playground.ToolsCall, params)
	x := path.Base(sitetest.Find(t, s.Get(c.Page).Body, `href="(/x/[\w-]+)`))
	s.Get("/x/"+x).Has(t, `[data-do="make-flow"]`)
	original, err := s.Store.Exchange(t.Context(), "local", x)
	sitetest.Check(t, err)
	page, slug := flowOf(s, x)
	called := s.Post("/exchanges", url.Values{"target": {slug}, "kind": {"tool"},
		"tool": {"delete_records"}, "raw": {"true"}, "json": {`{"table":"orders"}`}}.Encode())
	again := driveWith(s, path.Base(called.Header.Get("Location")),
		[]json.RawMessage{json.RawMessage(`{"action":"decline"}`)})
	first, _ := questionsOf(original)
	second, _ := questionsOf(again)
	if a, b := strings.Join(first, "\n"), strings.Join(second, "\n"); a != b || a == "" {
		t.Errorf("asked %s, the flow asked %s\n%s", a, b, s.Get(page+".yaml").Body)
	}
	if text := again.Fold().Last().FirstText(); text == "" || !strings.Contains(end.Body, text) {
		t.Errorf("%s\nthe flow: %s", end.Body, text)
	}
	s.NoErrors()
}
