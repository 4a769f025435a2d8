package playground

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestFold_OutcomesAndStatuses(t *testing.T) {
	id := `"jsonrpc":"2.0","id":1`
	tests := []struct {
		name, contentType, body string
		httpStatus              int
		outcome                 OutcomeKind
		class                   Class
		status                  Status
	}{
		{"complete", "application/json", `{` + id + `,"result":{"resultType":"complete","content":[]}}`,
			200, OutcomeComplete, "", StatusComplete},
		{"absent resultType means complete", "application/json", `{` + id + `,"result":{"content":[]}}`,
			200, OutcomeComplete, "", StatusComplete},
		{"type with parameters", "application/json; charset=utf-8", `{` + id + `,"result":{}}`, 200,
			OutcomeComplete, "", StatusComplete},
		{"question", "application/json", `{` + id + `,"result":` + asks + `}`, 200, OutcomeInputRequired,
			"", StatusWaiting},
		{"state only", "application/json", `{` + id + `,"result":{"resultType":"input_required",` +
			`"requestState":"s"}}`, 200, OutcomeRetry, "", StatusWaiting},
		{"state and an empty map", "application/json",
			`{` + id + `,"result":{"resultType":"input_required","inputRequests":{},"requestState":"s"}}`,
			200, OutcomeRetry, "", StatusWaiting},
		{"empty state is a state", "application/json",
			`{` + id + `,"result":{"resultType":"input_required","requestState":""}}`, 200, OutcomeRetry,
			"", StatusWaiting},
		{"neither", "application/json", `{` + id + `,"result":{"resultType":"input_required"}}`, 200,
			OutcomeViolation, Violation, StatusFailed},
		{"an empty map alone", "application/json", `{` + id + `,"result":{"resultType":"input_required",` +
			`"inputRequests":{}}}`, 200, OutcomeViolation, Violation, StatusFailed},
		{"state 42", "application/json", `{` + id + `,"result":{"resultType":"input_required",` +
			`"requestState":42}}`, 200, OutcomeViolation, Violation, StatusFailed},
		{"requests an array", "application/json", `{` + id + `,"result":{"resultType":"input_required",` +
			`"inputRequests":[]}}`, 200, OutcomeViolation, Violation, StatusFailed},
		{"unknown resultType", "application/json", `{` + id + `,"result":{"resultType":"later"}}`, 200,
			OutcomeViolation, Violation, StatusFailed},
		{"resultType 1", "application/json", `{` + id + `,"result":{"resultType":1}}`, 200,
			OutcomeViolation, Violation, StatusFailed},
		{"wrong id", "application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`, 200, OutcomeViolation,
			Violation, StatusFailed},
		{"id as a string", "application/json", `{"jsonrpc":"2.0","id":"1","result":{}}`, 200,
			OutcomeViolation, Violation, StatusFailed},
		{"result and error", "application/json", `{` + id + `,"result":{},"error":{"code":1,"message":""}}`,
			200, OutcomeViolation, Violation, StatusFailed},
		{"batch", "application/json", `[{` + id + `,"result":{}}]`, 200, OutcomeViolation,
			Violation, StatusFailed},
		{"notification", "application/json", `{"jsonrpc":"2.0","method":"notifications/progress"}`, 200,
			OutcomeViolation, Violation, StatusFailed},
		{"result no object", "application/json", `{` + id + `,"result":3}`, 200, OutcomeViolation,
			Violation, StatusFailed},
		{"error", "application/json", `{` + id + `,"error":{"code":-32602,"message":"no"}}`, 200,
			OutcomeRPCError, RPCFailed, StatusFailed},
		{"error without id", "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,` +
			`"message":"no"}}`, 400, OutcomeRPCError, RPCFailed, StatusFailed},
		{"error of another request", "application/json",
			`{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"no"}}`, 200, OutcomeViolation,
			Violation, StatusFailed},
		{"capability", "application/json", `{` + id + `,"error":{"code":-32021,"message":"no"}}`, 400,
			OutcomeRPCError, Capability, StatusFailed},
		{"version", "application/json", `{` + id + `,"error":{"code":-32022,"message":"no"}}`, 400,
			OutcomeRPCError, ProtocolVersion, StatusFailed},
		{"header", "application/json", `{` + id + `,"error":{"code":-32020,"message":"no"}}`, 400,
			OutcomeRPCError, HeaderMismatch, StatusFailed},
		{"login page", "text/html", `<html>`, 200, OutcomeHTTPError, ContentType, StatusFailed},
		{"not JSON", "application/json", `{`, 200, OutcomeHTTPError, NotJSON, StatusFailed},
		{"too deep", "application/json", strings.Repeat("[", 100000), 200, OutcomeHTTPError,
			TooDeep, StatusFailed},
		{"no body", "application/json", ``, 202, OutcomeHTTPError, HTTPStatus, StatusFailed},
		{"redirect", "text/html", ``, 307, OutcomeHTTPError, Redirect, StatusFailed},
		{"401", "text/plain", `no`, 401, OutcomeHTTPError, HTTP401, StatusFailed},
		{"404", "text/plain", `no`, 404, OutcomeHTTPError, HTTP404, StatusFailed},
		{"418", "text/plain", `no`, 418, OutcomeHTTPError, HTTP4xx, StatusFailed},
		{"503", "text/plain", `no`, 503, OutcomeHTTPError, HTTP5xx, StatusFailed},
		{"OAuth error with 401", "application/json", `{"error":"invalid_token",` +
			`"error_description":"expired"}`,
			401, OutcomeHTTPError, HTTP401, StatusFailed},
		{"rate limit with 429", "application/json", `{"error":"too many requests"}`, 429, OutcomeHTTPError,
			HTTP429, StatusFailed},
		{"overload with 503", "application/json", `{"error":{"message":"overloaded"}}`, 503,
			OutcomeHTTPError, HTTP5xx, StatusFailed},
		{"JSON-RPC error with 401", "application/json", `{` + id + `,"error":{"code":-32001,` +
			`"message":"no token"}}`, 401, OutcomeHTTPError, HTTP401, StatusFailed},
		{"JSON-RPC error with 403", "application/json", `{"jsonrpc":"2.0","error":{"code":-32000,` +
			`"message":"origin"}}`, 403, OutcomeHTTPError, HTTP403, StatusFailed},
		{"JSON-RPC error with 500", "application/json", `{` + id + `,"error":{"code":-32603,` +
			`"message":"no"}}`, 500, OutcomeRPCError, RPCFailed, StatusFailed},
		{"JSON-RPC error of another id with 400", "application/json", `{"jsonrpc":"2.0",` +
			`"id":"server-error",` +
			`"error":{"code":-32600,"message":"no"}}`, 400, OutcomeHTTPError, HTTP4xx, StatusFailed},
		{"an error that is a string", "application/json", `{` + id + `,"error":"no"}`, 200,
			OutcomeViolation, Violation, StatusFailed},
		{"a code that is a string", "application/json", `{` + id + `,"error":{"code":"E1","message":"no"}}`,
			400, OutcomeHTTPError, HTTP4xx, StatusFailed},
		{"a URL to open first", "application/json", `{` + id + `,"error":{"code":-32042,"message":"no",` +
			`"data":{"elicitations":[{"mode":"url","url":"https://h.example/a"}]}}}`, 200,
			OutcomeRPCError, URLRequired, StatusFailed},
		{"result with 500", "application/json", `{` + id + `,"result":{}}`, 500, OutcomeHTTPError,
			HTTP5xx, StatusFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStory(t)
			s.start()
			f := s.receiveAs(test.httpStatus, test.contentType, test.body)
			r := f.Last()
			if r.Kind != test.outcome || r.Class != test.class || f.Status != test.status {
				t.Errorf("got %s %s %s (%s), want %s %s %s", r.Kind, r.Class, f.Status, r.Detail,
					test.outcome, test.class, test.status)
			}
			if (test.class == "") != (r.Detail == "") {
				t.Errorf("class %q with detail %q", r.Class, r.Detail)
			}
		})
	}
}

