package peers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// table asks for the number of people and the time, then to confirm, and books
// a table: the exercise of the lessons. fault is the one thing that it does
// wrong, see TableFaults; "" is none.
type table struct {
	fault string
	codec codec
}

// TableFaults are the faults that Table has.
var TableFaults = []string{
	"one by one", "any number", "any time", "no summary", "no state", "other words",
	"error for a missing answer",
	"takes any value", "error for an extra answer", "books after a decline", "books after no",
	"asks again after no", "plain state", "unbound state", "asks everyone", "two fields", "optional fields",
}

// Table returns a server with the tool book_table that does one thing wrong.
func Table(fault string) http.Handler {
	t := table{fault: fault, codec: signed{key: newKey(), encoding: strict}}
	if fault == "plain state" {
		t.codec = plain{}
	}
	return &peer{name: "table", capabilities: `{"tools":{}}`,
		lists: map[string]string{"tools/list": `{"tools":[{"name":"book_table","inputSchema":{` +
			`"type":"object","properties":{"restaurant":{"type":"string"},"day":{"type":"string"}},` +
			`"required":["restaurant","day"]}}]}`},
		methods: map[string]func(*request) (any, error){"tools/call": t.call}}
}

// plain writes its claims into the state and believes what comes back.
type plain struct{}

func (plain) seal(c claims) string { return strict.EncodeToString(c.json()) }

func (plain) open(state string) (claims, bool) {
	raw, err := strict.DecodeString(state)
	if err != nil {
		return claims{}, false
	}
	return parseClaims(raw)
}

const (
	peopleForm = `{"type":"object","properties":{"people":{"type":"integer","minimum":1,"maximum":12}},` +
		`"required":["people"]}`
	timeForm = `{"type":"object","properties":{"time":{"type":"string","enum":["18:00","19:00","20:00"]}},` +
		`"required":["time"]}`
	confirmForm = `{"type":"object","properties":{"confirm":{"type":"boolean"}},"required":["confirm"]}`
)

// forms returns the forms of the first round, as wrong as the fault makes them.
func (t table) forms() (people, at string) {
	switch t.fault {
	case "any number":
		return `{"type":"object","properties":{"people":{"type":"number"}},"required":["people"]}`, timeForm
	case "any time":
		return peopleForm, `{"type":"object","properties":{"time":{"type":"string"}},"required":["time"]}`
	case "two fields":
		return `{"type":"object","properties":{"people":{"type":"integer","minimum":1,"maximum":12},` +
			`"children":{"type":"integer"}},"required":["people"]}`, timeForm
	case "optional fields":
		people = `{"type":"object","properties":{"people":{"type":"integer","minimum":1,"maximum":12}}}`
		return people, timeForm
	}
	return peopleForm, timeForm
}

// chosen is what the first round collects. It travels in claims.Day.
type chosen struct {
	People int    `json:"people"`
	Time   string `json:"time"`
}

// call answers tools/call.
func (t table) call(r *request) (any, error) {
	var args struct{ Restaurant, Day string }
	if r.name != "book_table" || json.Unmarshal(r.arguments, &args) != nil || args.Restaurant == "" {
		return nil, refuse(-32602, "book_table needs a restaurant and a day")
	}
	known, err := t.open(r)
	if err != nil {
		return nil, err
	}
	if t.fault == "error for an extra answer" {
		for key := range r.responses {
			if !slices.Contains([]string{"people", "time", "confirm"}, key) {
				return nil, refuse(-32602, "unexpected answer %s", key)
			}
		}
	}
	if open, err := t.first(r, &known); open != nil || err != nil {
		return open, err
	}
	return t.second(r, known, args.Restaurant+" on "+args.Day)
}

// open reads the state.
func (t table) open(r *request) (known chosen, err error) {
	if !r.hasState {
		return known, nil
	}
	c, ok := t.codec.open(r.state)
	bound := c.Request == r.digest() || t.fault == "unbound state" || t.fault == "plain state"
	if !ok || !bound || time.Now().Unix() >= c.Expires || json.Unmarshal([]byte(c.Day), &known) != nil {
		return known, refuse(-32602, "invalid requestState")
	}
	return known, nil
}

