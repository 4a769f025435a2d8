package wire

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// events splits the whole body of a stream. What follows the last event is the
// last piece.
func events(body []byte) [][]byte {
	var s splitter
	s.write(body)
	s.end = true
	var list [][]byte
	for event := s.next(); event != nil; event = s.next() {
		list = append(list, event)
	}
	if rest := s.rest(); len(rest) > 0 {
		list = append(list, rest)
	}
	return list
}

func TestEventsKeepEveryByte(t *testing.T) {
	for _, tt := range []struct {
		body   string
		events []string
	}{
		{"", nil},
		{"data: a\n\ndata: b\n\n", []string{"data: a\n\n", "data: b\n\n"}},
		{"data: a\r\n\r\ndata: b\r\n\r\n", []string{"data: a\r\n\r\n", "data: b\r\n\r\n"}},
		{"data: a\r\rdata: b\r\r", []string{"data: a\r\r", "data: b\r\r"}},
		{"data: a\n\r\ndata: b\r\n\n", []string{"data: a\n\r\n", "data: b\r\n\n"}},
		{
			": hello\n\n\nid: 1\nevent: x\n\n:\ndata: a\n\n",
			[]string{": hello\n\n\nid: 1\nevent: x\n\n:\ndata: a\n\n"},
		},
		{"data\n\n", []string{"data\n\n"}},
		{"data: a\n\n: bye\n\n", []string{"data: a\n\n", ": bye\n\n"}},
		{"data: a\n\ndata: cut", []string{"data: a\n\n", "data: cut"}},
		{"datax: a\n\n data: b\n\n", []string{"datax: a\n\n data: b\n\n"}},
		{"\n\n\n", []string{"\n\n\n"}},
	} {
		var got []string
		for _, e := range events([]byte(tt.body)) {
			got = append(got, string(e))
		}
		if !slices.Equal(got, tt.events) {
			t.Errorf("events(%q) = %q", tt.body, got)
		}
	}
}

// WHATWG HTML, "Interpreting an event stream".
func TestEventData(t *testing.T) {
	for _, tt := range []struct {
		event, data, name string
		ok                bool
	}{
		{"data: {}\n\n", "{}", "", true},
		{"data:{}\n\n", "{}", "", true},
		{"data:  {}\n\n", " {}", "", true},
		{"event: message\nid: 7\nretry: 1\ndata: {\ndata: }\n\n", "{\n}", "message", true},
		{"data: a\revent:x\r\ndata\n\n", "a\n", "x", true},
		{": comment: data: no\n\ndata: yes\n\n", "yes", "", true},
		{"event: forgotten\n\ndata: a\n\n", "a", "", true},
		{"\uFEFFdata: a\n\n", "a", "", true},
		{"data\n\n", "", "", true},
		{"\ndata: a\n\n", "a", "", true},
		{"data: a\n\ndata: b\n\n", "a", "", true},
		{"data: cut\n", "", "", false},
		{"data: cut", "", "", false},
		{": only\n\n", "", "", false},
		{"DATA: a\n\n", "", "", false},
		{"", "", "", false},
	} {
		data, name, ok := EventData([]byte(tt.event))
		if string(data) != tt.data || name != tt.name || ok != tt.ok {
			t.Errorf("EventData(%q) = %q, %q, %v", tt.event, data, name, ok)
		}
	}
}

func TestStreamIsRecordedAsItComes(t *testing.T) {
	const response = "data: {\"id\":1,\"result\":{}}\n\n"
	for _, tt := range []struct{ name, body, want string }{
		{
			"notification, response", "data: {\"method\":\"n\"}\n\n" + response,
			`message "data: {\"method\":\"n\"}\n\n" | ` + fmt.Sprintf("message %q", response),
		},
		{
			"what follows the response is seen", response + "data: late\n\n: bye",
			fmt.Sprintf("message %q", response) + ` | message "data: late\n\n" | message ": bye"`,
		},
		{
			"two in one line", "data: x\n\n\n\ndata: y\n\n",
			`message "data: x\n\n" | message "\n\ndata: y\n\n"`,
		},
		{"cut off", "data: x\n\ndata: y", `message "data: x\n\n" | message "data: y"`},
		{"empty", "", ""},
	} {
		parts, _ := ask(t.Context(), serve(t, Limits{}, says(sse(tt.body))))
		if got := strings.TrimSuffix(rec(sse(""), "")+" | "+tt.want, " | "); show(parts) != got {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, show(parts), got)
		}
	}
}

