package playground

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// frameOf returns the events of a poll with a request id, header fields of the
// response and members of its result.
func frameOf(id, fields, members string) (sent, received Event) {
	body := `{"jsonrpc":"2.0","id":"` + id + `","method":"tasks/get","params":{"taskId":"T",` +
		`"_meta":{"progressToken":"` + id + `"}}}`
	answer := `{"jsonrpc":"2.0","id":"` + id + `","result":{"status":"working"` + members + `}}`
	const request = "POST /mcp HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s"
	const response = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
	sent = Event{Kind: Sent, Conn: 1, Data: fmt.Appendf(nil, request, len(body), body)}
	received = Event{Kind: Received, Conn: 1, Data: fmt.Appendf(nil, response, fields, len(answer), answer)}
	return sent, received
}

func TestPolls_FindOnlyEqualOnes(t *testing.T) {
	const date = "Date: Sat, 01 Jan 2000 00:00:00 GMT\r\n"
	const updated = `,"lastUpdatedAt":"2026-11-22T10:00:00Z"`
	var p Polls
	sent, received := frameOf("poll-9", date, updated)
	p.Read([]Event{sent, received})
	for name, test := range map[string]struct {
		id, fields, members string
		want                bool
	}{
		"the same":                     {"poll-9", date, updated, true},
		"another id of other length":   {"poll-10", date, updated, true},
		"another date":                 {"poll-9", strings.Replace(date, "01", "02", 1), updated, true},
		"no date":                      {"poll-9", "", updated, true},
		"a later lastUpdatedAt":        {"poll-9", date, strings.Replace(updated, "10:00", "11:30", 1), true},
		"no lastUpdatedAt":             {"poll-9", date, "", false},
		"another header field":         {"poll-9", date + "X-Request-Id: 1\r\n", updated, false},
		"a member more":                {"poll-9", date, updated + `,"a":1`, false},
		"white space":                  {"poll-9", date, " " + updated, false},
		"lastUpdatedAt somewhere else": {"poll-9", date, updated + `,"_meta":{"lastUpdatedAt":1}`, false},
	} {
		sent, received := frameOf(test.id, test.fields, test.members)
		if of, ok := find(&p, sent, received); ok != test.want || ok && of != 2 {
			t.Errorf("%s: repeats %d, %t", name, of, ok)
		}
	}
	_, foreign := frameOf("poll-8", date, updated)
	if _, ok := find(&p, sent, foreign); ok {
		t.Error("a response with the id of another request counts as the same")
	}
	cut := Event{Kind: Failed, Conn: 1}
	var cutOff Polls
	if cutOff.Read([]Event{sent, received, cut}); cutOff.Any() {
		t.Error("an answer that was cut off may be repeated")
	}
}

// find returns which response an answer repeats.
func find(p *Polls, sent Event, answer ...Event) (of int, ok bool) {
	a := p.Asked(sent)
	for _, e := range answer {
		a.Add(e)
	}
	return a.Repeats()
}

// streamOf returns the events of a poll that is answered with a stream. In its
// parts, ID stands for the request id.
func streamOf(id, fields string, parts ...string) []Event {
	sent, received := frameOf(id, fields, "")
	received.Data = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + fields + "\r\n")
	list := []Event{sent, received}
	for _, part := range parts {
		e := Event{Kind: Message, Conn: 1, Data: []byte(strings.ReplaceAll(part, "ID", id))}
		if part == "cut off" {
			e.Kind = Failed
		}
		list = append(list, e)
	}
	return list
}

