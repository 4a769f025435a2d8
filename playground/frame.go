package playground

import "github.com/mrtr-playground/mrtr-playground/playground/wire"

// BodyAt returns the exact body of one side of a connection: of the request, or
// of the response with all messages of its stream or all its lines, whose first
// event has the sequence number seq. It returns false for any other event.
func BodyAt(log []Event, seq int) ([]byte, bool) {
	for i, e := range log {
		if e.Seq != seq {
			continue
		}
		if e.Kind != Sent && e.Kind != Received {
			return nil, false
		}
		body := append([]byte(nil), wire.Split(e.Data).Body...)
		for _, m := range log[i+1:] {
			switch {
			case e.Kind != Received || m.Conn != e.Conn:
			case m.Kind == Message:
				body = append(body, m.Data...)
			case m.Kind == Received && wire.Split(m.Data).IsLine():
				body = append(body, wire.Split(m.Data).Body...)
			}
		}
		return body, true
	}
	return nil, false
}
