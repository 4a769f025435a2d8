package playground_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// lineLog is a log of lines: those of the client open a connection each.
func lineLog(lines ...string) []playground.Event {
	var log []playground.Event
	conn := 0
	for i, line := range lines {
		e := playground.Event{Seq: i + 1, Kind: playground.Received, Conn: conn}
		e.Data = wire.Line([]byte(line[1:])).Bytes()
		if line[0] == '>' {
			conn++
			e.Kind, e.Conn = playground.Sent, conn
		}
		log = append(log, e)
	}
	return log
}

func TestConnections_OfLines(t *testing.T) {
	log := lineLog(
		"<{\"method\":\"notifications/hello\"}\n", // before any request
		">{\"id\":1,\"method\":\"tools/list\"}\r\n", "<{\"method\":\"notifications/progress\"}\n",
		"<{\"id\":1,\"result\":{\"tools\":[]}}\n",
		">{\"method\":\"notifications/initialized\"}\n",
		">{\"id\":2,\"method\":\"tools/call\"}\n",
		"<{\"id\":2,\"error\":{\"code\":-32602,\"message\":\"no\"}}\n",
		">{\"id\":3,\"method\":\"tools/call\"}\n",
	)
	want := []struct {
		conn     int
		kind     playground.OutcomeKind
		messages int
		request  string
	}{
		{0, playground.OutcomePending, 1, ""},
		{1, playground.OutcomeComplete, 2, "{\"id\":1,\"method\":\"tools/list\"}\r\n"},
		{2, playground.OutcomeAck, 0, "{\"method\":\"notifications/initialized\"}\n"},
		{3, playground.OutcomeRPCError, 1, "{\"id\":2,\"method\":\"tools/call\"}\n"},
		{4, playground.OutcomePending, 0, "{\"id\":3,\"method\":\"tools/call\"}\n"},
	}
	got := playground.Connections(log)
	if len(got) != len(want) {
		t.Fatalf("%d connections", len(got))
	}
	for i, w := range want {
		r := got[i]
		if r.Conn != w.conn || r.Kind != w.kind || len(r.Messages) != w.messages ||
			string(r.Request.Body) != w.request || !r.OnLine() {
			t.Errorf("%d: connection %d, %s, %d messages, %q", i, r.Conn, r.Kind, len(r.Messages),
				r.Request.Body)
		}
	}
	if open := playground.Unanswered(log); len(open) != 1 || open[0] != 4 {
		t.Errorf("%v are unanswered", open)
	}
	body, ok := playground.BodyAt(log, 3)
	lines := "{\"method\":\"notifications/progress\"}\n{\"id\":1,\"result\":{\"tools\":[]}}\n"
	if !ok || string(body) != lines {
		t.Errorf("%q", body)
	}
}

// A response over HTTP that begins with an empty line is no line.
func TestConnections_EmptyLineOverHTTP(t *testing.T) {
	for _, body := range []string{"{\"id\":1,\"result\":{}}", "foo"} {
		log := []playground.Event{
			{Seq: 1, Conn: 1, Kind: playground.Sent,
				Data: []byte("POST / HTTP/1.1\r\n\r\n{\"id\":1,\"method\":\"a\"}")},
			{Seq: 2, Conn: 1, Kind: playground.Received, Data: []byte("\n" + body)},
		}
		if r := playground.Connections(log)[0]; r.Kind == playground.OutcomeComplete || r.OnLine() {
			t.Errorf("%s: %+v", body, r.Outcome)
		}
		if open := playground.Unanswered(log); len(open) > 0 {
			t.Errorf("%s: %v are unanswered", body, open)
		}
	}
}

// TestFold_CancelledLine: the notification that cancels a request belongs to its Round,
// which stays cancelled if a response crosses it.
func TestFold_CancelledLine(t *testing.T) {
	log := []playground.Event{{Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)}}
	log = append(log, lineLog(
		">{\"id\":1,\"method\":\"tools/call\"}\n",
		">{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n",
	)...)
	cancelled := playground.Event{Kind: playground.Cancelled, Conn: 1}
	late := playground.Event{
		Kind: playground.Received, Conn: 1, Data: wire.Line([]byte("{\"id\":1,\"result\":{}}\n")).Bytes(),
	}
	log = append(log[:2:2], cancelled, log[2], late)
	for i := range log {
		log[i].Seq = i + 1
	}
	f := playground.Fold(log)
	r := f.Last()
	if f.Status != playground.StatusCancelled || len(f.Rounds) != 1 ||
		r.Kind != playground.OutcomeCancelled ||
		len(r.Messages) != 1 || len(r.Others) != 1 || r.Others[0].Method != playground.CancelledNotified {
		t.Errorf("%s, %d rounds, %+v", f.Status, len(f.Rounds), r)
	}
}
