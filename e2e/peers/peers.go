package peers

import (
	"encoding/json"
	"net/http"
	"time"
)

// Peer is one server with the call that drives it to its end.
type Peer struct {
	Name    string
	Handler http.Handler
	Method  string
	Params  json.RawMessage
	Answers json.RawMessage // from keys to answers; null if nothing is asked
	Life    time.Duration   // how long a requestState is accepted; 0 if there is none
	// Capabilities are those that the client must declare for the call.
	Capabilities json.RawMessage
}

const (
	bookCall    = `{"name":"book_room","arguments":{"room":"Ada"}}`
	bookAnswers = `{"day":{"action":"accept","content":{"day":"monday"}},` +
		`"guests":{"action":"accept","content":{"guests":3}}}`
)

// asksForms are the capabilities for a server that asks with forms.
var asksForms = json.RawMessage(`{"elicitation":{"form":{}}}`)

// All returns the servers. Each call starts new ones.
func All() []Peer {
	const life = 10 * time.Minute
	book := func(name string, h http.Handler) Peer {
		return Peer{name, h, "tools/call", json.RawMessage(bookCall), json.RawMessage(bookAnswers), life,
			asksForms}
	}
	short := book("one-second", OneSecond())
	short.Life = time.Second
	return []Peer{
		book("aes-gcm", GCM()), book("three-parts", ThreeParts()), book("jwt", JWT()), book("jwe", JWE()),
		book("handle", Handle()), book("strict", Strict()), book("lax", Lax()),
		book("decline-is-a-result", DeclineIsAResult()), short, book("hmac-seconds", Seconds()),
		{"no-state", NoState(), "tools/call", json.RawMessage(`{"name":"delete_draft","arguments":{"id":7}}`),
			json.RawMessage(`{"sure":{"action":"accept","content":{"sure":true}}}`), 0, asksForms},
		{"prompt", PromptAndResource(), "prompts/get", json.RawMessage(`{"name":"summary"}`),
			json.RawMessage(`{"audience":{"action":"accept","content":{"audience":"engineers"}}}`), 0,
			asksForms},
		{"resource", PromptAndResource(), "resources/read", json.RawMessage(`{"uri":"report://quarter"}`),
			json.RawMessage(`{"audience":{"action":"accept","content":{"audience":"engineers"}}}`), 0,
			asksForms},
		Tasks(),
	}
}

// Tasks returns the server of All whose call becomes a task.
func Tasks() Peer { return badges("task", Task()) }

func badges(name string, h http.Handler) Peer {
	return Peer{name, h, "tools/call", json.RawMessage(`{"name":"print_badges","arguments":{}}`),
		json.RawMessage(`{"color":{"action":"accept","content":{"color":"blue"}}}`), 0,
		json.RawMessage(`{"elicitation":{"form":{}},"extensions":{"` + tasksExtension + `":{}}}`)}
}

// RareTasks returns a server whose task is to be polled only so often.
func RareTasks(interval time.Duration) Peer {
	return badges("rare task", newTasks(interval))
}

// newBooking returns a server with the tool book_room.
func newBooking(name string, b booking) http.Handler {
	if b.life == 0 {
		b.life = 10 * time.Minute
	}
	if b.unit == 0 {
		b.unit = time.Millisecond
	}
	return &peer{name: name, capabilities: `{"tools":{}}`, lists: map[string]string{"tools/list": bookTool},
		methods: map[string]func(*request) (any, error){"tools/call": b.call}}
}

// GCM encrypts its state with AES-256-GCM: nonce, ciphertext and tag in one
// Base64 string, which is decoded strictly.
func GCM() http.Handler {
	return newBooking("aes-gcm", booking{codec: blob{newGCM(), strict}})
}

// ThreeParts has a state of three parts: nonce, readable text and HMAC.
func ThreeParts() http.Handler {
	return newBooking("three-parts", booking{codec: signed{key: newKey(), nonce: true, encoding: strict}})
}

// JWT has a JSON Web Token with HS256 as its state, whose exp is in seconds.
func JWT() http.Handler {
	header := strict.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	return newBooking("jwt", booking{codec: signed{key: newKey(), prefix: header, encoding: strict},
		unit: time.Second})
}

// JWE has a state of five parts, like an encrypted JSON Web Token.
func JWE() http.Handler { return newBooking("jwe", booking{codec: jwe{newGCM()}}) }

// Handle keeps everything in its memory; the state is a random handle.
func Handle() http.Handler {
	return newBooking("handle", booking{codec: &handles{claims: map[string]claims{}}})
}

// Strict signs its state and refuses every change of its text, also of bits
// that mean nothing.
func Strict() http.Handler {
	return newBooking("strict", booking{codec: signed{key: newKey(), encoding: strict}})
}

