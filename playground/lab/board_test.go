package lab_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// greet are the params of the call of a Lab session.
const greet = `{"name":"greet","arguments":{"a":1}}`

// Responses of the server of a Lab session.
const (
	asksName = `{"resultType":"input_required","requestState":"abcdefghijklmnop","inputRequests":{"name":` +
		`{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object",` +
		`"properties":{"n":{"type":"string"}}}}}}}`
	done     = `{"resultType":"complete","content":[{"type":"text","text":"Done."}]}`
	rejected = `error {"code":-32602,"message":"bad state"}`
)

// labSession builds the exchanges of a Lab, a minute apart.
type labSession struct{ list []playground.Exchange }

var labStart = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// add adds an exchange that answers every question and gets the responses.
// Unless experiment is empty, its last request is changed by it. A branch from
// Round n has only the Rounds after it.
func (s *labSession) add(id, experiment string, origin *playground.Origin, responses ...string) {
	x := playground.Exchange{
		ID: id, Session: "s", Origin: origin,
		Created: labStart.Add(time.Duration(len(s.list)) * time.Minute),
		Target:  playground.Target{ID: "t", Name: "T", URL: "http://t.example/mcp"},
		Call:    playground.Call{Method: "tools/call", Params: []byte(greet)},
	}
	first := 1
	if origin != nil {
		first += origin.Round
	}
	for i, response := range responses {
		n, params := first+i, greet
		decision := fmt.Sprintf(`{"action":"start","round":%d`, n)
		if n > 1 {
			params = `{"name":"greet","arguments":{"a":1},"requestState":"abcdefghijklmnop",` +
				`"inputResponses":{"name":{"action":"accept","content":{"n":"A"}}}}`
			decision = fmt.Sprintf(`{"action":"answer","round":%d,"answers":[{"key":"name",`+
				`"value":{"action":"accept","content":{"n":"A"}}}]`, n)
		}
		if experiment != "" {
			decision += fmt.Sprintf(`,"experiment":%q,"changed":%t`, experiment, i == len(responses)-1)
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, n, params)
		x.Log = append(x.Log,
			playground.Event{Kind: playground.Decided, Data: []byte(decision + "}")},
			playground.Event{Conn: n, Kind: playground.Sent, Data: []byte("POST /mcp HTTP/1.1\r\n" +
				"Mcp-Method: tools/call\r\nMcp-Name: greet\r\n" +
				"MCP-Protocol-Version: 2026-07-28\r\n\r\n" + body)})
		if response == "" {
			continue // no response yet
		}
		status, member := 200, fmt.Sprintf(`"result":%s`, response)
		if text, ok := strings.CutPrefix(response, "error "); ok {
			status, member = 400, `"error":`+text
		}
		x.Log = append(x.Log, playground.Event{Conn: n, Kind: playground.Received, Data: fmt.Appendf(
			nil, "HTTP/1.1 %d OK\r\nContent-Type: application/json\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%d,%s}",
			status, n, member)})
	}
	for i := range x.Log {
		x.Log[i].Seq, x.Log[i].At = i+1, x.Created.Add(time.Duration(i)*time.Second)
	}
	s.list = append(s.list, x)
}

// at returns the origin of a branch from Round n of the exchange with an id.
func (s *labSession) at(id string, n int) *playground.Origin {
	i := slices.IndexFunc(s.list, func(x playground.Exchange) bool { return x.ID == id })
	if n == 0 {
		return &playground.Origin{Exchange: id}
	}
	return &playground.Origin{Exchange: id, Round: n, Parent: &s.list[i]}
}

func (s *labSession) report(running bool) lab.Report {
	return lab.NewLabReport(s.list, s.list[0], 1, server.Connection{}, running)
}

// cutOff is the event of a process that ended while it waited for a response.
func cutOff(seq int) playground.Event {
	return playground.Event{Seq: seq, Conn: 2, Kind: playground.Interrupted}
}

