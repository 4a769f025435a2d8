package narrate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

var (
	foreign = playground.Target{Name: "example.com", URL: "https://example.com/mcp"}
	sample  = playground.Target{Name: "Azure DevOps (sample)", Sample: "azure-devops"}
)

// story is a log that a test writes.
type story struct {
	log  []playground.Event
	conn int
	at   time.Time
}

func (s *story) add(kind playground.EventKind, data string) *story {
	s.at = s.at.Add(time.Second)
	s.log = append(s.log, playground.Event{At: s.at, Conn: s.conn, Kind: kind, Data: []byte(data)})
	return s
}

func (s *story) decide(d playground.Decision) *story {
	s.log = append(s.log, d.Event(s.at))
	return s
}

func (s *story) send(method string) *story {
	s.conn++
	return s.add(playground.Sent,
		fmt.Sprintf("POST / HTTP/1.1\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%q}", s.conn, method))
}

func (s *story) head(status int, contentType string) *story {
	return s.add(playground.Received,
		fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n\r\n", status, contentType))
}

func (s *story) reply(member, value string) *story {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%q:%s}`, s.conn, member, value)
	return s.add(playground.Received, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+body)
}

func start() *story {
	s := &story{at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	return s.decide(playground.Decision{Action: playground.ActionStart, Round: 1}).send("tools/call")
}

func (s *story) answer(value string) *story {
	return s.decide(playground.Decision{Action: playground.ActionAnswer, Round: 2,
		Answers: []playground.Answer{
			{Key: "resolution", Value: json.RawMessage(value)},
		}}).send("tools/call")
}

const (
	asks = `{"resultType":"input_required","inputRequests":{"resolution":{"method":"elicitation/create",` +
		`"params":{"message":"How?"}}}`
	done = `{"resultType":"complete","content":[]}`
)

// TestRound_FitsTheOutcome: a sentence and a label for every outcome, in the
// tense and with the claims that the record allows.
func TestRound_FitsTheOutcome(t *testing.T) {
	progress := `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}` + "\n\n"
	tests := []struct {
		name     string
		target   playground.Target
		log      *story
		round    int
		label    string
		sentence string
	}{
		{"pending", foreign, start(), 0, "running", "The request is on its way to example.com."},
		{"working", foreign, start().head(200, "text/event-stream").add(playground.Message, progress), 0,
			"running",
			"example.com has received the request and is working on it."},
		{"asks, sample", sample, start().reply("result", asks+"}"), 0, "asks for resolution",
			"Azure DevOps (sample) asked for resolution and closed the request. It keeps nothing: " +
				"the same call with your answer is enough."},
		{"asks, foreign", foreign, start().reply("result", asks+`,"requestState":"s"}`), 0,
			"asks for resolution",
			"example.com asked for resolution and closed the request. " +
				"Its requestState goes back unchanged with your answer."},
		{"asked", sample, start().reply("result",
			asks+"}").answer(`{"action":"accept","content":{"resolution":"Duplicate"}}`), 0,
			"asked for resolution", ""},
		{"retry, foreign", foreign,
			start().reply("result", `{"resultType":"input_required","requestState":"s"}`), 0,
			"asks for a retry",
			"example.com asks for nothing and sent a requestState. The same call can be sent again with it."},
		{"complete", foreign, start().reply("result", done), 0, "complete",
			"example.com finished the call without asking for anything."},
		{"complete, sample", sample, start().reply("result", done), 0, "complete",
			"The request contained everything needed, so Azure DevOps (sample) finished the call."},
		{"complete after notifications", foreign,
			start().head(200, "text/event-stream").add(playground.Message,
				progress).add(playground.Message, progress).
				add(playground.Message, `data: {"jsonrpc":"2.0","id":1,"result":{}}`+"\n\n"), 0, "complete",
			"example.com sent 2 notifications and finished the call without asking for anything."},
		{"declined", foreign, start().reply("result",
			asks+"}").answer(`{"action":"decline"}`).reply("result", done), 1, "declined",
			"You declined resolution, and example.com ended the call."},
		{"tool error", foreign, start().reply("result", `{"content":[],"isError":true}`), 0, "tool error",
			"example.com finished the call with an error of the tool. It is part of the result (isError), " +
				"so a model can read it."},
		{"error", foreign, start().reply("error", `{"code":-32602,"message":"no"}`), 0, "error -32602",
			"The server returned error -32602: no"},
		{"OAuth error", foreign, start().add(playground.Received, "HTTP/1.1 401 X\r\nContent-Type: "+
			"application/json\r\nWWW-Authenticate: "+
			"Bearer\r\n\r\n{\"error\":\"invalid_token\"}"), 0, "HTTP 401",
			"HTTP status 401: the server requires a sign-in, so a token is missing or not accepted. " +
				"WWW-Authenticate: Bearer. The body says: invalid_token."},
		{"violation", foreign, start().reply("result", `[]`), 0, "invalid response",
			"The response violates the protocol: the result is an array, not an object."},
		{"broken", foreign, start().add(playground.Failed,
			`{"class":"reset","detail":"the server closed the connection"}`), 0, "connection lost",
			"There is no usable response: the server closed the connection."},
		{"cut off", foreign, start().reply("result", done).add(playground.Failed,
			`{"class":"reset","detail":"the connection ended 9 bytes before the Content-Length"}`), 0,
			"connection lost",
			"There is no usable response: the connection ended 9 bytes before the Content-Length. What " +
				"arrived is complete JSON, but the body was cut off, so it is no response."},
		{"interrupted", foreign, start().add(playground.Interrupted, ""), 0, "interrupted",
			"The playground stopped while the request was running. Whether the server received the request " +
				"is unknown. Retry only if running the call twice is safe."},
		{"interrupted at work", foreign, start().head(200, "text/event-stream").add(playground.Message,
			progress).add(playground.Interrupted, ""), 0,
			"interrupted", "The playground stopped while the request was running. The server had started " +
				"(1). Whether it finished is unknown. Retry only if running the call twice is safe."},
		{"cancelled", foreign, start().add(playground.Cancelled, ""), 0, "cancelled by you",
			"You closed the connection before the response arrived. The server may have finished anyway."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := narrate.Round(test.target, playground.Fold(test.log.log), test.round)
			if n.Label != test.label || test.sentence != "" && n.Sentence != test.sentence {
				t.Errorf("%q\n got %s\nwant %s", n.Label, n.Sentence, test.sentence)
			}
		})
	}
}

// TestRound_FitsTheReaderAndTheTense: the sentences about one Round for the
// person who made the call and for a reader of its recording, while it is the
// newest Round and after that.
func TestRound_FitsTheReaderAndTheTense(t *testing.T) {
	const state, progress = `,"requestState":"s"}`, `data: {"jsonrpc":"2.0","method":` +
		`"notifications/progress","params":{"progress":6,"total":10}}` + "\n\n"
	accept := `{"action":"accept","content":{"resolution":"Duplicate"}}`
	asked := func(rest string) *story { return start().reply("result", asks+rest) }
	echo := func(s *story, member string) *story {
		s.decide(playground.Decision{Action: playground.ActionAnswer, Round: 2,
			Answers: []playground.Answer{{Key: "resolution", Value: json.RawMessage(accept)}}})
		s.conn++
		return s.add(playground.Sent, fmt.Sprintf("POST / HTTP/1.1\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%d,"+
			"\"method\":\"tools/call\",\"params\":{%s}}", s.conn, member))
	}
	working := func() *story {
		return start().head(200, "text/event-stream").add(playground.Message, progress)
	}
	const (
		closed = " and closed the request"
		safe   = " Retry only if running the call twice is safe."
	)
	tests := []struct {
		name   string
		target playground.Target
		log    *story
		mine   string // for the person who made the call
		theirs string // for a reader; "" for the same
		ending narrate.Ending
	}{
		{"waiting", foreign, asked(state),
			"example.com asked for resolution" + closed + ". Its requestState goes back unchanged with " +
				"your answer.",
			"example.com asked for resolution" + closed + ". It sent a requestState.",
			narrate.NoEnding},
		{"waiting, no state", foreign, asked("}"),
			"example.com asked for resolution" + closed + ". It sent no requestState: it asks for the " +
				"same call with your answer.",
			"example.com asked for resolution" + closed + ". It sent no requestState: it asked for the " +
				"same call with the answer.", narrate.NoEnding},
		{"waiting, sample", sample, asked(state),
			"Azure DevOps (sample) asked for resolution" + closed +
				". It keeps nothing: what it must remember travels as requestState.",
			"Azure DevOps (sample) asked for resolution" + closed +
				". It kept nothing: it sent what it must remember as requestState.", narrate.NoEnding},
		{"answered", foreign, echo(asked(state), `"requestState":"s"`).reply("result", done),
			"example.com asked for resolution" + closed + ". It sent a requestState, which went back " +
				"unchanged.",
			"", narrate.NoEnding},
		{"answered with another state", foreign,
			echo(asked(state), `"requestState":"x"`).reply("result", done),
			"example.com asked for resolution" + closed + ". It sent a requestState, which went back " +
				"changed.",
			"",
			narrate.NoEnding},
		{"answered with a masked state", foreign,
			echo(asked(`,"requestState":"********"}`), `"requestState":"********"`).reply("result", done),
			"example.com asked for resolution" + closed + ". It sent a requestState, which went back; it " +
				"is masked here.", "", narrate.NoEnding},
		{"answered without the state", foreign, echo(asked(state), "").reply("result", done),
			"example.com asked for resolution" + closed + ". It sent a requestState, which did not go back.",
			"",
			narrate.NoEnding},
		{"answered, sample", sample, echo(asked("}"), "").reply("result", done),
			"Azure DevOps (sample) asked for resolution" + closed + ". It kept nothing: " +
				"the same call with the answer was enough.", "", narrate.NoEnding},
		{"refused", foreign,
			asked("}").decide(playground.Decision{Action: playground.ActionRefuse, Round: 2}),
			"example.com asked for resolution" + closed + ". It sent no requestState: it " +
				"asked for the same call with the answer. You refused, and the call ended here.",
			"example.com asked for resolution" + closed + ". It sent no requestState: it " +
				"asked for the same call with the answer. The user refused, and the call ended here.",
			narrate.Neutral},
		{"paused", foreign, start().reply("result", `{"resultType":"input_required","requestState":"s"}`),
			"example.com asks for nothing and sent a requestState. The same call can be sent again with it.",
			"example.com asked for nothing and sent a requestState.", narrate.NoEnding},
		{"running", foreign, start(), "The request is on its way to example.com.",
			"The request was on its way to example.com when the recording was made.", narrate.NoEnding},
		{"at work", foreign, working(), "example.com has received the request and is working on it.",
			"example.com had received the request and was working on it when the recording was made.",
			narrate.NoEnding},
		{"interrupted", foreign, start().add(playground.Interrupted, ""),
			"The playground stopped while the request was running. Whether the server received the request " +
				"is unknown." + safe,
			"The playground stopped while the request was running. Whether the server received the request " +
				"is unknown.", narrate.Unknown},
		{"interrupted at work", foreign, working().add(playground.Interrupted, ""),
			"The playground stopped while the request was running. The server had started (6 of 10). " +
				"Whether it finished is unknown." + safe,
			"The playground stopped while the request was running. The server had started (6 of 10). " +
				"Whether it finished is unknown.", narrate.Unknown},
		{"cancelled at work", foreign, working().add(playground.Cancelled, ""),
			"You closed the connection before the response arrived. The server had started (6 of 10) and " +
				"may have finished anyway.",
			"The user closed the connection before the response arrived. The server had started (6 of 10) " +
				"and may have finished anyway.", narrate.Neutral},
		{"lost at work", foreign, working().add(playground.Failed,
			`{"class":"reset","detail":"the server closed the connection"}`),
			"There is no usable response: the server closed the connection. The server had started (6 of " +
				"10). Whether it finished is unknown.", "", narrate.Bad},
		{"complete", foreign, start().reply("result", done),
			"example.com finished the call without asking for anything.", "", narrate.Good},
		{"tool error", foreign, start().reply("result", `{"content":[],"isError":true}`),
			"example.com finished the call with an error of the tool. It is part of the result (isError), " +
				"so a model can read it.", "", narrate.Bad},
		{"error", foreign, start().reply("error", `{"code":-32602,"message":"no"}`),
			"The server returned error -32602: no", "", narrate.Bad},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := playground.Fold(test.log.log)
			mine, theirs := narrate.Round(test.target, f, 0), narrate.Recorded(test.target, f, 0)
			if test.theirs == "" {
				test.theirs = test.mine
			}
			if mine.Sentence != test.mine {
				t.Errorf("\n got %s\nwant %s", mine.Sentence, test.mine)
			}
			if theirs.Sentence != test.theirs {
				t.Errorf("for a reader:\n got %s\nwant %s", theirs.Sentence, test.theirs)
			}
			if mine.Ending != test.ending || theirs.Ending != test.ending {
				t.Errorf("ending %q, want %q", mine.Ending, test.ending)
			}
		})
	}
}

// TestRound_NoToFromTheUserIsNeutral: what the user declined or cancelled is
// neither a success nor a failure, whatever the tool made of it.
func TestRound_NoToFromTheUserIsNeutral(t *testing.T) {
	asked := func() *story { return start().reply("result", asks+"}") }
	for _, c := range []struct{ answer, result, label, mine, theirs string }{
		{`{"action":"decline"}`, done, "declined", "You declined resolution, and example.com ended the call.",
			"The user declined resolution, and example.com ended the call."},
		{`{"action":"cancel"}`, done, "cancelled",
			"You cancelled resolution, and example.com ended the call.",
			"The user cancelled resolution, and example.com ended the call."},
		{`{"action":"decline"}`, `{"content":[],"isError":true}`, "declined",
			"You declined resolution, and example.com ended the call.",
			"The user declined resolution, and example.com ended the call."},
	} {
		f := playground.Fold(asked().answer(c.answer).reply("result", c.result).log)
		mine, theirs := narrate.Round(foreign, f, 1), narrate.Recorded(foreign, f, 1)
		if mine.Sentence != c.mine || theirs.Sentence != c.theirs || mine.Label != c.label ||
			mine.Answer != "" {
			t.Errorf("%q\n%q\n%q", mine.Label, mine.Sentence, theirs.Sentence)
		}
		if mine.Ending != narrate.Neutral || mine.Ending.Glyph() != "⊘" {
			t.Errorf("%s: ending %q", c.label, mine.Ending)
		}
		first := narrate.Round(foreign, f, 0)
		if first.Label != "asked for resolution" || first.Answer != c.label {
			t.Errorf("round 1: %q, %q", first.Label, first.Answer)
		}
	}
}

func TestAnswer_InAFewWords(t *testing.T) {
	for value, want := range map[string]string{
		`{"action":"accept","content":{"a":"x","b":2,"c":true,"d":1}}`: "x, 2, true, …",
		`{"action":"accept"}`:  "accepted",
		`{"action":"decline"}`: "declined",
		`{"role":"assistant","content":{"type":"text","text":"Yes\u202e."},"model":"m"}`: "Yes⟨U+202E⟩.",
		`{"roots":[{"uri":"file:///a"}]}`:                                                "1 root",
		`{"roots":[]}`:                                                                   "0 roots",
		`7`:                                                                              "answered",
		`{`:                                                                              "not JSON",
	} {
		if got := narrate.Answer(playground.Answer{Key: "k", Value: json.RawMessage(value)}); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

// FuzzRound reads any event after a request: there are words for it, and
// nothing hidden is in them.
func FuzzRound(f *testing.F) {
	f.Add("received", []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
		"{\"id\":1,\"result\":"+asks+"}}"))
	f.Add("message", []byte("data: {}\n\n"))
	f.Add("failed", []byte(`{"class":"reset"}`))
	f.Add("failed", []byte("damaged"))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		log := start().add(playground.EventKind(kind), string(data)).log
		transcript := playground.Fold(log)
		for i := range transcript.Rounds {
			n := narrate.Round(foreign, transcript, i)
			all := n.Label + n.Sentence + n.Response + n.Answer
			if n.Label == "" || n.Sentence == "" || n.Response == "" || len(text.Hidden(all)) > 0 ||
				strings.Contains(all, "\x1b") {
				t.Errorf("%+q", n)
			}
		}
	})
}

// TestRound_Legacy: the sentence about a session claims nothing that was not
// seen.
func TestRound_Legacy(t *testing.T) {
	session := func(field string) *story {
		s := &story{at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
		return s.decide(playground.Decision{Action: playground.ActionStart, Round: 1}).send("initialize").
			add(playground.Received, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"+field+"\r\n"+
				`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)
	}
	asking := func(s *story) *story {
		return s.send("tools/call").head(200, "text/event-stream").add(playground.Message,
			`data: {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which `+
				`env?"}}`+"\n\n")
	}
	const named = "Mcp-Session-Id: s1\r\n"
	tests := []struct {
		name            string
		log             *story
		label, sentence string
	}{
		{"asks", asking(session(named)), "asks for “Which env?”",
			"example.com asks for “Which env?” in a request of its own while the call stays open. The " +
				"answer " +
				"goes out in a request of its own with the session id."},
		{"asks, stateless", asking(session("")), "asks for “Which env?”",
			"example.com asks for “Which env?” in a request of its own while the call stays open. The " +
				"server " +
				"named no session id, so only the id of its request ties the answer to it."},
		{"asks before the call", session(named).send("").head(200, "text/event-stream").add(
			playground.Message,
			`data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}`+"\n\n"), "asks for your roots",
			"example.com asks for your roots while the session opens, before the call was sent. The " +
				"answer goes " +
				"out in a request of its own with the session id."},
		{"complete", session(named).send("tools/call").reply("result", `{"content":[]}`), "complete",
			"example.com finished the call."},
		{"task", session(named).send("tools/call").reply("result",
			`{"task":{"taskId":"T","status":"working"}}`), "running",
			"The call became a task with the status working. The client polls it with tasks/get and " +
				"fetches " +
				"its result with tasks/result."},
		{"task, asks", session(named).send("tools/call").reply("result",
			`{"task":{"taskId":"T","status":"working"}}`).send("").head(200, "text/event-stream").add(
			playground.Message, `data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}`+"\n\n"),
			"asks for your roots", "example.com asks for your roots in a request of its own while the " +
				"task of " +
				"the call goes on. The answer goes out in a request of its own with the session id."},
		{"task asks", session(named).send("tools/call").reply("result",
			`{"task":{"taskId":"T","status":"working"}}`).send("").head(200, "text/event-stream").add(
			playground.Message, `data: {"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"_meta":`+
				`{"io.modelcontextprotocol/related-task":{"taskId":"T"}}}}`+"\n\n"),
			"asks for your roots", "For the task that the call became, the server asks for your roots in a " +
				"request of its own. The answer goes out in a request of its own with the session id."},
		{"task, interrupted", session(named).send("tools/call").reply("result",
			`{"task":{"taskId":"T","status":"working"}}`).send("tasks/get").add(playground.Interrupted, ""),
			"interrupted", "The playground stopped while it polled the task. It does not resume tasks of " +
				"earlier revisions, so the call must start again."},
		{"cancelled", session(named).send("tools/call").add(playground.Cancelled, ""), "cancelled by you",
			"You cancelled the call. Its connection was closed."},
		{"cancelled, notified", session(named).send("tools/call").add(playground.Cancelled, "").
			send("notifications/cancelled"), "cancelled by you",
			"You cancelled the call. Its connection was closed and the server was notified."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := narrate.Round(foreign, playground.Fold(test.log.log), 0)
			if n.Label != test.label || n.Sentence != test.sentence {
				t.Errorf("%q\n got %s\nwant %s", n.Label, n.Sentence, test.sentence)
			}
		})
	}
}

