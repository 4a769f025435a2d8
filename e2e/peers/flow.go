package peers

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// claims is the content of a requestState: the answer so far, and the call that
// it is bound to.
type claims struct {
	Day     string `json:"day"`
	Expires int64  `json:"exp"` // Unix time; in milliseconds if the codec's unit is one
	Request string `json:"req"` // digest of method, name, arguments and user
}

// codec protects a requestState.
type codec interface {
	seal(claims) string
	open(state string) (claims, bool)
}

// booking asks for a day and then for the number of guests. The second question
// brings a state that carries the day.
type booking struct {
	codec  codec
	life   time.Duration
	unit   time.Duration // of claims.Expires
	refuse func(action string) object
}

const (
	bookTool = `{"tools":[{"name":"book_room","title":"Book a room","inputSchema":{"type":"object",` +
		`"properties":{"room":{"type":"string"}},"required":["room"]}}]}`
	dayForm = `{"type":"object","properties":{"day":{"type":"string","enum":["monday","tuesday"]}},` +
		`"required":["day"]}`
	guestsForm = `{"type":"object","properties":{"guests":{"type":"integer","minimum":1,"maximum":20}},` +
		`"required":["guests"]}`
)

// call answers tools/call.
func (b booking) call(r *request) (any, error) {
	room, err := r.room()
	if err != nil {
		return nil, err
	}
	var known claims
	if r.hasState {
		var ok bool
		if known, ok = b.codec.open(r.state); !ok || known.Request != r.digest() || b.expired(known) {
			return nil, refuse(-32602, "invalid requestState")
		}
	}
	if known.Day == "" {
		a, done, err := r.ask("day", "Which day do you need "+room+"?", dayForm)
		if err != nil || done == nil && a.Action == "accept" && !slices.Contains([]string{"monday",
			"tuesday"},
			a.text("day")) {
			return askAgain(err, "day", "Please choose monday or tuesday.", dayForm)
		}
		if done != nil || a.Action != "accept" {
			return b.stop(done, a.Action), nil
		}
		known.Day = a.text("day")
	}
	a, done, err := r.ask("guests", "How many guests on "+known.Day+"?", guestsForm)
	guests, whole := a.Content["guests"].(float64)
	bad := done == nil && a.Action == "accept" && (!whole || guests < 1 || guests > 20 ||
		guests != float64(int(guests)))
	switch {
	case err != nil:
		return nil, err
	case bad:
		done = question("guests", "Please give a whole number from 1 to 20.", guestsForm)
	case done == nil && a.Action != "accept":
		return b.stop(nil, a.Action), nil
	case done == nil:
		return text("Booked %s on %s for %d guests.", room, known.Day, int(guests)), nil
	}
	known.Request = r.digest()
	known.Expires = time.Now().Add(b.life).UnixNano() / int64(b.unit)
	done["requestState"] = b.codec.seal(known)
	return done, nil
}

func (b booking) expired(c claims) bool {
	return time.Now().UnixNano()/int64(b.unit) >= c.Expires
}

// stop returns the end of a round: a question, or the result of a refusal.
func (b booking) stop(question object, action string) object {
	switch {
	case question != nil:
		return question
	case b.refuse != nil:
		return b.refuse(action)
	}
	return text("Nothing was booked.")
}

// askAgain repeats a question whose answer was invalid, unless there is an
// error.
func askAgain(err error, key, message, form string) (any, error) {
	if err != nil {
		return nil, err
	}
	return question(key, message, form), nil
}

// room reads the argument.
func (r *request) room() (string, error) {
	var a struct {
		Room string `json:"room"`
	}
	switch {
	case r.name != "book_room":
		return "", refuse(-32602, "unknown tool")
	case json.Unmarshal(r.arguments, &a) != nil || a.Room == "":
		return "", refuse(-32602, "room is required")
	}
	return a.Room, nil
}

// digest identifies the request and its user.
func (r *request) digest() string {
	var arguments any
	// The arguments were parsed before; equal values give equal bytes.
	_ = json.Unmarshal(r.arguments, &arguments)
	b, err := json.Marshal([]any{r.method, r.name, arguments, r.user})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// ask returns the answer to a question, or the result that asks it.
func (r *request) ask(key, message, form string) (a answer, open object, err error) {
	a, ok := r.responses[key]
	if !ok {
		if e := r.capabilities.Elicitation; e == nil || e.Form == nil && e.URL != nil {
			return a, nil, needs(object{"elicitation": object{"form": object{}}})
		}
		return a, question(key, message, form), nil
	}
	if !slices.Contains([]string{"accept", "decline", "cancel"}, a.Action) {
		return a, nil, refuse(-32602, "the answer to %s is malformed", key)
	}
	return a, nil, nil
}

// text returns a string of the form.
func (a answer) text(field string) string {
	s, _ := a.Content[field].(string)
	return s
}

// question returns a result that asks one question.
func question(key, message, form string) object {
	return object{"resultType": "input_required", "inputRequests": object{key: formRequest(message, form)}}
}

func formRequest(message, form string) object {
	return object{"method": "elicitation/create", "params": object{"mode": "form", "message": message,
		"requestedSchema": json.RawMessage(form)}}
}

// text returns the final result of a tool.
func text(format string, a ...any) object {
	return object{"resultType": "complete", "content": []object{{"type": "text",
		"text": fmt.Sprintf(format, a...)}}}
}

// cutTail splits a token before its last part.
func cutTail(token string) (head, tail string, ok bool) {
	i := strings.LastIndexByte(token, '.')
	if i < 0 {
		return "", "", false
	}
	return token[:i], token[i+1:], true
}