func resultOf(t *testing.T, r lab.Report, id string) lab.Result {
	t.Helper()
	for _, p := range r.Results {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("no result of %s", id)
	return lab.Result{}
}

// wordsOf returns a result as a row says it.
func wordsOf(p lab.Result) string {
	if p.Running {
		return "running"
	}
	return strings.TrimSpace(p.Verdict.Word() + " " + p.Got())
}

// TestNewLabReport_RuleNotJudged: a rule that could not judge is open, with its reason, and
// neither a finding nor kept.
func TestNewLabReport_RuleNotJudged(t *testing.T) {
	var s labSession
	s.add("x", "", nil, `{"resultType":"complete","content":[],"structuredContent":{}}`)
	s.list[0].Call.Tool = []byte(`{"outputSchema":{"$ref":"https://schemas.example/out.json"}}`)
	r := s.report(false)
	isIt := func(rule rules.Rule) bool { return rule.ID == "structured-content" }
	i := slices.IndexFunc(r.Open, func(o lab.OpenRule) bool { return isIt(o.Rule) })
	if i < 0 || r.Open[i].Outcome != verdict.NotJudged ||
		!strings.Contains(r.Open[i].Why, "another document") ||
		slices.ContainsFunc(r.Findings, func(f lab.Finding) bool { return f.Rule == "structured-content" }) ||
		slices.ContainsFunc(r.Passed, isIt) {
		t.Errorf("%+v", r.Open)
	}
}

func TestNewLabReport(t *testing.T) {
	right := []string{asksName, done}
	for _, tt := range []struct {
		name     string
		make     func(s *labSession)
		running  bool
		status   lab.Status
		detail   string
		results  map[string]string // by experiment
		exchange map[string]string // that a row leads to, by experiment
	}{
		{"nothing was run", func(*labSession) {}, false, lab.Partial, "",
			map[string]string{"flip-state": "not reached", "task-cancel": "does not apply"}, nil},
		{"one was run", func(s *labSession) {
			s.add("b", "flip-state", s.at("x", 1), rejected)
		}, false, lab.Partial, "",
			map[string]string{"flip-state": `passed 400 -32602 "bad state"`, "truncate-state": "not reached"},
			map[string]string{"flip-state": "b"}},
		{"the last time counts", func(s *labSession) {
			s.add("b", "flip-state", s.at("x", 1), rejected)
			s.add("c", "flip-state", s.at("x", 1), done)
		}, false, lab.Partial, "",
			map[string]string{"flip-state": `failed completed "Done."`},
			map[string]string{"flip-state": "c"}},
		{"a run makes variants, and the worst counts", func(s *labSession) {
			s.add("control", "", s.at("x", 0), right...)
			s.add("again", "", s.at("control", 0), right...)
			s.add("b", "flip-state", s.at("control", 0), asksName, done)
			s.add("right", "", s.at("control", 0), right...)
			s.add("c", "flip-state", s.at("control", 0), asksName, rejected)
			s.add("d", "truncate-state", s.at("control", 0), asksName, rejected)
		}, false, lab.Partial, "",
			map[string]string{"flip-state": `failed completed "Done."`,
				"truncate-state": `passed 400 -32602 "bad state"`},
			map[string]string{"flip-state": "b", "truncate-state": "d"}},
		{"one after a run replaces its row alone", func(s *labSession) {
			s.add("control", "", s.at("x", 0), right...)
			s.add("b", "flip-state", s.at("control", 0), asksName, done)
			s.add("d", "truncate-state", s.at("control", 0), asksName, done)
			s.add("e", "flip-state", s.at("x", 1), rejected)
		}, false, lab.Partial, "",
			map[string]string{"flip-state": `passed 400 -32602 "bad state"`,
				"truncate-state": `failed completed "Done."`}, map[string]string{"flip-state": "e"}},
		{"running", func(s *labSession) {
			s.add("control", "", s.at("x", 0), right...)
			s.add("b", "flip-state", s.at("control", 0), asksName, "")
		}, true, lab.Running, "",
			map[string]string{"flip-state": "running", "truncate-state": "not reached"}, nil},
		{"cut off by the end of the process", func(s *labSession) {
			s.add("control", "", s.at("x", 0), right...)
			s.add("b", "flip-state", s.at("control", 0), asksName, "")
			b := &s.list[2]
			b.Log = append(b.Log, cutOff(len(b.Log)+1))
		}, false, lab.Partial, "", map[string]string{"flip-state": "not judged"}, nil},
		{"the right call fails", func(s *labSession) {
			s.add("control", "", s.at("x", 0), rejected)
		}, false, lab.Failed, "The right call was repeated and failed",
			map[string]string{"flip-state": "not reached"}, nil},
		{"the right call fails after an earlier run", func(s *labSession) {
			s.add("b", "flip-state", s.at("x", 1), rejected)
			s.add("control", "", s.at("x", 0), rejected)
		}, false, lab.Failed, "The right call was repeated and failed",
			map[string]string{"flip-state": `passed 400 -32602 "bad state"`,
				"truncate-state": "not reached"}, nil},
		{"the right call was cut off", func(s *labSession) {
			s.add("control", "", s.at("x", 0), asksName, "")
			b := &s.list[1]
			b.Log = append(b.Log, cutOff(len(b.Log)+1))
		}, false, lab.Stopped, "The run ended before the right call was complete",
			map[string]string{"flip-state": "not reached"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &labSession{}
			s.add("x", "", nil, right...)
			tt.make(s)
			r := s.report(tt.running)
			if r.Status != tt.status || !strings.HasPrefix(r.Detail, tt.detail) ||
				tt.detail == "" && r.Detail != "" {
				t.Errorf("%s: %q, want %s: %q", r.Status, r.Detail, tt.status, tt.detail)
			}
			for id, want := range tt.results {
				if p := resultOf(t, r, id); wordsOf(p) != want {
					t.Errorf("%s: %q (%s), want %q", id, wordsOf(p), p.Text, want)
				}
			}
			for id, want := range tt.exchange {
				if p := resultOf(t, r, id); p.Exchanges[p.Decisive].ID != want {
					t.Errorf("%s leads to %s, want %s", id, p.Exchanges[p.Decisive].ID, want)
				}
			}
			if c := r.Experiments().Counts(); c.All() != len(r.Results) {
				t.Errorf("%+v counts %d rows, there are %d", c, c.All(), len(r.Results))
			}
		})
	}
}

// TestNewLabReport_AgreesWithTheBranch: a row has the verdict of the page that it
// leads to.
func TestNewLabReport_AgreesWithTheBranch(t *testing.T) {
	s := &labSession{}
	s.add("x", "", nil, asksName) // the original waits for an answer
	s.add("control", "", s.at("x", 0), asksName, done)
	s.add("again", "", s.at("control", 0), asksName, done)
	for i, id := range []string{"flip-state", "drop-state", "skip-answer", "extra-key", "decline-answer"} {
		s.add(fmt.Sprint("b", i), id, s.at("control", 0), asksName, []string{done, rejected, asksName}[i%3])
	}
	r, unjudged := s.report(false), false
	for _, x := range s.list[3:] {
		branch, ok := lab.NewJudge(s.list).Branch(x)
		row := resultOf(t, r, x.Experiment())
		if !ok || branch.Verdict != row.Verdict || branch.Text != row.Text {
			t.Errorf("%s: the row says %s %q, the branch %s %q", x.Experiment(), row.Verdict, row.Text,
				branch.Verdict, branch.Text)
		}
		if !row.Verdict.Judged() && row.Verdict != verdict.NotJudged {
			t.Errorf("%s was made, and the row says %q", x.Experiment(), row.Verdict)
		}
		unjudged = unjudged || row.Verdict == verdict.NotJudged
		if row.Verdict == verdict.NotJudged && strings.Contains(row.Text, "no right call") {
			t.Errorf("%s has nothing to be compared with", x.Experiment())
		}
	}
	if !unjudged {
		t.Error("every row has a verdict")
	}
}

func TestReport_GroupsPutViolationsFirst(t *testing.T) {
	s := &labSession{}
	s.add("x", "", nil, asksName, done)
	s.add("b", "truncate-state", s.at("x", 1), done)
	s.add("c", "flip-state", s.at("x", 1), rejected)
	for _, g := range s.report(false).Groups() {
		if g.Group != lab.GroupState {
			continue
		}
		if g.Results[0].ID != "truncate-state" || g.Results[1].ID != "flip-state" {
			t.Errorf("first %s, then %s", g.Results[0].ID, g.Results[1].ID)
		}
	}
}
