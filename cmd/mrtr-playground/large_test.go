package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// largeServer returns a modern server whose tool "screenshot" returns a text of size bytes,
// as JSON or as a stream.
func largeServer(t *testing.T, size int, stream bool) *httptest.Server {
	s := httptest.NewServer(mcptest.Tools(func(mcptest.Message, *http.Request) mcptest.Answer {
		answer := mcptest.Text(strings.Repeat("x", size))
		answer.Stream = stream
		return answer
	}, "screenshot"))
	t.Cleanup(s.Close)
	return s
}

// TestLarge_Terminal: the terminal reads large responses, in any form, and -limit says how
// large. What is too large names the limit.
func TestLarge_Terminal(t *testing.T) {
	const size = 5 << 20
	for _, stream := range []bool{false, true} {
		s := largeServer(t, size, stream)
		if out, err := called(t, s.URL, "screenshot"); err != nil || !strings.Contains(out, "complete") {
			t.Errorf("stream %v: %v\n%.500s", stream, err, out)
		}
		code, report := checked(t, s.URL, "-tool", "screenshot", "-wait", "1ms")
		if bytes.Contains(report, []byte("too_large")) || !bytes.Contains(report, []byte("screenshot")) {
			t.Errorf("stream %v: check: exit code %d\n%.2000s", stream, code, report)
		}
		limit := map[bool]string{false: "answer-body", true: "answer-event"}[stream]
		out, err := called(t, "-limit", limit+"=1000000", s.URL, "screenshot")
		if err == nil || !strings.Contains(out, "too_large") ||
			!strings.Contains(out, "-limit "+limit+"=BYTES") {
			t.Errorf("stream %v: %v\n%.500s", stream, err, out)
		}
	}
	s := largeServer(t, 9<<20, false)
	if out, err := called(t, s.URL, "screenshot"); err == nil || !strings.Contains(out, "8388608 bytes") {
		t.Errorf("%v\n%.500s", err, out)
	}
	if out, err := called(t, s.URL, "screenshot", "-limit", "answer-body=10000000"); err != nil {
		t.Errorf("%v\n%.500s", err, out)
	}
	s = largeServer(t, 1<<20, false)
	for limit, class := range map[string]playground.Class{"1000000": wire.TooLarge, "2000000": ""} {
		_, d := documentOf(t, "stops", "-proxy", s.URL, "-limit", "answer-body="+limit, "--", os.Args[0],
			"{url}", "screenshot")
		if len(d.Runs) != 1 || len(d.Runs[0].Requests) != 1 {
			t.Fatalf("client, limit %s: %+v", limit, d.Runs)
		}
		got := d.Runs[0].Requests[0]
		if got.Class != class || strings.Contains(got.Detail, "-limit answer-body=BYTES") != (class != "") {
			t.Errorf("client, limit %s: %s %s, %q", limit, got.Outcome, got.Class, got.Detail)
		}
	}
}

// TestLimits_OfModes: one person reads more than a server for others does, and -limit holds
// in each mode.
func TestLimits_OfModes(t *testing.T) {
	type sizes struct{ body, event, session int }
	usual := sizes{wire.DefaultLimits().Body, wire.DefaultLimits().Event, app.DefaultLimits().Session}
	local := sizes{8 << 20, 8 << 20, 64 << 20}
	for _, test := range []struct {
		args []string
		want sizes
	}{
		{nil, local},
		{[]string{"-base-url", "http://h"}, usual},
		{[]string{"-trusted-network", "-addr", "127.0.0.1:1"}, usual},
		{[]string{"-limit", "answer-body=77"}, sizes{77, local.event, local.session}},
		{[]string{"-limit", "answer-body=77", "-base-url", "http://h"},
			sizes{77, usual.event, usual.session}},
		{[]string{"-base-url", "http://h", "-limit", "session-size=9"}, sizes{usual.body, usual.event, 9}},
	} {
		o, err := parseOptions(test.args, noEnv, io.Discard)
		got := sizes{o.limits.answers.Body, o.limits.answers.Event, o.limits.pages.Session}
		if err != nil || got != test.want {
			t.Errorf("%q: %+v, %v", test.args, got, err)
		}
	}
}
