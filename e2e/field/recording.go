package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// traffic is the requests of one client, as calls: what a request belongs to is decided as while
// a capture records.
type traffic struct {
	exchanges []playground.Exchange
	places    []place // of each request
}

// place is the number of a call, from 0, and of a round in it, from 1.
type place struct{ exchange, round int }

// request is a request with what came back; arrived are the times of the messages of a stream, if
// they are known.
type request struct {
	capture.RequestDocument
	arrived []time.Time
}

// join joins requests, which are in the order in which they were sent, into calls to a target.
// What belongs to no call is one of its own.
func join(target playground.Target, requests []request) (traffic, error) {
	n := 0
	roll := capture.NewRoll(func() string {
		n++
		return strconv.Itoa(n)
	})
	sent := make([][]byte, len(requests))
	for i, r := range requests {
		frame, err := frameOf(r.Request)
		if err != nil {
			return traffic{}, err
		}
		events, err := r.answered()
		if err != nil {
			return traffic{}, err
		}
		sent[i] = frame.Bytes()
		roll.Add(target, frame, r.Started, events)
	}
	var t traffic
	var others []playground.Event
	t.exchanges, others = roll.Recorded()
	for _, trip := range playground.Connections(others) {
		t.exchanges = append(t.exchanges, alone(target, trip, others))
	}
	for i, r := range requests {
		p, ok := t.find(r.Started, sent[i])
		if !ok {
			return t, fmt.Errorf("request %d is in no call", r.Round)
		}
		t.places = append(t.places, p)
	}
	return t, nil
}

// alone returns the request of a connection of a log as a call.
func alone(target playground.Target, trip playground.Round, log []playground.Event) playground.Exchange {
	start := playground.Decision{Action: playground.ActionStart, Round: 1, By: playground.ByClient}
	d := start.Event(trip.Started)
	x := playground.Exchange{
		Target: target, Created: trip.Started,
		Call: playground.Call{Method: trip.Method, Params: json.RawMessage("{}")},
		Log:  []playground.Event{{Seq: 1, At: trip.Started, Kind: d.Kind, Data: d.Data}},
	}
	if params := trip.Sent.Get("params"); params != nil {
		x.Call.Params = capture.CallParams(params)
	}
	for _, e := range log {
		if e.Conn == trip.Conn && e.Kind != playground.Decided {
			e.Seq, e.Conn = len(x.Log)+1, 1
			x.Log = append(x.Log, e)
		}
	}
	return x
}

// find returns the place of a request with these bytes.
func (t traffic) find(at time.Time, sent []byte) (place, bool) {
	for i, x := range t.exchanges {
		for _, e := range x.Log {
			if e.Kind != playground.Sent || !e.At.Equal(at) || string(e.Data) != string(sent) {
				continue
			}
			for _, r := range x.Fold().Rounds {
				has := func(trip playground.Trip) bool { return trip.RequestSeq == e.Seq }
				if has(r.Trip) || slices.ContainsFunc(r.Others, has) {
					return place{i, r.N}, true
				}
			}
		}
	}
	return place{}, false
}

// answered returns the events of the response, as the program records them: a stream message by
// message, then why the connection ended early.
func (r request) answered() ([]playground.Event, error) {
	frame, err := frameOf(r.Response)
	if err != nil {
		return nil, err
	}
	at := r.Ended
	if at.IsZero() {
		at = r.Started
	}
	var list []playground.Event
	switch head, _ := wire.ParseHead(frame.Head); {
	case len(frame.Bytes()) == 0:
	case frame.IsLine():
		for line := range strings.Lines(string(frame.Body)) {
			data := wire.Line([]byte(line)).Bytes()
			list = append(list, playground.Event{At: at, Kind: playground.Received, Data: data})
		}
	case head.IsStream():
		messages := wire.Events(frame.Body)
		list = append(list, playground.Event{At: at, Kind: playground.Received, Data: frame.Head})
		for _, m := range messages {
			list = append(list, playground.Event{At: at, Kind: playground.Message, Data: m})
		}
		r.time(list)
	default:
		list = append(list, playground.Event{At: at, Kind: playground.Received, Data: frame.Bytes()})
	}
	switch r.Outcome {
	case playground.OutcomeTransportError:
		data, err := json.Marshal(wire.Failure{Class: wire.Class(r.Class), Detail: r.Detail})
		if err != nil {
			return nil, err
		}
		list = append(list, playground.Event{At: at, Kind: playground.Failed, Data: data})
	case playground.OutcomeCancelled:
		list = append(list, playground.Event{At: at, Kind: playground.Cancelled})
	case playground.OutcomeInterrupted:
		list = append(list, playground.Event{At: at, Kind: playground.Interrupted})
	}
	return list, nil
}

// time sets the times of the messages of a stream, if they are known. Events without a message,
// such as comments, come with the next one.
func (r request) time(events []playground.Event) {
	left := r.arrived
	for i, e := range events {
		if len(left) == 0 {
			return
		}
		events[i].At = left[0]
		if data, _, ok := wire.EventData(e.Data); e.Kind == playground.Message && ok && len(data) > 0 {
			left = left[1:]
		}
	}
}

// frameOf returns the recorded bytes of a frame. One without a head is a line.
func frameOf(f lab.FrameDocument) (wire.Frame, error) {
	if !f.Base64 {
		if f.Head == "" && f.Body != "" {
			return wire.Line([]byte(f.Body)), nil
		}
		return wire.Frame{Head: []byte(f.Head), Body: []byte(f.Body)}, nil
	}
	head, err := base64.StdEncoding.DecodeString(f.Head)
	if err != nil {
		return wire.Frame{}, err
	}
	body, err := base64.StdEncoding.DecodeString(f.Body)
	return wire.Frame{Head: head, Body: body}, err
}

// hostOf returns the host that a request names.
func hostOf(f lab.FrameDocument) string {
	for line := range strings.SplitSeq(f.Head, "\r\n") {
		if name, host, ok := strings.Cut(line, ": "); ok && strings.EqualFold(name, "Host") {
			return host
		}
	}
	return ""
}
