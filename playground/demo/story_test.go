package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// lane is a log that a test builds Round by Round, each served by an instance
// with a result.
type lane []playground.Event

func (l lane) round(instance, result string) lane {
	n, at := 1, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, e := range l {
		n = max(n, e.Opens()+1)
	}
	action := playground.ActionAnswer
	if n == 1 {
		action = playground.ActionStart
	}
	add := func(e playground.Event) { e.Seq = len(l) + 1; l = append(l, e) }
	add(playground.Decision{Action: action, Round: n}.Event(at))
	add(playground.Event{At: at, Conn: n, Kind: playground.Sent,
		Data: fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\n\r\n"+`{"jsonrpc":"2.0","id":%d,`+
			`"method":"tools/call","params":{}}`, n)})
	if result != "" {
		add(playground.Event{At: at, Conn: n, Kind: playground.Received,
			Data: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: "+
				"application/json\r\nMcp-Sample-Instance: %s\r\n\r\n"+`{"jsonrpc":"2.0","id":%d,`+
				`"result":%s}`, instance, n, result)})
	}
	return l
}

func asks(key string) string {
	return `{"resultType":"input_required","requestState":"s",` +
		`"inputRequests":{"` + key + `":{"method":"elicitation/create","params":{"message":"?",` +
		`"requestedSchema":{"type":"object","properties":{"x":{"type":"string"}}}}}}}`
}

const done = `{"resultType":"complete","content":[{"type":"text","text":"all done"}]}`

func TestStories_AreComplete(t *testing.T) {
	for _, s := range Stories() {
		if n := len(s.Steps); n < 5 || n > 7 {
			t.Errorf("%s has %d steps", s.Slug, n)
		}
		if s.Steps[0].Act.Kind != Send {
			t.Errorf("%s does not begin with its call", s.Slug)
		}
		if !json.Valid(s.Call.Params) || len(s.Before.Captions) < len(s.Before.Acts) {
			t.Errorf("%s: its call is not JSON, or captions are missing", s.Slug)
		}
		if s.Verdict == "" || s.Before.Verdict == "" {
			t.Errorf("%s does not say how the two calls end", s.Slug)
		}
		for _, sentence := range []string{s.Cast.You, s.Cast.Client, s.Cast.State, s.Cast.Instances} {
			if !strings.HasSuffix(sentence, ".") || len(sentence) > 90 {
				t.Errorf("%s: the cast says %q", s.Slug, sentence)
			}
		}
		for key, content := range s.Answers {
			if node, err := jsontree.Parse(content, jsontree.Limits{}); err != nil ||
				node.Kind != jsontree.Object {
				t.Errorf("%s: the answer to %s is no object", s.Slug, key)
			}
		}
		for i, step := range s.Steps {
			if step.Note == "" || step.Button == "" || step.Title == "" || len(step.Title) > 50 ||
				len(step.Text) > 190 {
				t.Errorf("%s, step %d: too much or too little to say", s.Slug, i+1)
			}
		}
	}
}

func TestPlan_RetryGoesToAnotherInstanceUnlessOneIsChosen(t *testing.T) {
	s, _ := Find("azure-devops")
	f := playground.Fold(lane{}.round("a/v1", asks("resolution")))
	p := s.Plan(2, cluster.ParseTopology("a:v1,b:v1", "", "v1"), f)
	if p.Topology.Next != "b" || p.Decision.Instance != "b" ||
		p.Decision.Action != playground.ActionAnswer || p.Decision.Round != 2 {
		t.Errorf("plan: %+v %+v", p.Topology, p.Decision)
	}
	if got := string(p.Decision.Answers[0].Value); got != `{"action":"accept",`+
		`"content":{"resolution":"Duplicate"}}` {
		t.Errorf("answer: %s", got)
	}
	if p := s.Plan(2, cluster.ParseTopology("a:v1,b:v1", "a", "v1"), f); p.Topology.Next != "a" {
		t.Errorf("an instance was chosen, but %q gets it", p.Topology.Next)
	}
	if p := s.Plan(3, cluster.ParseTopology("a:v1,b:v1", "", "v1"),
		f); p.Topology.String() != "a:dead,b:v1" || p.Decision != nil {
		t.Errorf("killing the asker: %s %v", p.Topology, p.Decision)
	}
}

func TestPlan_SendsNothingThatIsOverOrRunning(t *testing.T) {
	s, _ := Find("azure-devops")
	top := s.Opening()
	for name, l := range map[string]lane{"complete": lane{}.round("a/v1", done),
		"running": lane{}.round("a/v1", "")} {
		if p := s.Plan(2, top, playground.Fold(l)); p.Decision != nil {
			t.Errorf("%s: %+v", name, p.Decision)
		}
	}
}

