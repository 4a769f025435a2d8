package server

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestFoldConnection_EraOfLines: on standard input, any error that is none of this
// revision, and silence, show a server of an earlier one. An end shows neither.
func TestFoldConnection_EraOfLines(t *testing.T) {
	said := func(text string) playground.Event {
		return playground.Event{
			Kind: playground.Received,
			Data: wire.Line([]byte(`{"jsonrpc":"2.0","id":"1",` + text + "}\n")).Bytes(),
		}
	}
	failed := func(class playground.Class) playground.Event {
		return playground.Event{Kind: playground.Failed, Data: []byte(`{"class":"` + string(class) + `"}`)}
	}
	for name, test := range map[string]struct {
		answer playground.Event
		era    playground.Era
		status string
	}{
		"modern": {
			said(`"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`),
			playground.Modern, Connected,
		},
		"unknown method":    {said(`"error":{"code":-32601,"message":"m"}`), "", Connecting},
		"invalid params":    {said(`"error":{"code":-32602,"message":"m"}`), playground.Legacy, Connecting},
		"any other error":   {said(`"error":{"code":7,"message":"m"}`), playground.Legacy, Connecting},
		"an empty result":   {said(`"result":{}`), playground.Legacy, Connecting},
		"no answer in time": {failed(wire.TimeoutFirstByte), playground.Legacy, Connecting},
		"an error of this revision": {
			said(`"error":{"code":-32021,"message":"m"}`), playground.Modern, ConnectFailed,
		},
		"too many lines": {failed(wire.TooLarge), "", ConnectFailed},
		"an end":         {failed(playground.NoResponse), "", ConnectFailed},
	} {
		request := wire.Line([]byte(`{"jsonrpc":"2.0","id":"1","method":"server/discover"}` + "\n"))
		sent := playground.Event{Kind: playground.Sent, Conn: 1, Data: request.Bytes()}
		test.answer.Conn = 1
		cancel := wire.Line([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n"))
		cancelled := playground.Event{Kind: playground.Sent, Conn: 2, Data: cancel.Bytes()}
		c := FoldConnection([]playground.Event{sent, test.answer, cancelled})
		if c.Era != test.era || c.Status != test.status || (c.Class == "") != (c.Status != ConnectFailed) {
			t.Errorf("%s: %q, %s (%s %s)", name, c.Era, c.Status, c.Class, c.Detail)
		}
	}
}
