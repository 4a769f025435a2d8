package picture

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// story records an Exchange as the runner would, with a clock of its own.
type story struct {
	x     playground.Exchange
	clock time.Time
	round int
}

func newStory(sample, address string) *story {
	return &story{
		x: playground.Exchange{
			Target: playground.Target{Sample: sample, Name: "Azure DevOps (sample)", URL: address},
			Call: playground.Call{
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"update_work_item","arguments":{"workItemId":4522,` +
					`"fields":{"System.State":"Resolved"}}}`),
			},
		},
		clock: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	}
}

func (s *story) wait(d time.Duration) *story {
	s.clock = s.clock.Add(d)
	return s
}

func (s *story) log(kind playground.EventKind, data []byte) {
	s.x.Log = append(s.x.Log, playground.Event{Seq: len(s.x.Log) + 1, At: s.clock, Conn: s.round,
		Kind: kind, Data: data})
}

// send decides and sends the request that follows from it.
func (s *story) send(d playground.Decision) *story {
	s.round++
	d.Round = s.round
	r, err := playground.Next(s.x, playground.Fold(s.x.Log), d, playground.Client{Name: "test", Version: "1"})
	if err != nil {
		panic(err)
	}
	s.x.Log = append(s.x.Log, d.Event(s.clock))
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}`, s.round,
		jsontree.Quote(r.Method), r.Params)
	s.log(playground.Sent, []byte("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: "+
		"application/json\r\n\r\n"+body))
	return s.wait(2 * time.Millisecond)
}

func (s *story) start() *story { return s.send(playground.Decision{Action: playground.ActionStart}) }

// answer gives each key an accepted content.
func (s *story) answer(pairs ...string) *story {
	d := playground.Decision{Action: playground.ActionAnswer}
	for i := 0; i+1 < len(pairs); i += 2 {
		value := json.RawMessage(`{"action":"accept","content":` + pairs[i+1] + `}`)
		d.Answers = append(d.Answers, playground.Answer{Key: pairs[i], Value: value})
	}
	return s.send(d)
}

// result answers the open Round with a result object.
func (s *story) result(from, result string) *story {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, s.round, result)
	return s.respond(200, from, body)
}

func (s *story) respond(status int, from, body string) *story {
	head := fmt.Sprintf("HTTP/1.1 %d x\r\nContent-Type: application/json\r\n", status)
	if from != "" {
		head += "Mcp-Sample-Instance: " + from + "\r\n"
	}
	s.wait(38*time.Millisecond).log(playground.Received, []byte(head+"\r\n"+body))
	return s
}