func TestStage_ShowsEachStepAsItWas(t *testing.T) {
	s, _ := Find("azure-devops")
	l := lane{}.round("a/v1", asks("resolution")).round("b/v1", asks("duplicate_of")).round("a/v1", done)
	st := Stage{Marks: []Mark{{"a:v1,b:v1", "", 1}, {"a:v1,b:v1", "", 2}, {"a:v1,b:dead", "", 2},
		{"a:v1,b:dead", "", 3}}}
	for n, rounds := range []int{1, 2, 2, 3} {
		if got := len(playground.Fold(st.LogAt(s, l, n+1)).Rounds); got != rounds {
			t.Errorf("step %d shows %d rounds", n+1, got)
		}
	}
	if h := st.History(s, 2); len(h) != 0 {
		t.Errorf("no instance was killed yet: %v", h)
	}
	if h := st.History(s, 4); !slices.Equal(
		h,
		[]cluster.HistoryEntry{{Change: cluster.Change{Do: cluster.Kill, Instance: "b"}, After: 2}},
	) {
		t.Errorf("history: %v", h)
	}
	if st.StepOf(s, 1, 2) != 2 || st.StepOf(s, 1, 3) != 4 || st.StepOf(s, 1, 9) != 4 {
		t.Error("StepOf does not return the first step that shows a round")
	}
	w := s.Caption(3, playground.Fold(st.LogAt(s, l, 3)))
	if w.OffScript || !strings.HasPrefix(w.Text, "Instance b is down") {
		t.Errorf("words: %+v", w)
	}
	if w := s.Caption(4, playground.Fold(l)); !strings.Contains(w.Text, "“all done”") {
		t.Errorf("words: %+v", w)
	}
}

func TestCaption_NeverTellsWhatDidNotHappen(t *testing.T) {
	s, _ := Find("azure-devops")
	for name, f := range map[string]playground.Transcript{
		"it completed early": playground.Fold(lane{}.round("a/v1",
			asks("resolution")).round("b/v1", done)),
		"it asks something else": playground.Fold(lane{}.round("a/v1",
			asks("resolution")).round("b/v1", asks("resolution"))),
		"it is an error": playground.Fold(lane{}.round("a/v1",
			`{"resultType":"complete","isError":true,"content":[]}`)),
	} {
		if w := s.Caption(2, f); !w.OffScript {
			t.Errorf("%s, and the story says %q", name, w.Text)
		}
	}
	if w := s.Caption(2, playground.Fold(lane{}.round("", ""))); w.OffScript ||
		w.Title != "The server is at work." {
		t.Errorf("running: %+v", w)
	}
}

func TestVerdict_OnlyOfCallsThatEndedAsTheStoryTells(t *testing.T) {
	asking := playground.Fold(lane{}.round("a/v1", asks("resolution")))
	complete := playground.Fold(lane{}.round("a/v1", asks("resolution")).round("b/v1", done))
	failed := playground.Fold(lane{}.round("a/v1", `{"resultType":"complete","isError":true,"content":[]}`))
	lost := playground.Fold(lane{}.round("a/v1", asks("resolution")))
	lost.Rounds[0].Lost = "404"
	azure, _ := Find("azure-devops")
	shedding, _ := Find("load-shedding")
	for _, c := range []struct {
		name                string
		story               Story
		own, legacy         playground.Transcript
		ownWant, legacyWant string
	}{
		{"both still ask", azure, asking, asking, "", ""},
		{"nothing was sent", azure, playground.Transcript{}, playground.Transcript{}, "", ""},
		{"one answer was lost", azure, complete, lost, "The call completes.", "The call is lost."},
		{"lost before the other ended", azure, asking, lost, "", "The call is lost."},
		{"not lost after all", azure, complete, complete, "The call completes.", ""},
		{"an error", azure, failed, asking, "", ""},
		{"both complete", shedding, complete, complete, "Instance b takes over.", "Stuck on instance b."},
		{"complete before the other", shedding, asking, complete, "", ""},
	} {
		if got := c.story.OwnVerdict(c.own); got != c.ownWant {
			t.Errorf("%s: %q, want %q", c.name, got, c.ownWant)
		}
		if got := c.story.LegacyVerdict(c.own, c.legacy); got != c.legacyWant {
			t.Errorf("%s, before MRTR: %q, want %q", c.name, got, c.legacyWant)
		}
	}
}