func TestPolls_FindEqualStreams(t *testing.T) {
	const (
		note = `data: {"method":"notifications/progress",` +
			`"params":{"progressToken":"ID","progress":1}}` + "\n\n"
		done = `data: {"jsonrpc":"2.0","id":"ID",` +
			`"result":{"status":"working","lastUpdatedAt":"10:00"}}` + "\n\n"
	)
	otherNote := strings.Replace(note, `"progress":1`, `"progress":2`, 1)
	otherDone := strings.Replace(done, "working", "completed", 1)
	var p Polls
	p.Read(streamOf("poll-9", "", "id: 1\nretry: 5\n"+note, done))
	for name, test := range map[string]struct {
		id, fields string
		parts      []string
		begins     bool
		want       bool
	}{
		"the same":           {"poll-9", "", []string{"id: 1\nretry: 5\n" + note, done}, true, true},
		"another request id": {"poll-10", "", []string{note, done}, true, true},
		"another event id": {"poll-9", "", []string{"id: 2\nretry: 9\n" + note, "id: 3\n" + done},
			true, true},
		"other line endings": {"poll-9", "", []string{strings.ReplaceAll(note, "\n", "\r\n"), done},
			true, true},
		"comments": {"poll-9", "", []string{": ping\n\n" + note, ": ping\n\n" + done, ": bye\n\n"},
			true, true},
		"another length": {"poll-9", "Content-Length: 7\r\n", []string{note, done}, true, true},
		"another date":   {"poll-9", "Date: now\r\n", []string{note, done}, true, true},
		"a later lastUpdatedAt": {"poll-9", "", []string{note, strings.Replace(done, "10:00", "11:00", 1)},
			true, true},
		"only its beginning":        {"poll-9", "", []string{note}, true, false},
		"only the head":             {"poll-9", "", nil, true, false},
		"cut off":                   {"poll-9", "", []string{note, done, "cut off"}, false, false},
		"an event that was cut off": {"poll-9", "", []string{note, done, "data: x"}, false, false},
		"another notification":      {"poll-9", "", []string{otherNote, done}, false, false},
		"no notification":           {"poll-9", "", []string{done}, false, false},
		"another result":            {"poll-9", "", []string{note, otherDone}, false, false},
		"a message more":            {"poll-9", "", []string{note, done, note}, false, false},
		"another order":             {"poll-9", "", []string{done, note}, false, false},
		"another type":              {"poll-9", "", []string{"event: x\n" + note, done}, false, false},
		"another header field":      {"poll-9", "X-Request-Id: 1\r\n", []string{note, done}, false, false},
		"the id of another request": {"poll-9", "",
			[]string{note, strings.Replace(done, "ID", "poll-8", 1)}, false, false},
		"the token of another request": {"poll-9", "",
			[]string{strings.Replace(note, "ID", "poll-8", 1), done}, false, false},
	} {
		events := streamOf(test.id, test.fields, test.parts...)
		a := p.Asked(events[0])
		for _, e := range events[1:] {
			a.Add(e)
		}
		if of, ok := a.Repeats(); ok != test.want || ok && of != 2 || a.MayRepeat() != test.begins {
			t.Errorf("%s: repeats %d, %t; begins as one: %t", name, of, ok, a.MayRepeat())
		}
	}
	var unanswered, cut Polls
	unanswered.Read(streamOf("poll-9", "", note))
	cut.Read(streamOf("poll-9", "", note, done, "cut off"))
	if unanswered.Any() || cut.Any() {
		t.Error("a stream without a response, or one that was cut off, may be repeated")
	}
	sent, received := frameOf("poll-9", "", "")
	if _, ok := find(&p, sent, received); ok {
		t.Error("an answer that is no stream repeats one that is")
	}
}

// TestPolls_CompareWhatIsStored: a log that was stored is masked, in the request
// and, unless its user is there, in the answer.
func TestPolls_CompareWhatIsStored(t *testing.T) {
	const secret = "s3cret-of-the-user"
	header := []wire.Field{{Name: "X-Key", Value: secret}, {Name: "X-Pin", Value: "1234"}}
	secrets := redact.New(header, "", nil)
	poll := func(id, echo string) []Event {
		sent, received := frameOf(id, "X-Echo: "+echo+"\r\n", `,"echo":"`+echo+`"`)
		sent.Data = bytes.Replace(sent.Data, []byte("\r\n"),
			[]byte("\r\nX-Key: "+secret+"\r\nX-Pin: 1234\r\n"), 1)
		return []Event{sent, received}
	}
	stream := func(id, echo string) []Event {
		events := streamOf(id, "", `data: {"jsonrpc":"2.0","id":"ID","result":{"echo":"`+echo+`"}}`+"\n\n")
		events[0] = poll(id, echo)[0]
		return events
	}
	for name, answer := range map[string]func(id, echo string) []Event{"JSON": poll, "a stream": stream} {
		log := answer("poll-9", secret)
		stored := make([]Event, len(log))
		for i, e := range log {
			stored[i] = e.Redact(secrets)
			if bytes.Equal(stored[i].Data, e.Data) != (name == "a stream" && i == 1) {
				t.Fatalf("%s: event %d is stored as %s", name, i, stored[i].Data)
			}
		}
		opened := append([]Event{stored[0]}, log[1:]...)
		for state, log := range map[string][]Event{"clear": log, "stored": stored, "opened": opened} {
			p := Polls{Secrets: secrets}
			p.Read(log)
			same, other := answer("poll-10", secret), answer("poll-10", "another-text")
			if _, ok := find(&p, same[0], same[1:]...); !ok {
				t.Errorf("%s, %s: the same answer does not repeat it", name, state)
			}
			if _, ok := find(&p, other[0], other[1:]...); ok {
				t.Errorf("%s, %s: another answer repeats it", name, state)
			}
		}
	}
}

