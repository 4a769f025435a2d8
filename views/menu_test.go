package views_test

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// TestNewFreshness: the line is about the list that is out of date first.
func TestNewFreshness(t *testing.T) {
	list := func(hints string) func(*recorder) {
		return reply(`{"resultType":"complete",` + hints + `"tools":[]}`)
	}
	prompts := func(hints string) func(*recorder) {
		return reply(`{"resultType":"complete",` + hints + `"prompts":[]}`)
	}
	discovered := reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],` +
		`"capabilities":{"tools":{},"prompts":{}},"ttlMs":0,"cacheScope":"public"}`)
	for _, c := range []struct {
		tools, prompts string
		age            time.Duration
		want           string
		stale          bool
	}{
		{`"ttlMs":300000,"cacheScope":"public",`, `"ttlMs":7200000,`, 3 * time.Minute,
			"Listed 3 min ago. The list stays fresh for 5 min (ttlMs).", false},
		{`"ttlMs":300000,`, `"ttlMs":7200000,`, 10 * time.Minute,
			"Listed 10 min ago. The list was fresh for 5 min (ttlMs) and is now out of date.", true},
		{`"ttlMs":7200000,`, `"ttlMs":30000,`, 30 * time.Hour,
			"Listed 30 h ago. The list was fresh for 30 s (ttlMs) and is now out of date.", true},
		{`"ttlMs":0,`, `"ttlMs":0,`, 49 * time.Hour,
			"Listed 2 days ago. The server asks clients not to cache the list (ttlMs: 0).", false},
		{``, `"ttlMs":-1,`, time.Second, "Listed just now.", false},
		{`"ttlMs":1e400,`, `"ttlMs":"5",`, time.Second,
			"Listed just now. The list stays fresh for 36500 days (ttlMs).", false},
		{`"ttlMs":999999999999999999,`, ``, time.Second,
			"Listed just now. The list stays fresh for 36500 days (ttlMs).", false},
	} {
		connection := server.FoldConnection(connecting(discovered, list(c.tools), prompts(c.prompts)))
		listings := connection.Listings()
		if len(listings) != 2 {
			t.Fatalf("%d lists", len(listings))
		}
		got := serverview.NewFreshness(connection, listings[0].At.Add(c.age))
		if got.Words != c.want || got.Stale != c.stale || len(got.Lists) != 2 {
			t.Errorf("%s %s: %+v", c.tools, c.prompts, got)
		}
	}
	if serverview.NewFreshness(server.Connection{}, time.Now()) != nil {
		t.Error("without lists")
	}
}

func TestCallPath(t *testing.T) {
	long := string(make([]byte, 2001))
	for _, c := range []struct {
		kind, name, entry, args, want string
	}{
		{"tool", "a b&c", "", `{"x":1}`, "/servers/t?args=%7B%22x%22%3A1%7D&tool=a+b%26c"},
		{"prompt", "p", "p3", "", "/servers/t?entry=p3&prompt=p"},
		{"tool", "p", "", long, "/servers/t?tool=p"},
		{"tool", long, "t9", `{"x":1}`, "/servers/t?args=%7B%22x%22%3A1%7D&entry=t9"},
	} {
		if got := paths.Call("t", c.kind, c.name, c.entry, []byte(c.args)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestReport_SaysWhatIsAwaited: a page that waits for a silent server says for which answer,
// and that of a command what follows.
func TestReport_SaysWhatIsAwaited(t *testing.T) {
	overHTTP := playground.Target{URL: "https://example.com/mcp"}
	command := playground.Target{URL: wire.CommandURL([]string{"server"})}
	silent := connecting(func(*recorder) {})
	for name, c := range map[string]struct {
		target playground.Target
		log    []playground.Event
		want   string
	}{
		"nothing sent": {overHTTP, nil, "The first request is on its way."},
		"over HTTP":    {overHTTP, silent, "Waiting for the answer to server/discover."},
		"a command": {command, silent, "Waiting for the answer to server/discover. A server from before " +
			"2026-07-28 may ignore it. If no answer comes, initialize is tried."},
		"listing": {command, connecting(reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],`+
			`"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}`), func(*recorder) {}),
			"Waiting for the answer to tools/list."},
	} {
		if got := serverview.NewReport(c.target, server.FoldConnection(c.log),
			wire.Reach{}).Awaits; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
