package peers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
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
	"error for a missing answer", "error for a missing time",
	"takes any value", "error for an extra answer", "books after a decline", "books after no",
	"asks again after no", "plain state", "unbound state", "asks everyone", "two fields", "optional fields",
	"books unasked", "any state confirms", "no minimum", "any fraction", "any time of day",
	"yes as text", "asks both again", "forgets the other", "asks again after a decline",
	"error after a cancel", "books when it cannot ask", "tool error when it cannot ask",
	"binds the restaurant", "binds the day", "always Luigi", "not for one",
	"own words", "reserves", "other fields", "takes text", "plain after a gap",
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
	case "other fields":
		return strings.ReplaceAll(peopleForm, `"people"`, `"value"`), timeForm
	case "takes text":
		return `{"type":"object","properties":{"people":{}},"required":["people"]}`, timeForm
	case "two fields":
		return `{"type":"object","properties":{"people":{"type":"integer","minimum":1,"maximum":12},` +
			`"children":{"type":"integer"}},"required":["people"]}`, timeForm
	case "optional fields":
		people = `{"type":"object","properties":{"people":{"type":"integer","minimum":1,"maximum":12}}}`
		return people, timeForm
	}
	return peopleForm, timeForm
}

// chosen is what the rounds collect. It travels in claims.Day.
type chosen struct {
	People *int   `json:"people"` // nil before it is answered: a fault takes 0
	Time   string `json:"time"`
	Asked  bool   `json:"asked"` // the user was asked to confirm
}