// stream opens a stream with notifications that no response follows yet.
func (s *story) stream(messages ...string) *story {
	s.log(playground.Received,
		[]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nMcp-Sample-Instance: a/v1\r\n\r\n"))
	for _, m := range messages {
		s.wait(10*time.Millisecond).log(playground.Message, []byte("data: "+m+"\n\n"))
	}
	return s
}

func (s *story) fail(class wire.Class, detail string) *story {
	data, _ := json.Marshal(wire.Failure{Class: class, Detail: detail})
	s.wait(5*time.Second).log(playground.Failed, data)
	return s
}

func (s *story) draw(o Options) Picture {
	return Of(s.x, playground.Fold(s.x.Log), o)
}

func (s *story) timing(o Options) Timing { return Waterfall(playground.Fold(s.x.Log), o) }

func asks(key, message string) string {
	return fmt.Sprintf(`%s:{"method":"elicitation/create","params":{"message":%s,`+
		`"requestedSchema":{"type":"object","properties":{}}}}`,
		jsontree.Quote(key), jsontree.Quote(message))
}

func inputRequired(state string, questions ...string) string {
	out := `{"resultType":"input_required"`
	if len(questions) > 0 {
		out += `,"inputRequests":{` + strings.Join(questions, ",") + `}`
	}
	if state != "" {
		out += `,"requestState":` + string(jsontree.Quote(state))
	}
	return out + "}"
}

const sampleURL = "http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v1"

// devops is the flow of the proposal, up to the second question.
func devops() *story {
	s := newStory("azure-devops", sampleURL).start()
	s.result("a/v1", inputRequired("", asks("resolution", "How was this bug resolved?")))
	s.wait(12*time.Second).answer("resolution", `{"resolution":"Duplicate"}`)
	return s.result("b/v1", inputRequired(strings.Repeat("s", 212),
		asks("duplicate_of", "Since this is a duplicate, which work item is the original?")))
}

func devopsDone() *story {
	return devops().wait(95*time.Second).
		answer("duplicate_of", `{"duplicateOfId":4301}`).
		result("a/v1", `{"resultType":"complete","content":[{"type":"text","text":"Bug #4522 resolved."}]}`)
}

// upgrade is the rolling upgrade of the proposal.
func upgrade() *story {
	s := newStory("github", "http://127.0.0.1:2322/mcp/github?instances=a:v1,b:v2").start()
	s.result("a/v1", inputRequired("", asks("github_login", "GitHub login?"),
		asks("google_login", "Google login?")))
	s.wait(20*time.Second).answer("github_login", `{"login":"octocat"}`, "google_login",
		`{"login":"g@example.com"}`)
	s.result("b/v2", inputRequired(strings.Repeat("s", 180), asks("microsoft_login", "Microsoft login?")))
	return s
}

// shedding moves to another instance without a question, after progress.
func shedding() *story {
	s := newStory("load", "http://127.0.0.1:2322/mcp/load?instances=a:v1,b:v1").start()
	s.stream(
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":20,"total":100}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":60,"total":100}}`,
		`{"jsonrpc":"2.0","id":1,"result":`+inputRequired(strings.Repeat("s", 90))+`}`,
	)
	return s.wait(time.Second).send(playground.Decision{Action: playground.ActionRetry}).
		result("b/v1", `{"resultType":"complete","content":[]}`)
}

// foreign is a server that is not a sample.
func foreign() *story { return newStory("", "https://mcp.example.com/mcp") }

// long is an Exchange of n Rounds with a question in each.
func long(n int) *story {
	s := newStory("azure-devops", sampleURL).start()
	for i := 1; i < n; i++ {
		key := fmt.Sprintf("step_%d", i)
		s.result([]string{"a/v1", "b/v1"}[i%2],
			inputRequired(strings.Repeat("s", 200+i),
				asks(key, "What comes next, and how should it be done?")))
		s.wait(12*time.Second).answer(key, `{"value":"something reasonable"}`)
	}
	return s.result("a/v1", `{"resultType":"complete"}`)
}

// stories are pictures of every kind, by name.
func stories() map[string]*story {
	tool := `{"resultType":"complete","isError":true,"content":[]}`
	return map[string]*story{
		"ready":    foreign(),
		"pending":  foreign().start(),
		"devops":   devops(),
		"done":     devopsDone(),
		"upgrade":  upgrade(),
		"shedding": shedding(),
		"refused": foreign().start().fail(wire.Refused,
			"connect to 203.0.113.7:443: connection refused"),
		"reset": devops().answer("duplicate_of", `{"duplicateOfId":1}`).fail(wire.Reset,
			"the connection broke"),
		"rpc-error": devops().answer("duplicate_of", `{"duplicateOfId":1}`).respond(200, "b/v1",
			`{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"bad state"}}`),
		"http-error": foreign().start().respond(503, "", "busy"),
		"violation":  foreign().start().result("", `{"resultType":"never heard of"}`),
		"declined":   declinedStory("decline"), "cancelled": declinedStory("cancel"),
		"closed":      foreign().start().end(playground.Cancelled),
		"interrupted": foreign().start().end(playground.Interrupted),
		"tool-error":  foreign().start().result("", tool),
		"long":        long(10),
		"pending-lb":  newStory("azure-devops", sampleURL).start(),
		"dead-instances": newStory("azure-devops",
			"http://x/mcp?instances=a:dead,b:v2,c:dead,d:v1").start().result("b/v2", tool),
	}
}

// end ends the running request without a response.
func (s *story) end(kind playground.EventKind) *story {
	s.wait(time.Second).log(kind, nil)
	return s
}

// declinedStory is a call whose question is answered with an action other than
// accept.
func declinedStory(action string) *story {
	s := foreign().start().result("", inputRequired("", asks("who", "Who are you?")))
	s.send(playground.Decision{Action: playground.ActionAnswer, Round: 2, Answers: []playground.Answer{
		{Key: "who", Value: []byte(fmt.Sprintf(`{"action":%q}`, action))},
	}})
	return s.result("", `{"resultType":"complete","content":[]}`)
}
