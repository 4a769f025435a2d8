package lesson_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// Readers copy the shown messages. So a request has its method and keeps
// answers and state in params, and a response has the id of its request.
func TestMessages_AreComplete(t *testing.T) {
	b := book(t)
	for _, l := range b.Lessons {
		for _, step := range l.Script {
			kind, text, _ := strings.Cut(step.Rest, " ")
			if strings.HasPrefix(kind, "http-") {
				_, text = lesson.CutHTTP(text)
				kind = strings.TrimPrefix(kind, "http-")
			}
			if step.Verb != lesson.Example || kind == "claims" || l.Slug == "without-mcp" || text == "" {
				continue
			}
			wholeMessage(t, l.Slug+", "+step.Where, text, kind == "received")
		}
	}
	for _, s := range b.Quiz {
		id := "1"
		for _, m := range s.Messages {
			if n := wholeMessage(t, s.Title, m.JSON, m.Server); m.Server && string(n.Get("id").Raw()) != id {
				t.Errorf("%s: %s answers request %s", s.Title, m.JSON, id)
			} else {
				id = string(n.Get("id").Raw())
			}
		}
		for i, o := range s.Options {
			if o.JSON == "" {
				continue
			}
			n := wholeMessage(t, s.Title, o.JSON, s.ByServer())
			if s.ByServer() && string(n.Get("id").Raw()) != id {
				t.Errorf("%s: option %d answers no request", s.Title, i+1)
			}
		}
	}
}

func wholeMessage(t *testing.T, where, text string, server bool) *jsontree.Node {
	t.Helper()
	n, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	wanted := []string{"jsonrpc", "id", "method", "params"}
	switch {
	case server && n.Has("error"):
		wanted = []string{"jsonrpc", "id", "error"}
	case server:
		wanted = []string{"jsonrpc", "id", "result"}
	}
	if len(n.Members) != len(wanted) {
		t.Errorf("%s: want %v alone in %s", where, wanted, text)
	}
	for _, name := range wanted {
		if !n.Has(name) {
			t.Errorf("%s: no %s in %s", where, name, text)
		}
	}
	return n
}

// Answers beside params are rejected.
func TestQuiz_RejectsMisplacedMembers(t *testing.T) {
	s := book(t).Quiz[0]
	for _, text := range []string{
		`{"id": 2, "inputResponses": {}}`,
		`{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"…": "…"}, "inputResponses": {}}`,
		`{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"inputResponses": {}}}`,
	} {
		s.Options[0].JSON = text
		if _, err := s.Recording(0); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