// call answers tools/call.
func (t table) call(r *request) (any, error) {
	var args struct{ Restaurant, Day string }
	if r.name != "book_table" || json.Unmarshal(r.arguments, &args) != nil || args.Restaurant == "" {
		return nil, refuse(-32602, "book_table needs a restaurant and a day")
	}
	if r.capabilities.Elicitation == nil {
		switch t.fault {
		case "books when it cannot ask":
			return text("Booked a table for 2 at Luigi on Friday."), nil
		case "tool error when it cannot ask": // which is right
			result := text("Nothing was booked: this client cannot be asked.")
			result["isError"] = true
			return result, nil
		}
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
	if done, err := t.first(r, &known); done != nil || err != nil {
		return done, err
	}
	if t.fault == "always Luigi" && known.Asked {
		args.Restaurant = "Luigi"
	}
	return t.second(r, known, args.Restaurant+" on "+args.Day)
}

// open reads the state.
func (t table) open(r *request) (known chosen, err error) {
	if !r.hasState {
		return known, nil
	}
	c, ok := t.codec.open(r.state)
	if !ok && t.fault == "plain after a gap" {
		c, ok = plain{}.open(r.state)
	}
	bound := c.Request == t.digest(r) || t.fault == "unbound state" || t.fault == "plain state"
	if !ok || !bound || time.Now().Unix() >= c.Expires || json.Unmarshal([]byte(c.Day), &known) != nil {
		return known, refuse(-32602, "invalid requestState")
	}
	return known, nil
}

// digest is request.digest; a fault leaves out one argument.
func (t table) digest(r *request) string {
	var args struct{ Restaurant, Day string }
	_ = json.Unmarshal(r.arguments, &args) // parsed before
	switch t.fault {
	case "binds the restaurant":
		return args.Restaurant
	case "binds the day":
		return args.Day
	}
	return r.digest()
}

// first reads the answers of the first round. It returns the questions that are
// open, or the result of a refusal.
func (t table) first(r *request, known *chosen) (object, error) {
	peopleForm, timeForm := t.forms()
	open := object{}
	if known.People == nil {
		a, done, err := t.ask(r, "people", "How many people?", peopleForm)
		n, isNumber := a.Content["people"].(float64)
		switch {
		case err != nil:
			return nil, err
		case done == nil && a.Action != "accept" && t.fault != "books after a decline":
			return t.refused(a.Action, "people", peopleForm)
		case done != nil && t.fault == "error for a missing answer" && len(r.responses) > 0:
			return nil, refuse(-32602, "people is missing")
		case done == nil && t.fault == "takes any value", done == nil && a.Action != "accept":
			known.People = new(max(int(n), 1))
		case !isNumber || !t.seats(n):
			open["people"] = formRequest("How many people?", peopleForm)
		default:
			known.People = new(int(n))
		}
	}
	if len(open) > 0 && t.fault == "one by one" {
		return t.asking(r, open, *known), nil
	}
	if known.Time == "" {
		a, done, err := t.ask(r, "time", "At what time?", timeForm)
		at := a.text("time")
		known.Time = at
		switch {
		case err != nil:
			return nil, err
		case done == nil && a.Action != "accept" && t.fault != "books after a decline":
			return t.refused(a.Action, "time", timeForm)
		case done != nil && t.fault == "error for a missing time" && len(r.responses) > 0:
			return nil, refuse(-32602, "time is missing")
		case done == nil && t.fault == "takes any value", done == nil && a.Action != "accept":
			known.Time = fmt.Sprint(a.Content["time"])
		case slices.Contains([]string{"18:00", "19:00", "20:00"}, at), at != "" &&
			t.fault == "any time of day":
		default:
			open["time"] = formRequest("At what time?", timeForm)
			known.Time = ""
		}
	}
	switch {
	case len(open) == 0:
		return nil, nil
	case t.fault == "asks both again":
		*known = chosen{}
		open["people"], open["time"] = formRequest("How many people?", peopleForm),
			formRequest("At what time?", timeForm)
	case t.fault == "forgets the other":
		*known = chosen{}
	}
	return t.asking(r, open, *known), nil
}

// seats reports whether a table has room for so many people.
func (t table) seats(n float64) bool {
	switch t.fault {
	case "takes text":
		return false
	case "no minimum":
		return n <= 12 && n == float64(int(n))
	case "any fraction":
		return n >= 1 && n <= 12
	case "not for one":
		return n > 1 && n <= 12 && n == float64(int(n))
	}
	return n >= 1 && n <= 12 && n == float64(int(n))
}

// refused ends the call after a decline or a cancel.
func (t table) refused(action, key, form string) (object, error) {
	switch {
	case t.fault == "asks again after a decline" && action == "decline":
		return question(key, "Are you sure? "+key+"?", form), nil
	case t.fault == "error after a cancel" && action == "cancel":
		return nil, refuse(-32602, "%s was cancelled", key)
	}
	return text("Nothing was booked."), nil
}

// asking returns a result with questions. It has a state if something is known.
func (t table) asking(r *request, open object, known chosen) object {
	result := object{"resultType": "input_required", "inputRequests": open}
	if known == (chosen{}) {
		return result
	}
	kept, err := json.Marshal(known)
	if err != nil {
		panic(err) // a number, a string and a boolean always marshal
	}
	codec := t.codec
	if t.fault == "plain after a gap" && !known.Asked {
		codec = plain{}
	}
	result["requestState"] = codec.seal(claims{Day: string(kept), Request: t.digest(r),
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

// asked reports whether an answer to confirm counts: the user was asked.
func (t table) asked(r *request, known chosen) bool {
	return known.Asked || t.fault == "books unasked" || t.fault == "any state confirms" && r.hasState
}

// second asks to confirm, and books.
func (t table) second(r *request, known chosen, where string) (any, error) {
	summary := fmt.Sprintf("a table for %d at %s at %s", *known.People, where, known.Time)
	message := "Book " + summary + "?"
	if t.fault == "no summary" {
		message = "Are you sure?"
	}
	if !t.asked(r, known) {
		delete(r.responses, "confirm")
	}
	a, done, err := t.ask(r, "confirm", message, confirmForm)
	yes, given := a.Content["confirm"].(bool)
	if t.fault == "yes as text" && a.text("confirm") != "" {
		yes, given = true, true
	}
	switch {
	case err != nil:
		return nil, err
	case done == nil && a.Action != "accept" && t.fault == "books after a decline":
		yes = true
	case done == nil && a.Action != "accept":
		return t.refused(a.Action, "confirm", confirmForm)
	case done != nil || !given:
		known.Asked = true
		result := t.asking(r, object{"confirm": formRequest(message, confirmForm)}, known)
		if t.fault == "no state" {
			delete(result, "requestState")
		}
		return result, nil
	case t.fault == "books after no", t.fault == "reserves":
		yes = true
	case !yes && t.fault == "asks again after no":
		return t.asking(r, object{"confirm": formRequest(message, confirmForm)}, known), nil
	}
	if !yes {
		return text("Nothing was booked."), nil
	}
	switch t.fault {
	case "other words":
		return text("Done."), nil
	case "reserves":
		return text("Reserved %s.", summary), nil
	case "own words": // which is right
		return text("Booked a table. %s at %s, %d people.", where, known.Time, *known.People), nil
	}
	return text("Booked %s.", summary), nil
}
