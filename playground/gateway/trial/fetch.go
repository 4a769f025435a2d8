package trial

import (
	"context"
	"fmt"
	neturl "net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// signIn makes what follows a challenge: it reads the metadata that the challenge names, if they
// are at the gateway, and makes the call again with a token, which the upstream accepts.
func (t *trial) signIn(ctx context.Context, p plan, mark string, c gateway.Call) []gateway.Call {
	if !gateway.IsChallenged(c) {
		return nil
	}
	list := t.metadata(ctx, c)
	if slices.ContainsFunc(t.Target.Header, func(f wire.Field) bool {
		return strings.EqualFold(f.Name, authorization)
	}) {
		return list // the client has its token already
	}
	x, again := t.exchange(p, mark+"-token")
	again.Token = "token-" + t.NewID()
	x.Target.Header = append(slices.Clone(x.Target.Header), wire.Field{
		Name: authorization, Value: "Bearer " + again.Token,
	})
	return append(list, t.drive(ctx, t.driver(p), x, again))
}

const authorization = "Authorization"

// metadata reads the metadata that the challenge of a call names, if they are at the gateway.
func (t *trial) metadata(ctx context.Context, c gateway.Call) []gateway.Call {
	url := gateway.MetadataOf(c)
	own, err := neturl.Parse(t.Target.URL)
	at, failed := neturl.Parse(url)
	if err != nil || failed != nil || url == "" || at.Host != own.Host {
		return nil
	}
	frame, err := wire.EncodePlain("GET", url, nil, nil)
	if err != nil {
		return nil
	}
	m := gateway.Call{
		Mark: c.Mark, Tool: c.Tool, Name: c.Name, Focus: c.Focus,
		Metadata: redact.MaskURL(t.Target.Secrets.MaskText(t.Target.URL)),
	}
	t.send(ctx, url, frame, func(e playground.Event) { m.Fetched = append(m.Fetched, e) })
	return []gateway.Call{m}
}

// send sends a request that is no exchange, and passes the events of its log to record.
func (t *trial) send(ctx context.Context, url string, frame wire.Frame, record func(playground.Event)) {
	n := 0
	add := func(e playground.Event) {
		n++
		e.Seq = n
		record(e.Redact(t.Target.Secrets))
	}
	caller := t.Engine.Caller
	if t.Engine.Open != nil {
		caller = t.Engine.Open
	}
	add(playground.Event{At: t.Engine.Now(), Conn: 1, Kind: playground.Sent, Data: frame.Bytes()})
	caller.Send(wire.WithTrust(ctx, t.Target.Trust), url, frame, func(p wire.Part) error {
		add(playground.PartEvent(p, 1))
		return nil
	})
}

// notes is how many notifications the upstream sends, with the acknowledgment.
const notes = 4

// subscribe opens a subscription, and closes it once all notifications are there.
func (t *trial) subscribe(ctx context.Context, p plan, mark string) []gateway.Call {
	uri := t.find(playground.ResourcesRead, resource)
	x := playground.Exchange{ID: t.NewID(), Target: t.Target, Call: playground.Call{
		Params: jsontree.ObjectOf(jsontree.Pair{Key: "_meta", Value: hopMeta(mark, false)}),
	}}
	const name = "subscription"
	resources := fmt.Appendf(nil, "[%s]", jsontree.Quote(uri.name))
	frame, err := wire.Encode(wire.Request{
		URL: t.Target.URL, Method: playground.Listen, ID: jsontree.Quote(x.OnChannel(name)),
		Header: t.Target.Header, Params: jsontree.ObjectOf(
			jsontree.Pair{Key: "notifications", Value: jsontree.ObjectOf(
				jsontree.Pair{Key: "toolsListChanged", Value: []byte("true")},
				jsontree.Pair{Key: "resourceSubscriptions", Value: resources},
				jsontree.Pair{Key: "promptsListChanged", Value: []byte("true")},
			)},
			jsontree.Pair{Key: "_meta", Value: playground.Meta(x, name, t.Engine.Client)}),
	})
	if err != nil {
		return nil // the gateway lists an address that no header can hold
	}
	c := gateway.Call{
		Mark: mark, Method: playground.Listen, Tool: playground.Listen, Name: playground.Listen,
		Focus: p.focus,
	}
	limited, closeIt := context.WithTimeout(ctx, t.Limit)
	defer closeIt()
	got, ended := 0, false
	t.send(limited, t.Target.URL, frame, func(e playground.Event) {
		c.Fetched = append(c.Fetched, e)
		// Each message is read once, behind the request and, in a stream of HTTP, the head of the response.
		newest := slices.Clone(c.Fetched[:1])
		if e.Kind == playground.Message && len(c.Fetched) > 2 {
			newest = append(newest, c.Fetched[1])
		}
		if len(c.Fetched) > 1 {
			newest = append(newest, e)
		}
		last := playground.Connections(newest)[0]
		got += last.Notifications()
		ended = ended || last.Kind != playground.OutcomePending
		if !ended && !c.Stopped && got >= notes {
			c.Stopped = true
			closeIt()
		}
	})
	if t.Target.IsCommand() {
		t.tellCancelled(ctx, x.OnChannel(name))
	}
	if c.Stopped {
		waiting, end := context.WithTimeout(ctx, t.Patience)
		defer end()
		t.Upstream.Arrived(waiting, playground.Listen, "", true)
	}
	return []gateway.Call{c}
}

// tellCancelled sends notifications/cancelled to a command, whose lines are no connection that
// could be closed (basic/transports/stdio, "Cancellation").
func (t *trial) tellCancelled(ctx context.Context, id string) {
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"requestId":%s}}`+"\n",
		playground.CancelledNotified, jsontree.Quote(id))
	t.Engine.Caller.Send(ctx, t.Target.URL, wire.Line(body), func(wire.Part) error { return nil })
}
