package expect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

const (
	seat = `{"method":"elicitation/create","params":{"message":"Which seat?","requestedSchema":` +
		`{"type":"object","properties":{"seat":{"type":"string","enum":["aisle","window"]}}}}}`
	paid   = `{"action":"accept","content":{"seat":"aisle"}}`
	booked = `{"resultType":"complete","content":[{"type":"text","text":"Booked an aisle seat"}],` +
		`"structuredContent":{"seat":"aisle","price":120,"by":{"at":"2026-01-02"}}}`
)

// asked1 returns a result that asks for a seat under a key.
func asked1(key string) string {
	return `{"resultType":"input_required","inputRequests":{"` + key + `":` + seat + `},"requestState":"s"}`
}

// made returns a call whose rounds were answered with these results; one that begins with
// "error " is a JSON-RPC error. Each takes a second.
func made(params string, results ...string) playground.Exchange {
	x := playground.Exchange{
		ID: "x", Target: playground.Target{URL: "http://h/mcp", Capabilities: []byte(`{"roots":{}}`)},
		Call: playground.Call{Method: playground.ToolsCall, Params: []byte(params)},
	}
	at := time.Unix(1000, 0).UTC()
	add := func(e playground.Event) {
		e.Seq, e.At = len(x.Log)+1, at
		x.Log = append(x.Log, e)
	}
	for i, result := range results {
		d := playground.Decision{Action: playground.ActionStart, Round: i + 1}
		if i > 0 {
			d.Action = playground.ActionRetry
			for _, q := range x.Fold().Last().Questions {
				d.Action = playground.ActionAnswer
				d.Answers = append(d.Answers, playground.Answer{Key: q.Key, Value: []byte(paid)})
			}
		}
		add(d.Event(at))
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, i+1, params)
		add(playground.Event{Conn: i + 1, Kind: playground.Sent, Data: []byte("POST /mcp HTTP/1.1\r\n\r\n" +
			body)})
		at = at.Add(time.Second)
		member := `"result":` + result
		if e, ok := strings.CutPrefix(result, "error "); ok {
			member = `"error":{"code":` + e + `,"message":"no"}`
		}
		if result == "" {
			add(playground.Event{Conn: i + 1, Kind: playground.Failed, Data: []byte(
				`{"class":"refused","detail":"refused"}`)})
			continue
		}
		add(playground.Event{Conn: i + 1, Kind: playground.Received, Data: fmt.Appendf(nil,
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%d,%s}",
			i+1, member)})
	}
	return x
}

const book = `{"name":"book","arguments":{"to":"Rome"}}`

// outcomes returns the outcomes of lines by their ids.
func outcomes(lines []verdict.Line) map[string]verdict.Outcome {
	list := map[string]verdict.Outcome{}
	for _, l := range lines {
		list[l.ID] = l.Outcome
	}
	return list
}

