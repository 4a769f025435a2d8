package main

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// recording returns the call that ends with the request at a place: all requests up to
// it with the same method and name. The client test has one call for each check, and
// clients are measured one call at a time.
func recording(requests []capture.RequestDocument, at *verdict.PlaceDocument) (playground.Exchange, error) {
	if at == nil || at.Request < 1 || at.Request > len(requests) {
		return playground.Exchange{}, errors.New("a failed check is about no request of its run")
	}
	requests = requests[:at.Request]
	last := requests[at.Request-1]
	method, name, params, err := read(last)
	if err != nil {
		return playground.Exchange{}, err
	}
	x := playground.Exchange{Created: last.Started, Target: playground.Target{
		ID: sampletools.ClientTest, Sample: sampletools.ClientTest, Name: "the client test",
		URL: "http://" + hostOf(last) + "/mcp/" + sampletools.ClientTest,
	}}
	for _, r := range requests {
		m, n, p, err := read(r)
		if err != nil || m != method || n != name {
			continue
		}
		d := playground.Decision{Action: playground.ActionStart, Round: 1, By: playground.ByClient}
		switch {
		case len(x.Log) == 0:
			params, x.Created = p, r.Started
		case isList(method) && !p.Has("cursor"): // the list from its beginning
			x.Log, x.Created = nil, r.Started
		default:
			d.Action, d.Join = playground.ActionAnswer, playground.JoinCertain
			d.Round = len(x.Fold().Rounds) + 1
		}
		if err := record(&x, r, d); err != nil {
			return x, err
		}
	}
	x.Call = playground.Call{Method: method, Params: capture.CallParams(params)}
	if declared := params.At("_meta", "io.modelcontextprotocol/clientCapabilities"); declared != nil {
		x.Target.Capabilities = declared.Raw()
	}
	return x, nil
}

func isList(method string) bool { return strings.HasSuffix(method, "/list") }

// read returns the method of a request, the name or URI in its params, and these.
func read(r capture.RequestDocument) (method, name string, params *jsontree.Node, err error) {
	n, err := jsontree.Parse([]byte(r.Request.Body), jsontree.Limits{})
	if err != nil {
		return "", "", nil, err
	}
	params = n.Get("params")
	return n.Get("method").Str(), params.Get("name").Str() + params.Get("uri").Str(), params, nil
}

// record adds a request and its response as a Round.
func record(x *playground.Exchange, r capture.RequestDocument, d playground.Decision) error {
	request, err := bytesOf(r.Request)
	if err != nil {
		return err
	}
	events, err := answered(r.Response, r.Ended)
	if err != nil {
		return err
	}
	decided := d.Event(r.Started)
	conn := 1
	for _, e := range x.Log {
		conn = max(conn, e.Conn+1)
	}
	events = append([]playground.Event{
		{At: r.Started, Kind: decided.Kind, Data: decided.Data},
		{At: r.Started, Kind: playground.Sent, Data: request},
	}, events...)
	for i, e := range events {
		e.Seq = len(x.Log) + 1
		if i > 0 {
			e.Conn = conn
		}
		if e.At.IsZero() {
			e.At = r.Started
		}
		x.Log = append(x.Log, e)
	}
	return nil
}

// answered returns the events of a response, as the program records them: a stream message by
// message, and that the client stopped if nothing came.
func answered(f lab.FrameDocument, at time.Time) ([]playground.Event, error) {
	response, err := bytesOf(f)
	if err != nil {
		return nil, err
	}
	if len(response) == 0 {
		return []playground.Event{{At: at, Kind: playground.Cancelled}}, nil
	}
	frame := wire.Split(response)
	head, _ := wire.ParseHead(frame.Head)
	if !head.IsStream() {
		return []playground.Event{{At: at, Kind: playground.Received, Data: response}}, nil
	}
	list := []playground.Event{{At: at, Kind: playground.Received, Data: frame.Head}}
	for _, message := range wire.Events(frame.Body) {
		list = append(list, playground.Event{At: at, Kind: playground.Message, Data: message})
	}
	return list, nil
}

// bytesOf returns the recorded bytes of a frame.
func bytesOf(f lab.FrameDocument) ([]byte, error) {
	if !f.Base64 {
		return []byte(f.Head + f.Body), nil
	}
	head, err := base64.StdEncoding.DecodeString(f.Head)
	if err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(f.Body)
	return append(head, body...), err
}

// hostOf returns the host that a request names.
func hostOf(r capture.RequestDocument) string {
	for line := range strings.SplitSeq(r.Request.Head, "\r\n") {
		if host, ok := strings.CutPrefix(line, "Host: "); ok {
			return host
		}
	}
	return "127.0.0.1"
}