// TestFold_StreamsOfErrorStatuses: a stream with the status of an error may have
// its JSON-RPC error, or else the status names the failure.
func TestFold_StreamsOfErrorStatuses(t *testing.T) {
	for name, test := range map[string]struct {
		status  int
		data    string // of the stream's message; "" for none
		outcome OutcomeKind
		class   Class
		detail  string
	}{
		"JSON-RPC error": {400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`,
			OutcomeRPCError, HeaderMismatch, "error -32020"},
		"OAuth error": {401, `{"error":"invalid_token","error_description":"expired"}`,
			OutcomeHTTPError, HTTP401, "invalid_token: expired"},
		"gateway": {502, `{"error":{"code":502,"message":"upstream"}}`, OutcomeHTTPError, HTTP5xx,
			"upstream"},
		"no message": {503, "", OutcomeHTTPError, HTTP5xx, "HTTP status 503"},
		"words":      {503, "busy", OutcomeHTTPError, HTTP5xx, "HTTP status 503"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.start()
			s.receiveAs(test.status, "text/event-stream", "")
			if test.data == "" {
				s.add(Event{At: s.tick(), Conn: s.conn, Kind: Failed,
					Data: []byte(`{"class":"no_response","detail":"The server closed the stream."}`)})
			} else {
				s.add(Event{At: s.tick(), Conn: s.conn, Kind: Message, Data: []byte("data: " + test.data +
					"\n\n")})
			}
			r := Fold(s.x.Log).Last()
			if r.Kind != test.outcome || r.Class != test.class || !strings.Contains(r.Detail, test.detail) {
				t.Errorf("got %s %s (%s)", r.Kind, r.Class, r.Detail)
			}
		})
	}
}

// TestFold_ContentCoding: the sentence about a compressed body depends on the
// codings that the request accepts.
func TestFold_ContentCoding(t *testing.T) {
	for accepts, want := range map[string]string{
		"":     `compressed ("gzip"), although the request did not accept that, in a way`,
		"gzip": `compressed ("gzip"), in a way`,
	} {
		s := newStory(t)
		if accepts != "" {
			s.x.Target.Header = []wire.Field{{Name: "Accept-Encoding", Value: accepts}}
		}
		s.start()
		f := s.receiveAs(200, "application/json\r\nContent-Encoding: gzip", "\x1f\x8b")
		if r := f.Last(); r.Class != ContentType || !strings.Contains(r.Detail, want) {
			t.Errorf("%q: %s %s", accepts, r.Class, r.Detail)
		}
	}
}

// TestFold_Compressed: a response that is compressed in spite of the request is read.
func TestFold_Compressed(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
	const progress = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}` + "\n\n"
	compress := func(w func(io.Writer) io.WriteCloser, text string) string {
		var b bytes.Buffer
		z := w(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return b.String()
	}
	zipped := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	deflated := func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
	raw := func(w io.Writer) io.WriteCloser {
		z, _ := flate.NewWriter(w, flate.BestSpeed)
		return z
	}
	for name, test := range map[string]struct {
		mediaType, coding, body string
		kind                    OutcomeKind
		messages                int
	}{
		"JSON":         {"application/json", "gzip", compress(zipped, message), OutcomeComplete, 1},
		"deflate":      {"application/json", "deflate", compress(deflated, message), OutcomeComplete, 1},
		"bare deflate": {"application/json", "Deflate", compress(raw, message), OutcomeComplete, 1},
		"a stream": {"text/event-stream", "gzip", compress(zipped, progress+"data: "+message+"\n\n"),
			OutcomeComplete, 2},
		"an open stream": {"text/event-stream", "gzip", compress(zipped, progress), OutcomeTransportError, 1},
		"cut off":        {"application/json", "gzip", compress(zipped, message)[:30], OutcomeHTTPError, 1},
		"unknown":        {"application/json", "br", "\x1b\x00" + message, OutcomeHTTPError, 1},
		"no JSON":        {"application/json", "gzip", compress(zipped, "{oops"), OutcomeHTTPError, 1},
	} {
		s := newStory(t)
		s.start()
		r := s.receiveAs(200, test.mediaType+"\r\nContent-Encoding: "+test.coding, test.body).Last()
		if r.Kind != test.kind || len(r.Messages) != test.messages || string(r.Response.Body) != test.body {
			t.Errorf("%s: %s %s (%s), %d messages", name, r.Kind, r.Class, r.Detail, len(r.Messages))
		}
	}
}

// TestRedact_Compressed: a secret that comes back compressed is masked, and the
// stored event can still be read.
func TestRedact_Compressed(t *testing.T) {
	const secret = "s3cret-value-of-a-token"
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, `{"jsonrpc":"2.0","id":1,"result":{"text":%q}}`, secret)
	_ = z.Close()
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n"
	e := Event{Kind: Received, Data: append([]byte(head), b.Bytes()...)}
	secrets := redact.New([]wire.Field{{Name: "Authorization", Value: secret}}, "", nil)
	stored, compressed := wire.DecodeResponse(e.Redact(secrets).Data)
	if !compressed || bytes.Contains(stored, []byte(secret)) ||
		!bytes.Contains(stored, []byte(`{"text":"***`)) {
		t.Errorf("%v %q", compressed, stored)
	}
	if same := e.Redact(redact.New(nil, "", nil)); !bytes.Equal(same.Data, e.Data) {
		t.Error("a body without a secret changes")
	}
}

// TestFold_UnfinishedEvent: a stream that ends within an event had one.
func TestFold_UnfinishedEvent(t *testing.T) {
	const response = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
	for event, want := range map[string]string{
		"data: " + response + "\n": "ended within an event",
		"data: " + response[:20]:   "ended within an event",
		": comment\n\n":            "closed the stream",
		"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n": "closed the stream",
	} {
		s := newStory(t)
		s.start()
		s.receiveAs(200, "text/event-stream", "")
		s.add(Event{At: s.tick(), Conn: 1, Kind: Message, Data: []byte(event)})
		s.add(PartEvent(wire.Part{Kind: wire.Failed, Failure: &wire.Failure{Class: NoResponse,
			Detail: "The server closed the stream without a response."}}, 1))
		if r := Fold(s.x.Log).Last(); r.Class != NoResponse || !strings.Contains(r.Detail, want) {
			t.Errorf("%q: %s %s", event, r.Class, r.Detail)
		}
	}
}

// TestFold_BrokenErrorBody: a body that says it is JSON and is not is named beside
// the status.
func TestFold_BrokenErrorBody(t *testing.T) {
	for body, want := range map[string]bool{`{"error":`: true, "": false, `{"error":"x"}`: false} {
		s := newStory(t)
		s.start()
		r := s.receiveAs(400, "application/json", body).Last()
		if r.Class != HTTP4xx || strings.Contains(r.Detail, "not valid JSON") != want {
			t.Errorf("%q: %s %s", body, r.Class, r.Detail)
		}
	}
}

func TestFold_NothingSentIsReady(t *testing.T) {
	if got := Fold(nil).Status; got != StatusReady {
		t.Errorf("got %s", got)
	}
}

func TestFold_ToolErrorIsComplete(t *testing.T) {
	s := newStory(t)
	s.start()
	f := s.result(`{"resultType":"complete","content":[],"isError":true}`)
	if r := f.Last(); r.Kind != OutcomeComplete || !r.IsError || f.Status != StatusComplete {
		t.Errorf("got %s %v %s", r.Kind, r.IsError, f.Status)
	}
}

func TestFold_DeclineAndCancel(t *testing.T) {
	for action, want := range map[string]Status{"accept": StatusComplete, "decline": StatusDeclined,
		"cancel": StatusCancelled} {
		s := newStory(t)
		s.start()
		s.result(asks)
		s.answer(Answer{Key: "k", Value: json.RawMessage(`{"action":"` + action + `"}`)})
		if f := s.result(`{"resultType":"complete","content":[]}`); f.Status != want {
			t.Errorf("%s: got %s, want %s", action, f.Status, want)
		}
	}
}

func TestFold_Refuse(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(asks)
	s.add(Decision{Action: ActionRefuse, Round: 2}.Event(s.tick()))
	f := Fold(s.x.Log)
	if f.Status != StatusDeclined || len(f.Rounds) != 1 {
		t.Errorf("got %s with %d rounds", f.Status, len(f.Rounds))
	}
	if _, err := Next(s.x, f, Decision{Action: ActionAnswer, Round: 2,
		Answers: []Answer{accept("k", "{}")}}, Client{}); err == nil {
		t.Error("a refused exchange takes an answer")
	}
}

func TestFold_StreamFirstResponseDecides(t *testing.T) {
	s := newStory(t)
	s.start()
	s.receiveAs(200, "text/event-stream", "")
	if f := Fold(s.x.Log); f.Status != StatusRunning {
		t.Fatalf("after the head: %s", f.Status)
	}
	var body string
	for _, event := range []string{
		": hello\n\nevent: message\ndata: " +
			"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}\n\n",
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\r\n\r\n",
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"late\"}}\n\n",
	} {
		body += event
		s.add(Event{At: s.tick(), Conn: 1, Kind: Message, Data: []byte(event)})
	}
	r := Fold(s.x.Log).Last()
	if string(r.Response.Body) != body {
		t.Errorf("body %q, want %q", r.Response.Body, body)
	}
	if r.Kind != OutcomeComplete || len(r.Messages) != 3 ||
		r.Messages[0].Method() != "notifications/progress" {
		t.Errorf("outcome %s, %d messages", r.Kind, len(r.Messages))
	}
}

func TestFold_FailureEndsABodyOrAPendingRound(t *testing.T) {
	failure := wire.Part{Kind: wire.Failed, Failure: &wire.Failure{Class: wire.Reset, Detail: "broke"}}
	s := newStory(t)
	s.start()
	s.add(PartEvent(failure, 1))
	if r := Fold(s.x.Log).Last(); r.Kind != OutcomeTransportError || r.Class != wire.Reset ||
		!r.Resendable() {
		t.Errorf("got %s %s", r.Kind, r.Class)
	}
	s = newStory(t)
	s.start()
	s.receiveAs(200, "text/event-stream", "")
	s.add(Event{At: s.tick(), Conn: 1, Kind: Message,
		Data: []byte("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n\n")})
	s.add(PartEvent(failure, 1))
	if r := Fold(s.x.Log).Last(); r.Kind != OutcomeComplete {
		t.Errorf("a failure after the response of a stream turned complete into %s", r.Kind)
	}
	for _, result := range []string{`{"content":[]}`, asks} {
		s = newStory(t)
		s.start()
		s.result(result)
		s.add(PartEvent(failure, 1))
		r := Fold(s.x.Log).Last()
		if r.Kind != OutcomeTransportError || r.Class != wire.Reset || r.Final != nil || r.Questions != nil ||
			len(r.Messages) != 1 || !r.Resendable() || !strings.Contains(r.Detail, "complete JSON") {
			t.Errorf("a body that was cut off: %s %s %q", r.Kind, r.Class, r.Detail)
		}
	}
}

func TestFold_InterruptedAndCancelled(t *testing.T) {
	for kind, want := range map[EventKind]Status{Interrupted: StatusInterrupted, Cancelled: StatusCancelled} {
		s := newStory(t)
		s.start()
		s.add(Event{At: s.tick(), Conn: 1, Kind: kind})
		if f := Fold(s.x.Log); f.Status != want || !f.Last().Resendable() {
			t.Errorf("%s: got %s", kind, f.Status)
		}
	}
}

func TestFold_CapsAtMaxRounds(t *testing.T) {
	s := newStory(t)
	s.start()
	for n := 1; n < MaxRounds; n++ {
		if f := s.result(asks); f.Status != StatusWaiting {
			t.Fatalf("round %d: %s", n, f.Status)
		}
		s.answer(accept("k", `{"a":"x"}`))
	}
	f := s.result(asks)
	if f.Status != StatusCapped || len(f.Rounds) != MaxRounds {
		t.Errorf("got %s after %d rounds", f.Status, len(f.Rounds))
	}
	if _, err := Next(s.x, f, Decision{Action: ActionAnswer, Round: MaxRounds + 1,
		Answers: []Answer{accept("k", "{}")}}, Client{}); err == nil {
		t.Error("a capped exchange goes on")
	}
}

func FuzzFold(f *testing.F) {
	f.Add("received", []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
		"{\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":3}}}"))
	f.Add("message", []byte("data: {}\n\n"))
	f.Add("decision", []byte(`{"action":"answer","round":-1}`))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		s := newStory(t)
		s.start()
		s.add(Event{Conn: 1, Kind: EventKind(kind), Data: data})
		Fold(s.x.Log)
	})
}

