package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
)

// FuzzAnswer: the parts are in order, have only bytes that were sent, and stay
// within the limits.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 100 C\n\nHTTP/1.0 204 N\n\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x\r\n}\r\n0\r\n\r\n",
		sse(": a\n\ndata: 1\r\n\r\ndata: {\"id\":1,\"result\":{}}\r\rdata: cut"), "SSH-2.0\r\n",
		"HTTP/1.1 200 OK\r\nA",
		"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n" +
			"data: 1\n\r\n1\r\n\n\r\n0\r\n\r\n",
	} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, answer []byte, cut uint8) {
		l := Limits{Header: 200, Body: 400, Event: 100, Events: 10}
		whole, pieces := answered(l, answer, len(answer)), answered(l, answer, int(cut)+1)
		// Of bytes that are not HTTP, only as many are recorded as happen to be
		// there.
		if bytes.HasPrefix(whole[0].Bytes, []byte("HTTP/")) && show(whole) != show(pieces) {
			t.Fatalf("in pieces of %d:\n%s\nas a whole:\n%s", int(cut)+1, show(pieces), show(whole))
		}
		check(t, l, answer, whole)
	})
}

// answered returns the parts of a response that arrives in pieces.
func answered(l Limits, answer []byte, size int) (parts []Part) {
	client, server := newPipe(Address("a"), Address("b"))
	c := New(Config{Limits: l, InMemory: func(context.Context, string) (net.Conn, bool) {
		return &piecewise{client, max(size, 1)}, true
	}})
	go func() {
		defer server.Close()
		server.Write(answer)
	}()
	c.Send(context.Background(), "http://sample/", Frame{},
		func(p Part) error { parts = append(parts, p); return nil })
	return parts
}

// piecewise reads as if every packet held size bytes.
type piecewise struct {
	net.Conn
	size int
}

func (c *piecewise) Read(p []byte) (int, error) {
	n, err := io.ReadAtLeast(c.Conn, p[:min(len(p), c.size)], min(len(p), c.size))
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}

func check(t *testing.T, l Limits, answer []byte, parts []Part) {
	order := map[PartKind]int{Received: 1, Message: 2, Failed: 3}
	last, events := 0, 0
	for i, p := range parts {
		kind := order[p.Kind]
		if kind < last || kind == 0 || kind == last && p.Kind != Message || p.Kind != Failed && i == 0 &&
			p.Kind != Received {
			t.Fatalf("order: %s", show(parts))
		}
		last = kind
		switch p.Kind {
		case Received:
			frame := Split(p.Bytes)
			if !bytes.Equal(frame.Bytes(), p.Bytes) || len(p.Bytes) > l.Header+l.Body ||
				!bytes.Contains(answer, frame.Head) {
				t.Fatalf("%s", show(parts))
			}
			if len(parts) == 1 {
				if _, err := ParseHead(frame.Head); err != nil {
					t.Fatalf("an answer without a failure has a bad head: %v", err)
				}
			}
		case Message:
			if events++; events > l.Events+1 || len(p.Bytes) > l.Event {
				t.Fatalf("%s", show(parts))
			}
			EventData(p.Bytes)
		}
	}
	if len(parts) == 0 {
		t.Fatal("no part at all")
	}
}

// FuzzEvents: events joined are the body, and a stream in pieces has the same
// events.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: a\r\n\r\n: c\n\ndata: b\r\rdata"), uint8(1))
	f.Fuzz(func(t *testing.T, body []byte, size uint8) {
		want := events(body)
		if joined := bytes.Join(want, nil); !bytes.Equal(joined, body) {
			t.Fatalf("%q", joined)
		}
		var s splitter
		var got [][]byte
		step := int(size) + 1
		for i := 0; i < len(body); i += step {
			s.write(body[i:min(i+step, len(body))])
			for e := s.next(); e != nil; e = s.next() {
				got = append(got, e)
			}
		}
		for i, e := range got {
			if !bytes.Equal(e, want[i]) {
				t.Fatalf("%q, not %q", e, want[i])
			}
			if _, _, ok := EventData(e); !ok && !bytes.Contains(e, []byte("\uFEFF")) {
				t.Fatalf("%q is an event without data", e)
			}
		}
		if len(want)-len(got) > 2 {
			t.Fatalf("%d of %d events", len(got), len(want))
		}
	})
}

// FuzzEncode: a frame is exactly one request for any input.
func FuzzEncode(f *testing.F) {
	f.Add("https://h/mcp", "tools/call", []byte(`{"name":"a"}`), "X-A", "b")
	f.Add("https://h/\r\nX: y", "m\r\n", []byte("{"), "Host", "a\nb")
	f.Fuzz(func(t *testing.T, url, method string, params []byte, name, value string) {
		frame, err := Encode(Request{
			URL: url, Method: method, Params: params, Header: []Field{{name, value}},
		})
		if err != nil {
			return
		}
		again := Split(frame.Bytes())
		h, err := ParseHead(again.Head)
		if err != nil || h.Status != 0 || !bytes.Equal(again.Body, frame.Body) || len(h.Fields) > 11 {
			t.Fatalf("%v\n%s", err, frame.Head)
		}
	})
}
