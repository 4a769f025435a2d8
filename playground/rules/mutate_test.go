package rules_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// trip is one request of a recorded exchange and its response, to be changed.
type trip struct {
	log       []playground.Event // copies of events; changes go here
	conn      int
	sent      int   // index of the request
	responses []int // indexes of the parts of the response
	method    string
	round     playground.Round
}

// object is a JSON object whose numbers keep their text.
type object = map[string]any

func decode(data []byte) object {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var o object
	if d.Decode(&o) != nil {
		return nil
	}
	return o
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// tripsOf returns the requests of an exchange, each on a log that ends with its
// response: what follows in the recording is not the consequence of a mutant.
func tripsOf(x playground.Exchange) []trip {
	var list []trip
	for i, e := range x.Log {
		if e.Kind != playground.Sent {
			continue
		}
		t := trip{conn: e.Conn, sent: i}
		last := i
		for j, other := range x.Log {
			if j > i && other.Conn == e.Conn &&
				(other.Kind == playground.Received || other.Kind == playground.Message) {
				t.responses, last = append(t.responses, j), j
			}
		}
		t.log = slices.Clone(x.Log[:last+1])
		f := playground.Fold(t.log)
		t.round = *f.Last()
		t.method, _ = decode(t.request().Body)["method"].(string)
		list = append(list, t)
	}
	return list
}

func (t *trip) request() wire.Frame { return wire.Split(t.log[t.sent].Data) }

// editRequest changes the JSON of the request; edit reports whether it has the
// part that it changes.
func (t *trip) editRequest(edit func(message object) bool) bool {
	frame := t.request()
	message := decode(frame.Body)
	if message == nil || !edit(message) {
		return false
	}
	t.setRequest(frame.Head, encode(message))
	return true
}

func (t *trip) setRequest(head, body []byte) { t.log[t.sent].Data = slices.Concat(head, body) }

// editHead changes the head of the request.
func (t *trip) editHead(edit func(head string) string) bool {
	frame := t.request()
	head := edit(string(frame.Head))
	if head == string(frame.Head) {
		return false
	}
	t.setRequest([]byte(head), frame.Body)
	return true
}

// streams reports whether the response is an event stream.
func (t *trip) streams() bool {
	head, _ := wire.ParseHead(t.responseHead())
	return head.IsStream()
}

func (t *trip) responseHead() []byte {
	if len(t.responses) == 0 {
		return nil
	}
	return wire.Split(t.log[t.responses[0]].Data).Head
}

// editResponseHead changes the head of the response.
func (t *trip) editResponseHead(edit func(head string) string) bool {
	if len(t.responses) == 0 {
		return false
	}
	e := &t.log[t.responses[0]]
	frame := wire.Split(e.Data)
	head := edit(string(frame.Head))
	if head == string(frame.Head) {
		return false
	}
	e.Data = slices.Concat([]byte(head), frame.Body)
	return true
}

// setStatus changes the status line of a response that is JSON.
func (t *trip) setStatus(line string) bool {
	return t.editResponseHead(func(head string) string {
		_, rest, _ := strings.Cut(head, "\r\n")
		return "HTTP/1.1 " + line + "\r\n" + rest
	})
}

// last returns the event that has the response message, and its text.
func (t *trip) last() (e *playground.Event, data []byte) {
	if len(t.responses) == 0 {
		return nil, nil
	}
	e = &t.log[t.responses[len(t.responses)-1]]
	if e.Kind == playground.Message {
		data, _, _ = wire.EventData(e.Data)
		return e, data
	}
	return e, wire.Split(e.Data).Body
}

// setResponse replaces the text of the response message.
func (t *trip) setResponse(data []byte) {
	e, _ := t.last()
	if e.Kind == playground.Message {
		e.Data = slices.Concat([]byte("data: "), data, []byte("\n\n"))
		return
	}
	head := wire.Split(e.Data).Head
	var lines []string
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if !strings.HasPrefix(strings.ToLower(line), "content-length:") {
			lines = append(lines, line)
		}
	}
	e.Data = slices.Concat([]byte(strings.Join(lines, "\r\n")), data)
}

// editResponse changes the JSON of the response message.
func (t *trip) editResponse(edit func(message object) bool) bool {
	_, data := t.last()
	message := decode(data)
	if message == nil || !edit(message) {
		return false
	}
	t.setResponse(encode(message))
	return true
}

// editResult changes the result in the response message.
func (t *trip) editResult(edit func(result object) bool) bool {
	return t.editResponse(func(m object) bool {
		result, ok := m["result"].(object)
		return ok && edit(result)
	})
}

// insert adds a message to the stream before the response.
func (t *trip) insert(message string) bool {
	if !t.streams() || len(t.responses) < 2 {
		return false
	}
	at := t.responses[len(t.responses)-1]
	e := playground.Event{At: t.log[at].At, Conn: t.conn, Kind: playground.Message,
		Data: []byte("data: " + message + "\n\n")}
	t.log = slices.Insert(t.log, at, e)
	t.responses[len(t.responses)-1]++ // the response follows the message
	return true
}

// append adds a message to the stream after the response.
func (t *trip) append(message string) bool {
	if !t.streams() || len(t.responses) < 2 {
		return false
	}
	e := playground.Event{At: t.log[len(t.log)-1].At, Conn: t.conn, Kind: playground.Message,
		Data: []byte("data: " + message + "\n\n")}
	t.log = append(t.log, e)
	return true
}

// at returns the object at a path of member names, or nil.
func at(o object, path ...string) object {
	for _, name := range path {
		o, _ = o[name].(object)
	}
	return o
}

// remove deletes a member and reports whether it was there.
func remove(o object, name string) bool {
	_, ok := o[name]
	delete(o, name)
	return ok
}

// set sets a member of an object and reports whether there is one.
func set(o object, name string, value any) bool {
	if o == nil {
		return false
	}
	o[name] = value
	return true
}

// anyValue returns a member that fits, in the order of names.
func anyValue(o object, fits func(object) bool) object {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if v, ok := o[name].(object); ok && fits(v) {
			return v
		}
	}
	return nil
}
