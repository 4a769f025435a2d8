// Package dbtest tests what every storage engine promises to the users of
// package db. An engine passes when TestStore passes with a Store that it
// opens. What only one engine has, such as files and their locks, is tested in
// db.
package dbtest

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Now is the time at which the tests happen.
var Now = time.Date(2026, 11, 20, 9, 0, 0, 123456000, time.UTC)

// TestStore runs the suite. open returns n Stores on one empty database, which
// every test has for itself, and closes them when the test ends. On an engine that
// serves one process, they are the same Store.
func TestStore(t *testing.T, open func(t *testing.T, n int) []*db.Store) {
	for _, group := range []map[string]func(*testing.T, *db.Store){
		logTests, exchangeTests, sessionTests, historyTests, shareTests, targetTests, certificateTests,
		demoTests, checkTests, workspaceTests, usageTests, savedTests, signInTests,
		workbenchTests, textTests, captureTests, flowTests, recordingTests, gatewayTests, talkTests,
		storyTests, agentTests,
		personTests,
	} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			t.Run(name, func(t *testing.T) { group[name](t, open(t, 1)[0]) })
		}
	}
	for _, name := range slices.Sorted(maps.Keys(concurrencyTests)) {
		t.Run(name, func(t *testing.T) {
			stores := open(t, 2)
			concurrencyTests[name](t, stores[0], stores[1])
		})
	}
}

// Exchange returns an exchange of a sample in the session "s"+id.
func Exchange(id string) playground.Exchange {
	return playground.Exchange{
		ID: id, Session: "s" + id, Created: Now,
		Target: playground.Target{
			ID: "t", Sample: "azure-devops", Name: "Azure", URL: "http://h/mcp",
			Capabilities: json.RawMessage(`{"elicitation":{}}`),
			Header:       []wire.Field{{Name: "X-A", Value: "b"}},
		},
		Call: playground.Call{Method: "tools/call", Params: json.RawMessage("{\"name\":\"t\",\"x\": 1.0}")},
	}
}

// Events returns a log of one Round that was cancelled.
func Events() []playground.Event {
	return []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(Now),
		{At: Now, Conn: 1, Kind: playground.Sent, Data: []byte("POST \x00\xff")},
		{At: Now.Add(time.Second), Conn: 1, Kind: playground.Cancelled},
	}
}

// answer returns the event of a response with a JSON body.
func answer(body string) playground.Event {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
	return playground.Event{At: Now, Conn: 1, Kind: playground.Received, Data: []byte(head + body)}
}

// cancelled is the summary of Events.
func cancelled() playground.Summary {
	return playground.Summary{Status: "cancelled", Rounds: 1, Changed: Now}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// wantErr checks that an operation returned the error that the test expects.
func wantErr(t *testing.T, what string, want, got error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: error %v, want %v", what, got, want)
	}
}
