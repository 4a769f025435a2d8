package playground_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestFind(t *testing.T) {
	trip := func(sent, received string) playground.Trip {
		split := func(s string) wire.Frame {
			head, body, _ := strings.Cut(s, "\r\n\r\n")
			return wire.Frame{Head: []byte(head + "\r\n\r\n"), Body: []byte(body)}
		}
		return playground.Trip{Request: split(sent), Response: split(received)}
	}
	copied := trip("", "Copied")
	copied.Copy = true
	f := playground.Transcript{Rounds: []playground.Round{
		{N: 1, Trip: trip("POST / HTTP/1.1\r\nMcp-Name: Bug\r\n\r\n{}",
			"HTTP/1.1 200 OK\r\n\r\ndata: 1\ndata: a bug, the BUG é\n")},
		{N: 2, Trip: trip("POST / HTTP/1.1\r\n\r\n{}", "HTTP/1.1 200 OK\r\n\r\nÉ bug"),
			Others: []playground.Trip{trip("GET /\r\n\r\n", "debug"), copied}},
	}}
	for text, want := range map[string][]string{
		"bug": {"1 0 sent 2 head", "1 0 received 4 body", "1 0 received 4 body",
			"2 1 received 1 head", "2 0 received 3 body"},
		"BUG": {"1 0 sent 2 head", "1 0 received 4 body", "1 0 received 4 body",
			"2 1 received 1 head", "2 0 received 3 body"},
		"GET":    {"2 1 sent 1 head"},
		"é":      {"1 0 received 4 body"},
		"copied": nil,
		"none":   nil,
		"":       nil,
		"a bug,": {"1 0 received 4 body"},
	} {
		var got []string
		for _, p := range f.Find(text).Places {
			side, part := "received", "body"
			if p.Sent {
				side = "sent"
			}
			if p.InHead {
				part = "head"
			}
			got = append(got, fmt.Sprint(p.Round, " ", p.Other, " ", side, " ", p.Line, " ", part))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFind_IsBounded: neither many places nor large recordings cost more than one
// page may.
func TestFind_IsBounded(t *testing.T) {
	of := func(bodies ...[]byte) playground.Transcript {
		var f playground.Transcript
		for i, b := range bodies {
			f.Rounds = append(f.Rounds, playground.Round{N: i + 1, Trip: playground.Trip{
				Response: wire.Frame{Body: b}}})
		}
		return f
	}
	many := of([]byte(strings.Repeat("x", 150)), []byte(strings.Repeat("x", 150))).Find("x")
	if len(many.Places) != 200 || !many.More || many.Partial || many.Places[199].Nth != 50 {
		t.Errorf("%d places, more %t, partial %t", len(many.Places), many.More, many.Partial)
	}
	if exact := of([]byte(strings.Repeat("x", 200))).Find("x"); len(exact.Places) != 200 || exact.More {
		t.Errorf("%d places, more %t", len(exact.Places), exact.More)
	}
	large := append(make([]byte, 9<<20), "needle"...)
	if found := of([]byte("needle"), large).Find("needle"); len(found.Places) != 1 || !found.Partial {
		t.Errorf("%d places, partial %t", len(found.Places), found.Partial)
	}
	if found := of([]byte("x")).Find(strings.Repeat("x", playground.MaxFind+1)); found.Places != nil {
		t.Error("a text that is too long is found")
	}
}