func TestFold_LimitsOfInputRequired(t *testing.T) {
	ask := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"k%d":{"method":"roots/list"}`, i))
		}
		return `{"resultType":"input_required","inputRequests":{` + strings.Join(list, ",") + `}}`
	}
	state := func(n int) string {
		return `{"resultType":"input_required","requestState":"` + strings.Repeat("x", n) + `"}`
	}
	for _, test := range []struct {
		name, result string
		outcome      OutcomeKind
	}{
		{"64 KiB of state", state(64 << 10), OutcomeRetry},
		{"one byte more", state(64<<10 + 1), OutcomeTransportError},
		{"32 questions", ask(32), OutcomeInputRequired},
		{"33 questions", ask(33), OutcomeTransportError},
	} {
		s := newStory(t)
		s.start()
		r := s.result(test.result).Last()
		if r.Kind != test.outcome || test.outcome == OutcomeTransportError && r.Class != wire.TooLarge {
			t.Errorf("%s: %s %s", test.name, r.Kind, r.Class)
		}
	}
}

func TestFold_CompressedResponse(t *testing.T) {
	s := newStory(t)
	s.start()
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n"
	s.add(Event{At: s.tick(), Conn: 1, Kind: Received, Data: []byte(head + "\x1f\x8b")})
	if r := Fold(s.x.Log).Last(); r.Class != ContentType || !strings.Contains(r.Detail, "compressed") {
		t.Errorf("%s: %s", r.Class, r.Detail)
	}
}

func TestAnswers_OfAnExperiment(t *testing.T) {
	sent, err := jsontree.Parse([]byte(`{"params":{"inputResponses":{"z":{"action":"cancel"}}}}`),
		jsontree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r := Round{Trip: Trip{Sent: sent}, Decision: Decision{Answers: []Answer{accept("k", "{}")}}}
	if said := r.Answers(); len(said) != 1 || said[0].Key != "k" {
		t.Errorf("ordinary round: %v", said)
	}
	r.Decision.Experiment = "wrong-key"
	if said := r.Answers(); len(said) != 1 || said[0].Key != "z" || said[0].Action() != "cancel" {
		t.Errorf("experiment: %v", said)
	}
	r.Sent = nil
	if said := r.Answers(); len(said) != 0 {
		t.Errorf("nothing sent: %v", said)
	}
}

// TestFold_FailureAfterAStateOnlyResult: a stream that fails after its result, which has a state
// alone, does not stop automatic retries; the user who cancels does.
func TestFold_FailureAfterAStateOnlyResult(t *testing.T) {
	for kind, paused := range map[EventKind]bool{Failed: false, Cancelled: true, Interrupted: true} {
		s := newStory(t)
		s.start()
		s.add(Event{At: s.tick(), Conn: 1, Kind: Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")})
		s.add(Event{At: s.tick(), Conn: 1, Kind: Message, Data: []byte(`data: {"jsonrpc":"2.0","id":1,` +
			`"result":{"resultType":"input_required","requestState":"s"}}` + "\n\n")})
		s.add(Event{At: s.tick(), Conn: 1, Kind: kind, Data: []byte(`{"class":"reset","detail":"reset"}`)})
		if r := Fold(s.x.Log).Last(); r.Kind != OutcomeRetry || r.Paused != paused {
			t.Errorf("%s: %s, paused %v", kind, r.Kind, r.Paused)
		}
	}
}