// TestJudge: what comes in the same way is met, and each difference fails the condition that
// it is about, and no other one; what was not reached never passes.
func TestJudge(t *testing.T) {
	recorded := made(book, asked1("seat"), booked)
	all := []string{"1.0.message", "1.0.schema", "text.0", "value./structuredContent/price", "time"}
	e, _ := Of(recorded, all, 5*time.Second)
	const (
		pass, fail, far = verdict.Passed, verdict.Failed, verdict.NotReached
	)
	for name, c := range map[string]struct {
		x    playground.Exchange
		want map[string]verdict.Outcome
	}{
		"the same": {recorded, nil},
		"another key": {made(book, asked1("place"), booked), map[string]verdict.Outcome{
			"round-1": fail, "round-1/seat/message": far, "round-1/seat/schema": far}},
		"another message": {made(book, strings.Replace(asked1("seat"), "Which", "What", 1), booked),
			map[string]verdict.Outcome{"round-1/seat/message": fail}},
		"another form": {made(book, strings.Replace(asked1("seat"), "window", "middle", 1), booked),
			map[string]verdict.Outcome{"round-1/seat/schema": fail}},
		"no question": {made(book, booked), map[string]verdict.Outcome{
			"round-1": fail, "round-1/seat/message": far, "round-1/seat/schema": far}},
		"one question more": {made(book, asked1("seat"), asked1("meal"), booked),
			map[string]verdict.Outcome{"end": fail}},
		"still open": {made(book, asked1("seat"), asked1("meal")), map[string]verdict.Outcome{
			"end": fail, "result-1": far, "result-2": far, "time": far}},
		"another text": {made(book, asked1("seat"), strings.Replace(booked, "Booked", "Sold", 1)),
			map[string]verdict.Outcome{"result-1": fail}},
		"another value": {made(book, asked1("seat"), strings.Replace(booked, "120", "130", 1)),
			map[string]verdict.Outcome{"result-2": fail}},
		"no value": {made(book, asked1("seat"), strings.Replace(booked, "price", "cost", 1)),
			map[string]verdict.Outcome{"result-2": fail}},
		"an error of the tool": {made(book, asked1("seat"),
			strings.Replace(booked, `"content"`, `"isError":true,"content"`, 1)),
			map[string]verdict.Outcome{"end": fail}},
		"an error": {made(book, asked1("seat"), "error -32602"), map[string]verdict.Outcome{
			"end": fail, "result-1": far, "result-2": far, "time": far}},
	} {
		t.Run(name, func(t *testing.T) {
			want := map[string]verdict.Outcome{
				"round-1": pass, "round-1/seat/message": pass, "round-1/seat/schema": pass, "end": pass,
				"result-1": pass, "result-2": pass, "time": pass,
			}
			for id, o := range c.want {
				want[id] = o
			}
			j := e.Judge(c.x.Fold())
			if diff := cmp.Diff(want, outcomes(j.Lines)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if j.Met() != (c.want == nil) || j.Gap != "" || (len(j.Differences) > 0) != (c.want != nil) {
				t.Errorf("met %v, gap %q, %v", j.Met(), j.Gap, j.Differences)
			}
			same := slices.Equal(e.Steps(), Came(c.x.Call, c.x.Fold()))
			if same && (c.want["round-1"] == fail || c.want["end"] == fail) {
				t.Errorf("the sequence is the same: %q", e.Steps())
			}
		})
	}
}

// TestJudge_Slow: the time of the rounds counts, and not that between them.
func TestJudge_Slow(t *testing.T) {
	x := made(book, asked1("seat"), booked) // two rounds of a second
	for most, want := range map[time.Duration]verdict.Outcome{
		1500 * time.Millisecond: verdict.Failed, 2 * time.Second: verdict.Passed,
	} {
		e, _ := Of(x, []string{"time"}, most)
		if got := outcomes(e.Judge(x.Fold()).Lines)["time"]; got != want {
			t.Errorf("%s: %s, want %s", most, got, want)
		}
	}
}

// TestJudge_NoResponse: where nothing came back, nothing is judged, and there is a gap.
func TestJudge_NoResponse(t *testing.T) {
	e, _ := Of(made(book, asked1("seat"), booked), []string{"text.0"}, 0)
	for name, x := range map[string]playground.Exchange{"refused": made(book, ""), "not made": made(book)} {
		j := e.Judge(x.Fold())
		if j.Gap == "" || j.Met() {
			t.Errorf("%s: %+v", name, j)
		}
		for _, l := range j.Lines {
			if l.Outcome != verdict.NotJudged || l.Sentence == "" {
				t.Errorf("%s: %s is %s: %q", name, l.ID, l.Outcome, l.Sentence)
			}
		}
	}
	lost := e.Judge(made(book, asked1("seat"), "").Fold()) // the server was there, and is gone
	if lost.Gap != "" || outcomes(lost.Lines)["end"] != verdict.Failed {
		t.Errorf("a call that breaks off: %+v", lost)
	}
}

// TestConditions: a value is compared by its meaning, and a schema is that of JSON Schema.
func TestConditions(t *testing.T) {
	path := func(s string) *string { return &s }
	result := strings.Replace(booked, "120", "120.0", 1)
	for name, c := range map[string]struct {
		condition Condition
		want      verdict.Outcome
	}{
		"a number": {Condition{Path: path("/structuredContent/price"), Equals: []byte("120")},
			verdict.Passed},
		"an object": {Condition{Path: path("/structuredContent"),
			Equals: []byte(`{"price":120,"by":{"at":"2026-01-02"},"seat":"aisle"}`)}, verdict.Passed},
		"another object": {Condition{Path: path("/structuredContent"), Equals: []byte(`{"price":120}`)},
			verdict.Failed},
		"a part of a text": {Condition{Path: path("/content/0/text"), Contains: "aisle"}, verdict.Passed},
		"not a text": {Condition{Path: path("/structuredContent/price"), Contains: "120"},
			verdict.Failed},
		"all texts":    {Condition{Contains: "Booked an"}, verdict.Passed},
		"no such item": {Condition{Path: path("/content/1"), Equals: []byte("1")}, verdict.Failed},
		"a schema": {Condition{Path: path("/structuredContent"),
			Schema: []byte(`{"required":["price"],"properties":{"price":{"minimum":1}}}`)}, verdict.Passed},
		"a schema that refuses": {Condition{Path: path("/structuredContent"),
			Schema: []byte(`{"properties":{"price":{"maximum":1}}}`)}, verdict.Failed},
		"no schema": {Condition{Path: path("/structuredContent"), Schema: []byte(`{"$ref":"http://h/s"}`)},
			verdict.NotJudged},
		"the whole": {Condition{Path: path(""), Schema: []byte(`{"type":"object"}`)}, verdict.Passed},
	} {
		e := Expectation{Call: made(book).Call, Rounds: []Round{}, Result: &Result{
			Outcome: playground.OutcomeComplete, Must: []Condition{c.condition},
		}}
		if got := outcomes(e.Judge(made(book, result).Fold()).Lines)["result-1"]; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestFile: an expectation is the same after it was written and read, its answers are those
// that were given, and the file has no state, which is another one each time.
func TestFile(t *testing.T) {
	x := made(book, asked1("seat"), booked)
	e, _ := Of(x, []string{"1.0.schema", "text.0", "value./structuredContent/seat", "time"}, 5*time.Second)
	data, err := e.File()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	written, err := again.File()
	if err != nil || string(written) != string(data) {
		t.Errorf("%v, written again:\n%s\nat first:\n%s", err, written, data)
	}
	if strings.Contains(string(data), "requestState") || !strings.Contains(string(data), `"seat": "aisle"`) {
		t.Errorf("%s", data)
	}
	if j := again.Judge(x.Fold()); !j.Met() || len(j.Lines) != 6 {
		t.Errorf("%+v", j)
	}
	decide := again.Decider()
	d, err := decide(x.Fold().Rounds[0])
	if err != nil || len(d.Answers) != 1 || d.Answers[0].Key != "seat" || !strings.Contains(string(
		d.Answers[0].Value), `"aisle"`) {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err = decide(x.Fold().Rounds[0]); err == nil {
		t.Error("it goes on after the last expected round")
	}
}

// TestRead_Refuses: what is wrong with a file is said, with its place.
func TestRead_Refuses(t *testing.T) {
	e, _ := Of(made(book, asked1("seat"), booked), []string{"text.0"}, 0)
	data, err := e.File()
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	for name, c := range map[string]struct{ old, new, want string }{
		"a syntax error":    {`"version": 1,`, `"version": 1,,`, "line 3, column 16"},
		"another version":   {`"version": 1`, `"version": 2`, "version 2 is not known"},
		"an unknown member": {`"rounds"`, `"round"`, `unknown field "round"`},
		"a wrong type":      {`"isError": false`, `"isError": 3`, "isError"},
		"no method": {`"method": "elicitation/create"`, `"method": ""`,
			"rounds/0/asks/0 has no method"},
		"no name":         {`"name": "book",` + "\n      \"arg", `"arg`, "name no tool"},
		"a notification":  {`"method": "tools/call"`, `"method": "ping"`, "ping"},
		"a wrong address": {`http://h/mcp`, `ftp://h`, "url: "},
		"no condition":    {`"contains"`, `"path": "/a", "contains"`, ""},
		"two conditions":  {`"contains"`, `"equals": 1, "contains"`, "exactly one of"},
		"a wrong pointer": {`"contains"`, `"path": "a", "contains"`, "JSON Pointer"},
		"a wrong outcome": {`"outcome": "complete"`, `"outcome": "fine"`, `"fine" is not known`},
		"a negative time": {`"outcome"`, `"milliseconds": -1, "outcome"`, "negative"},
		"a wrong era":     {`"rounds"`, `"era": "old", "rounds"`, "era: "},
	} {
		changed := strings.Replace(good, c.old, c.new, 1)
		if changed == good {
			t.Fatalf("%s: no %s in %s", name, c.old, good)
		}
		_, err := Read([]byte(changed))
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(),
			c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		case errors.Is(err, ErrFormat):
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read([]byte(`{"format":"mrtr-playground/expectation","version":1,"name":"","rounds":[],` +
		`"call":{"method":"tools/call","params":{"name":"a"}}}`)); err == nil {
		t.Error("a file that expects nothing is read")
	}
	for _, other := range []string{`{}`, `[]`, `{"format":"mrtr-playground/session","version":1}`} {
		if _, err := Read([]byte(other)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", other, err)
		}
	}
	if _, err := Read(make([]byte, MaxBytes+1)); err == nil {
		t.Error("a large file is read")
	}
}

// TestOf_Masked: what is masked is not expected. In the call and in an answer a variable
// stands for it, which must be set.
func TestOf_Masked(t *testing.T) {
	const stars = "********"
	x := made(`{"name":"book","arguments":{"key":"`+stars+`","cost":"${5}"}}`, asked1("seat"),
		strings.Replace(booked, "Booked", stars, 1))
	for _, c := range Choices(x) {
		if masked := strings.Contains(c.Value, stars); masked != (c.Refused != "") || masked && c.Usual {
			t.Errorf("%+v", c)
		}
	}
	e, names := Of(x, []string{"text.0"}, 0)
	if len(names) != 1 || len(e.Result.Must) > 0 {
		t.Fatalf("%q, %+v", names, e.Result.Must)
	}
	data, err := e.File()
	if err != nil || strings.Contains(string(data), stars) {
		t.Errorf("%v: %s", err, data)
	}
	if _, err := e.Expand(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(),
		names[0]) {
		t.Errorf("without the variable: %v", err)
	}
	set, err := e.Expand(func(name string) string { return "value of " + name })
	want := `{"name":"book","arguments":{"key":"value of ` + names[0] + `","cost":"${5}"}}`
	if err != nil || string(set.Call.Params) != want {
		t.Errorf("%v: %s", err, set.Call.Params)
	}
}

// TestOf_Large: what is too long for a file is not expected, so that each file can be read.
func TestOf_Large(t *testing.T) {
	blocks := strings.Repeat(`{"type":"text","text":"a"},`, 3000) + `{"type":"text","text":"`
	long := strings.Repeat("Which", maxValue)
	x := made(book, strings.Replace(asked1("seat"), "Which", long, 1),
		strings.Replace(booked, `{"type":"text","text":"`, blocks, 1))
	var all []string
	for _, c := range Choices(x) {
		all = append(all, c.ID)
		if c.ID == "1.0.message" && c.Refused == "" {
			t.Error("a long message can be chosen")
		}
	}
	e, _ := Of(x, all, time.Hour)
	data, err := e.File()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(data); err != nil || len(data) > MaxBytes {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// TestChoices_Usual: a text with a date is not expected unless the user says so, and times
// never are.
func TestChoices_Usual(t *testing.T) {
	usual := func(text string) []string {
		return Usual(Choices(made(book, asked1("seat"), strings.Replace(booked, "Booked an aisle seat", text,
			1))))
	}
	for _, fresh := range []string{"At 2026-01-02", "At 9:30", "Order 1234567", "Id 0123456789abcdef0",
		"Voucher 7686E90EB5FA redeemed"} {
		if list := usual(fresh); len(list) != 0 {
			t.Errorf("%s: %q", fresh, list)
		}
	}
	for _, same := range []string{"Bug #4522 resolved", "Confirmation sent", "Room 101, 2 guests"} {
		if list := usual(same); !slices.Equal(list, []string{"text.0"}) {
			t.Errorf("%s: %q", same, list)
		}
	}
}

// TestPossible: a call that cannot be made again says why.
func TestPossible(t *testing.T) {
	if why := Possible(made(book, asked1("seat"), booked)); why != "" {
		t.Error(why)
	}
	open := made(book, asked1("seat"))
	changed := made(book, asked1("seat"), booked)
	changed.Log[3] = playground.Decision{
		Action: playground.ActionAnswer, Round: 2, Experiment: "flip-state", Changed: true,
	}.Event(changed.Log[3].At)
	for name, x := range map[string]playground.Exchange{"open": open, "changed": changed, "lost": made(
		book, "")} {
		if Possible(x) == "" {
			t.Errorf("%s: an expectation can be made", name)
		}
	}
}

// TestWhole: everything counts but what is new in every response.
func TestWhole(t *testing.T) {
	x := made(book, asked1("seat"), booked)
	e := Whole(x)
	if j := e.Judge(x.Fold()); !j.Met() || len(j.Differences) > 0 || len(j.Lines) != 2 {
		t.Errorf("%+v", j)
	}
	fresh := made(book, strings.Replace(asked1("seat"), `"s"`, `"other"`, 1), booked)
	if j := e.Judge(fresh.Fold()); !j.Met() {
		t.Errorf("another state: %+v", j.Differences)
	}
	j := e.Judge(made(book, strings.Replace(asked1("seat"), "Which", "What", 1), booked).Fold())
	want := []Difference{{1, "/result/inputRequests/seat/params/message", `"Which seat?"`, `"What seat?"`}}
	if diff := cmp.Diff(want, j.Differences); diff != "" || outcomes(j.Lines)["round-1"] != verdict.Failed ||
		outcomes(j.Lines)["round-2"] != verdict.Passed {
		t.Errorf("%s %+v", diff, j.Lines)
	}
	short := e.Judge(made(book, booked).Fold())
	if short.Met() || outcomes(short.Lines)["round-2"] != verdict.Failed {
		t.Errorf("a round less: %+v", short)
	}
}

// TestBeside: sequences stand side by side where they fit, and lines that differ are marked.
func TestBeside(t *testing.T) {
	side := Beside([]string{"-> a", "<- b"}, []string{"-> a", "<- c", "-> d"})
	for i, want := range []string{"expected", "-> a", "<- b", ""} {
		if left, _, _ := strings.Cut(side[i]+"   ", "   "); strings.TrimRight(left, " |") != want {
			t.Errorf("line %d is %q", i, side[i])
		}
	}
	if strings.Contains(side[1], "|") || !strings.Contains(side[2], "| <- c") || !strings.Contains(side[3],
		"| -> d") {
		t.Errorf("%q", side)
	}
	long := strings.Repeat("x", 60)
	below := Beside([]string{"-> a", long}, []string{"-> a", "<- c"})
	want := []string{"expected", "  -> a", "| " + long, "came", "  -> a", "| <- c"}
	if !slices.Equal(below, want) {
		t.Errorf("%q", below)
	}
}