// TestFold_RepeatsHaveTheEffectOfPolls folds a log with each poll stored whole
// and one in which they are counted.
func TestFold_RepeatsHaveTheEffectOfPolls(t *testing.T) {
	const a, b = `,"statusMessage":"a"`, `,"statusMessage":"b"`
	for name, results := range map[string][]string{
		"one status": {stands("working", a), stands("working", a), stands("working", a)},
		"two in turn": {stands("working", a), stands("working", b),
			stands("working", a), stands("working", a)},
		"answer is not taken":    append([]string{asking("k")}, slicesOf(asking("k"), 30)...),
		"asks nothing, for long": append([]string{stands("working", a), asking()}, slicesOf(asking(), 12)...),
	} {
		t.Run(name, func(t *testing.T) {
			whole, counted := newStory(t), newStory(t)
			seen := map[string]int{}
			for i, result := range results {
				for _, s := range []*story{whole, counted} {
					if i == 0 {
						s.start()
						s.result(tasked)
					}
					if f := Fold(s.x.Log); f.Status == StatusWaiting && i == 1 {
						s.answer(accept("k", `{}`))
						s.result(`{"resultType":"complete"}`)
					}
				}
				if Fold(whole.x.Log).Status != StatusRunning {
					break
				}
				whole.poll(result)
				if of := seen[result]; of > 0 {
					counted.count(of)
					continue
				}
				counted.poll(result)
				seen[result] = len(counted.x.Log)
			}
			want, got := Fold(whole.x.Log), Fold(counted.x.Log)
			if outcomes(got) != outcomes(want) || got.Status != want.Status ||
				got.PollsInARow() != want.PollsInARow() ||
				countSent(counted.x.Log) != countSent(whole.x.Log) ||
				fmt.Sprint(got.Last().Task.Messages) != fmt.Sprint(want.Last().Task.Messages) {
				t.Errorf("got  %s %s %d %d %v\nwant %s %s %d %d %v", outcomes(got), got.Status,
					got.PollsInARow(), countSent(counted.x.Log), got.Last().Task.Messages,
					outcomes(want), want.Status,
					want.PollsInARow(), countSent(whole.x.Log), want.Last().Task.Messages)
			}
			if len(counted.x.Log) >= len(whole.x.Log) {
				t.Errorf("%d events, whole %d", len(counted.x.Log), len(whole.x.Log))
			}
		})
	}
}

func slicesOf(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

// count records a poll that repeats the one whose response has the number of.
func (s *story) count(of int) {
	s.conn++
	last := &s.x.Log[len(s.x.Log)-1]
	if n, err := last.Repetition(); err == nil && n.Of == of {
		seq := last.Seq
		*last = Repetition{of, n.Count + 1}.Event(s.tick(), s.conn)
		last.Seq = seq
		return
	}
	s.add(Repetition{of, 1}.Event(s.tick(), s.conn))
}

func TestRepetition_IsReadStrictly(t *testing.T) {
	for _, data := range []string{``, `{}`, `null`, `{"of":1}`, `{"count":1}`, `{"of":0,"count":1}`,
		`{"of":1,"count":0}`, `{"of":1,"count":1000001}`, `{"of":1,"count":1,"a":1}`,
		`{"of":1,"count":1} {}`,
		`{"of":1,"count":"1"}`, `[]`} {
		e := Event{Kind: Repeated, Data: []byte(data)}
		if _, err := e.Repetition(); !errors.Is(err, ErrRepetition) {
			t.Errorf("%s: %v", data, err)
		}
	}
	r, err := Repetition{3, MaxRepeats}.Event(time.Time{}, 1).Repetition()
	if err != nil || r != (Repetition{3, MaxRepeats}) {
		t.Errorf("%+v, %v", r, err)
	}
	// a count that only a hostile file has does not take long
	s := newStory(t)
	s.start()
	s.result(tasked)
	s.poll(stands("working", ""))
	s.add(Repetition{5, MaxRepeats}.Event(s.tick(), 9))
	if f := Fold(s.x.Log); f.Last().Polls != MaxRepeats+1 {
		t.Errorf("%d polls", f.Last().Polls)
	}
}
