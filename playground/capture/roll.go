package capture

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// shelf has the calls that a record has so far, oldest first.
type shelf struct{ calls []*tapeLog }

// open returns the calls of a server that a request can continue, as a store does.
func (s *shelf) open(url string) Open {
	var open, ended []playground.Exchange
	for i := len(s.calls) - 1; i >= 0; i-- {
		l := s.calls[i]
		if l.call.Target.URL != url {
			continue
		}
		if l.read < len(l.log) {
			l.status, l.read = l.reader.Fold(l.log).Status, len(l.log)
		}
		switch l.status {
		case playground.StatusWaiting, playground.StatusRunning:
			open = append(open, l.exchange())
		case playground.StatusFailed, playground.StatusCancelled, playground.StatusInterrupted:
			if len(ended) < MostEnded {
				ended = append(ended, l.exchange())
			}
		}
		if len(open) > MostOpen {
			break
		}
	}
	return NewOpen(open, ended)
}

// Calls returns how many calls there are so far.
func (s *shelf) Calls() int { return len(s.calls) }

// exchanges returns the calls with their logs.
func (s *shelf) exchanges() []playground.Exchange {
	var list []playground.Exchange
	for _, l := range s.calls {
		list = append(list, l.exchange())
	}
	return list
}

// Roll makes the record of a capture from requests over HTTP that another program has
// recorded, such as a browser: calls become Exchanges, and everything else belongs to a
// log of its own. What a request belongs to is decided as while a capture records.
//
// Requests are added in the order in which they were sent. A Roll is not safe for
// concurrent use.
type Roll struct {
	newID  func() string
	others tapeLog
	tools  Tools
	shelf
}

// NewRoll returns an empty Roll. The ids of the Exchanges are made by newID.
func NewRoll(newID func() string) *Roll { return &Roll{newID: newID} }

// Add adds a request to a server and what came back: the parts of the response without
// their numbers and connections.
func (r *Roll) Add(t playground.Target, request wire.Frame, at time.Time, response []playground.Event) {
	head, _ := wire.ParseHead(request.Head)
	message, _ := jsontree.Parse(request.Body, jsontree.Limits{})
	place := Place{}
	if !IsLegacy(head, message) {
		var open Open
		if Continues(message) {
			open = r.open(t.URL)
		}
		place = Locate(request.Body, open)
	}
	log := &r.others
	switch {
	case !place.Call:
	case place.Exchange != nil:
		for _, l := range r.calls {
			if l.call.ID == place.Exchange.ID {
				log = l
			}
		}
	default:
		log = &tapeLog{call: Begin(r.newID(), "", t, at, message)}
		if log.call.Call.Method == playground.ToolsCall {
			log.call.Call.Tool = r.tools.Definition(log.call.Call.Name(), time.Time{})
		}
		log.call.ReadOnce() // it is folded for each request that may continue it
		r.calls = append(r.calls, log)
	}
	if place.Decision != nil {
		log.add(place.Decision.Event(at))
	}
	log.conn++
	first := len(log.log)
	log.add(playground.Event{At: at, Conn: log.conn, Kind: playground.Sent, Data: request.Bytes()})
	for _, e := range response {
		e.Conn = log.conn
		log.add(e)
	}
	if log == &r.others {
		r.tools.Read("", log.log[first:])
	}
}

// Recorded returns the calls, and the log of everything that belongs to none. Requests
// without a response stay open in them.
func (r *Roll) Recorded() (calls []playground.Exchange, others []playground.Event) {
	return r.exchanges(), r.others.log
}