func TestReasons_FitTheRequest(t *testing.T) {
	round := func(method string, legacy bool, d playground.Decision) playground.Round {
		r := *playground.Fold(start().reply("result", done).log).Last()
		r.Method, r.Legacy, r.Decision = method, legacy, d
		return r
	}
	failed := round("tools/call", false, playground.Decision{})
	failed.Outcome = playground.Outcome{Kind: playground.OutcomeHTTPError, Class: playground.HTTP5xx}
	failed.Head.Status = 503
	tests := []struct {
		name string
		r    playground.Round
		want string
	}{
		{"update", round("tasks/update", false, playground.Decision{}), "The answers go to the task"},
		{"poll", round("tasks/get", false, playground.Decision{}), "asks for the status of the task"},
		{"legacy answer", round("", true, playground.Decision{}), "in a request of its own"},
		{"again", round("tools/call", false, playground.Decision{Action: playground.ActionResend}),
			"The last attempt ended with: HTTP 503."},
	}
	for _, test := range tests {
		lines := strings.Join(narrate.Reasons(test.r, &failed), " ")
		if !strings.Contains(lines, test.want) {
			t.Errorf("%s: %s", test.name, lines)
		}
		if test.name != "again" && strings.Contains(lines, "The same call") {
			t.Errorf("%s: %s", test.name, lines)
		}
	}
}
