package wire

import (
	"encoding/json"
	"io"
	"time"
)

// readStream records one Message per event. After the JSON-RPC response it
// reads on for the grace period, to record anything that must not follow
// ("Receiving Messages"); how the connection ends after that does not matter.
func (x *call) readStream(body io.Reader) error {
	var events splitter
	x.in.stream = true
	buf := make([]byte, 16<<10)
	count, left := 0, x.c.limits.Body
	read, ended := 0, 0 // bytes of the stream, and of those the bytes of whole events
	for {
		n, err := body.Read(buf)
		if n > left {
			n, err = left, tooLarge("the stream is", "answer-body", x.c.limits.Body)
		}
		left -= n
		passed := 0 // bytes of buf
		read += n
		events.write(buf[:n])
		for event := events.next(); event != nil; event = events.next() {
			if count++; count > x.c.limits.Events {
				return fail(TooLarge, "the stream has too many events; the rest was not read "+
					"(-limit answer-events=N sets this limit)")
			}
			if len(event) > x.c.limits.Event {
				return x.endStream(event, tooLarge("an event is", "answer-event", x.c.limits.Event))
			}
			ended += len(event)
			// The end of the event in buf. It may lie before buf: a carriage return ends
			// it, and only the next byte shows that no line feed follows.
			end := max(n-(read-ended), passed)
			last := max(end-1, passed)
			if err := x.teeBody(buf[passed:last]); err != nil {
				return err
			}
			if err := x.put(Message, event); err != nil {
				return err
			}
			if err := x.teeBody(buf[last:end]); err != nil {
				return err
			}
			passed = end
			if data, _, ok := EventData(event); ok && x.in.answered.IsZero() && isResponse(data) {
				x.in.answered = time.Now()
			}
		}
		if stop := x.teeBody(buf[passed:n]); stop != nil {
			return stop
		}
		if err == nil && len(events.rest()) > x.c.limits.Event {
			err = tooLarge("an event is", "answer-event", x.c.limits.Event)
		}
		if err != nil {
			return x.endStream(events.rest(), err)
		}
	}
}

// endStream records the rest of an unfinished event and decides whether the
// end is a failure.
func (x *call) endStream(rest []byte, err error) error {
	if len(rest) > 0 {
		if stop := x.put(Message, rest[:min(len(rest), x.c.limits.Event)]); stop != nil {
			return stop
		}
	}
	if err == io.EOF || !x.in.answered.IsZero() && FailureOf(err).Class != TooLarge {
		return nil
	}
	return err
}

// isResponse reports whether data is a JSON-RPC response, with any id.
func isResponse(data []byte) bool {
	var message map[string]json.RawMessage
	if json.Unmarshal(data, &message) != nil {
		return false
	}
	_, result := message["result"]
	_, fault := message["error"]
	return result || fault
}