// Lax signs its state and decodes it as Node, Python and Go do by default: the
// spare bits of the last character are ignored.
func Lax() http.Handler {
	return newBooking("lax", booking{codec: signed{key: newKey(), encoding: lax}})
}

// DeclineIsAResult ends with a result of its own after a decline, and with
// another one after a cancel. Neither is an error.
func DeclineIsAResult() http.Handler {
	return newBooking("decline-is-a-result", booking{codec: blob{newGCM(), lax},
		refuse: func(action string) object {
			done := text("You chose not to book a room.")
			if action == "cancel" {
				done = text("The question was closed, so no room is booked yet.")
			}
			done["structuredContent"] = object{"booked": false}
			return done
		}})
}

// OneSecond accepts its state for one second only.
func OneSecond() http.Handler {
	return newBooking("one-second", booking{codec: blob{newGCM(), strict}, life: time.Second})
}

// Seconds signs a state whose expiry has seconds as resolution and that has
// nothing random: two states of the same second are equal.
func Seconds() http.Handler {
	return newBooking("hmac-seconds", booking{codec: signed{key: newKey(), prefix: "v1", encoding: strict},
		unit: time.Second})
}

// NoState asks one question and needs no state: the arguments come again with
// the answer.
func NoState() http.Handler {
	return &peer{name: "no-state", capabilities: `{"tools":{}}`,
		lists: map[string]string{"tools/list": `{"tools":[{"name":"delete_draft","inputSchema":{` +
			`"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}]}`},
		methods: map[string]func(*request) (any, error){"tools/call": deleteDraft}}
}

func deleteDraft(r *request) (any, error) {
	var a struct {
		ID *int `json:"id"`
	}
	switch {
	case r.name != "delete_draft":
		return nil, refuse(-32602, "unknown tool")
	case json.Unmarshal(r.arguments, &a) != nil || a.ID == nil:
		return nil, refuse(-32602, "id is required")
	case r.hasState:
		return nil, refuse(-32602, "this server gives no requestState")
	}
	sure, open, err := r.ask("sure", "Delete this draft?",
		`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}`)
	switch yes, given := sure.Content["sure"].(bool); {
	case err != nil:
		return nil, err
	case open != nil:
		return open, nil
	case sure.Action != "accept":
		return text("Draft %d stays.", *a.ID), nil
	case !given:
		return question("sure", "Please answer yes or no: delete this draft?",
			`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}`), nil
	case !yes:
		return text("Draft %d stays.", *a.ID), nil
	}
	return text("Draft %d is deleted.", *a.ID), nil
}

const audienceForm = `{"type":"object","properties":{"audience":{"type":"string",` +
	`"enum":["engineers","managers"]}},"required":["audience"]}`

// PromptAndResource has a prompt and a resource that ask for whom the text is.
func PromptAndResource() http.Handler {
	return &peer{name: "prompt-and-resource", capabilities: `{"prompts":{},"resources":{}}`,
		lists: map[string]string{
			"prompts/list":             `{"prompts":[{"name":"summary","description":"Sums it up."}]}`,
			"resources/list":           `{"resources":[{"uri":"report://quarter","name":"quarter"}]}`,
			"resources/templates/list": `{"resourceTemplates":[]}`,
		},
		methods: map[string]func(*request) (any, error){
			"prompts/get": func(r *request) (any, error) {
				return forAudience(r, "summary", func(audience string) object {
					return object{"messages": []object{{"role": "user", "content": object{"type": "text",
						"text": "Sum up the quarter for " + audience + "."}}}}
				})
			},
			"resources/read": func(r *request) (any, error) {
				return forAudience(r, "report://quarter", func(audience string) object {
					return object{"ttlMs": 0, "cacheScope": "private", "contents": []object{{
						"uri": r.name, "mimeType": "text/plain", "text": "The quarter, for " +
							audience + "."}}}
				})
			},
		}}
}

// forAudience asks for the audience and completes. A refusal gives the text for
// everyone.
func forAudience(r *request, name string, complete func(audience string) object) (any, error) {
	if r.name != name {
		return nil, refuse(-32602, "not found: %s", r.name)
	}
	if r.hasState {
		return nil, refuse(-32602, "this server gives no requestState")
	}
	a, open, err := r.ask("audience", "For whom is it?", audienceForm)
	if err != nil {
		return nil, err
	}
	audience := a.text("audience")
	switch {
	case open != nil:
		return open, nil
	case a.Action != "accept":
		audience = "everyone"
	case audience != "engineers" && audience != "managers":
		return question("audience", "Please choose engineers or managers.", audienceForm), nil
	}
	result := complete(audience)
	result["resultType"] = "complete"
	return result, nil
}