func TestBrokenStream(t *testing.T) {
	chunked := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: " +
		"chunked\r\n\r\n"
	parts, _ := ask(t.Context(), serve(t, Limits{}, says(chunked+"9\r\ndata: x\n\n\r\n5\r\ndata: ")))
	if got, want := show(parts), rec(chunked, "")+` | message "data: x\n\n" | message "data:" | failed `+
		`reset`; got != want {
		t.Errorf("before the response:\n got %s\nwant %s", got, want)
	}
	response := "data: {\"id\":1,\"error\":{}}\n\n"
	parts, _ = ask(
		t.Context(),
		serve(t, Limits{}, says(fmt.Sprintf("%s%x\r\n%s\r\n", chunked, len(response), response))),
	)
	if got, want := show(parts), rec(chunked, "")+fmt.Sprintf(" | message %q", response); got != want {
		t.Errorf("how it ends after the response is of no interest:\n got %s\nwant %s", got, want)
	}
}

func TestStreamLimits(t *testing.T) {
	event := func(size int) string { return "data: " + strings.Repeat("x", size-8) + "\n\n" }
	l := Limits{Body: 1000, Event: 100, Events: 5}
	for _, tt := range []struct {
		name, body string
		messages   int
		fails      bool
	}{
		{"event at the limit", event(100), 1, false},
		{"event beyond", event(101), 1, true},
		{"event beyond, unfinished", event(20) + event(5000)[:150], 2, true},
		{"comments count as part of their event", strings.Repeat(":\n", 51) + "data: x\n\n", 1, true},
		{"events at the limit", strings.Repeat(event(10), 5), 5, false},
		{"one event more", strings.Repeat(event(10), 6), 5, true},
	} {
		parts, _ := ask(t.Context(), serve(t, l, says(sse(tt.body))))
		messages, failed := 0, false
		var body []byte
		for _, p := range parts[1:] {
			switch p.Kind {
			case Message:
				messages++
				body = append(body, p.Bytes...)
			case Failed:
				failed = p.Failure.Class == TooLarge
			}
		}
		if messages != tt.messages || failed != tt.fails || !bytes.HasPrefix([]byte(tt.body), body) {
			t.Errorf("%s: %s", tt.name, show(parts))
		}
	}
	l.Events = 1000
	for n, want := range map[int]string{1000: "", 1001: " | failed too_large"} {
		body := strings.Repeat(event(50), 20) + event(10)
		parts, _ := ask(t.Context(), serve(t, l, says(sse(body[:n]))))
		if got := show(parts); strings.HasSuffix(got, " | failed too_large") != (want != "") {
			t.Errorf("%d bytes: %s", n, got)
		}
	}
	after := sse("data: {\"id\":1,\"result\":{}}\n\n" + strings.Repeat("data: flood\n\n", 5))
	if parts, _ := ask(t.Context(),
		serve(t, Limits{Events: 5}, says(after))); !strings.HasSuffix(show(parts), "failed too_large") {
		t.Errorf("a flood after the response: %s", show(parts))
	}
}

func TestDefaultLimitsAreTheDocumentedOnes(t *testing.T) {
	if got, want := fmt.Sprint(DefaultLimits()),
		"{5s 5s 5s 30s 30s 20s 250ms 65536 1048576 262144 500}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := (Limits{Body: 7, Idle: -1}).or(DefaultLimits()); got.Body != 7 ||
		got.Idle != DefaultLimits().Idle || got.Events != 500 {
		t.Errorf("%+v", got)
	}
}