// first reads the answers of the first round. It returns the questions that are
// open, or the result of a refusal.
func (t table) first(r *request, known *chosen) (object, error) {
	peopleForm, timeForm := t.forms()
	open := object{}
	if known.People == 0 {
		a, done, err := t.ask(r, "people", "How many people?", peopleForm)
		n, isNumber := a.Content["people"].(float64)
		fits := isNumber && n >= 1 && n <= 12 && n == float64(int(n))
		switch {
		case err != nil:
			return nil, err
		case done == nil && a.Action != "accept" && t.fault != "books after a decline":
			return text("Nothing was booked."), nil
		case done != nil && t.fault == "error for a missing answer" && len(r.responses) > 0:
			return nil, refuse(-32602, "people is missing")
		case done == nil && t.fault == "takes any value", done == nil && a.Action != "accept":
			known.People = max(int(n), 1)
		case !fits:
			open["people"] = formRequest("How many people?", peopleForm)
		default:
			known.People = int(n)
		}
	}
	if len(open) > 0 && t.fault == "one by one" {
		return t.asking(r, open, *known), nil
	}
	if known.Time == "" {
		a, done, err := t.ask(r, "time", "At what time?", timeForm)
		at := a.text("time")
		switch {
		case err != nil:
			return nil, err
		case done == nil && a.Action != "accept" && t.fault != "books after a decline":
			return text("Nothing was booked."), nil
		case done == nil && t.fault == "takes any value", done == nil && a.Action != "accept":
			known.Time = fmt.Sprint(a.Content["time"])
		case !slices.Contains([]string{"18:00", "19:00", "20:00"}, at):
			open["time"] = formRequest("At what time?", timeForm)
		default:
			known.Time = at
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	return t.asking(r, open, *known), nil
}

// asking returns a result with questions. It has a state if something is known.
func (t table) asking(r *request, open object, known chosen) object {
	result := object{"resultType": "input_required", "inputRequests": open}
	if known == (chosen{}) {
		return result
	}
	kept, err := json.Marshal(known)
	if err != nil {
		panic(err) // a number and a string always marshal
	}
	result["requestState"] = t.codec.seal(claims{Day: string(kept), Request: r.digest(),
		Expires: time.Now().Add(10 * time.Minute).Unix()})
	return result
}

// ask is request.ask; a fault asks clients that declare nothing, too.
func (t table) ask(r *request, key, message, form string) (answer, object, error) {
	a, done, err := r.ask(key, message, form)
	if t.fault == "asks everyone" && err != nil && r.responses[key].Action == "" {
		return a, question(key, message, form), nil
	}
	return a, done, err
}

// second asks to confirm, and books.
func (t table) second(r *request, known chosen, where string) (any, error) {
	summary := fmt.Sprintf("a table for %d at %s at %s", known.People, where, known.Time)
	message := "Book " + summary + "?"
	if t.fault == "no summary" {
		message = "Are you sure?"
	}
	a, done, err := t.ask(r, "confirm", message, confirmForm)
	yes, given := a.Content["confirm"].(bool)
	switch {
	case err != nil:
		return nil, err
	case done == nil && a.Action != "accept" && t.fault == "books after a decline":
		yes = true
	case done == nil && a.Action != "accept":
		return text("Nothing was booked."), nil
	case done != nil || !given:
		result := t.asking(r, object{"confirm": formRequest(message, confirmForm)}, known)
		if t.fault == "no state" {
			delete(result, "requestState")
		}
		return result, nil
	case t.fault == "books after no":
		yes = true
	case !yes && t.fault == "asks again after no":
		return t.asking(r, object{"confirm": formRequest(message, confirmForm)}, known), nil
	}
	if !yes {
		return text("Nothing was booked."), nil
	}
	if t.fault == "other words" {
		return text("Done."), nil
	}
	return text("Booked %s.", summary), nil
}
