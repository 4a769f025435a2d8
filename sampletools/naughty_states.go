package sampletools

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// faultsOfState misuse requestState (basic/patterns/mrtr, server requirements 3
// to 5).
func faultsOfState() []fault {
	signed := func(omit string) reply {
		return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.useState(w, omit) }
	}
	return []fault{
		{
			tool: "state_readable",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.trustState(w)
			},
		},
		{tool: "state_secret", answer: signed("secrecy")},
		{tool: "state_unverified", answer: signed("signature")},
		{tool: "state_forever", answer: signed("expiry")},
		{tool: "state_unbound", answer: signed("arguments")},
		{tool: "state_anyone", answer: signed("user")},
		{
			tool: "state_unchanged",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.repeatState(w)
			},
		},
		{
			tool: "state_only_forever",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.result(w, `{"resultType":"input_required","requestState":`+serve.Quote(c.sameState())+`}`)
			},
		},
	}
}

// trustState accepts any state: it has no signature, expiry, principal or
// digest.
func (c *naughtyCall) trustState(w http.ResponseWriter) {
	var text string
	if json.Unmarshal(c.requestState, &text) != nil || text == "" {
		state := base64.RawURLEncoding.EncodeToString([]byte(`{"price":900,"step":1}`))
		c.result(w, `{"resultType":"input_required","inputRequests":{"color":`+colorQuestion+`},`+
			`"requestState":"`+state+`"}`)
		return
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		b = []byte(text)
	}
	c.writeText(w, fmt.Sprintf("The state says %q, and the server trusts it.", b))
}

// repeatState asks a second question with the state of the first.
func (c *naughtyCall) repeatState(w http.ResponseWriter) {
	question := `"color":` + colorQuestion
	if c.answered("size") {
		c.writeText(w, "Done, but the color was lost.")
		return
	}
	if c.answered("color") {
		question = `"size":` + strings.ReplaceAll(colorQuestion, "color", "size")
	}
	c.result(w, `{"resultType":"input_required",`+
		`"inputRequests":{`+question+`},"requestState":`+serve.Quote(c.sameState())+`}`)
}

// sameState returns a signed state that is the same for an hour.
func (c *naughtyCall) sameState() string {
	return naughtyClaims{Tool: c.name, Arguments: string(c.Params["arguments"]), User: c.bearer,
		Expires: time.Now().Truncate(time.Hour).Add(2 * time.Hour).Unix()}.sign()
}

// naughtyClaims is the content of a signed state.
type naughtyClaims struct {
	Tool      string `json:"tool"`
	Arguments string `json:"arguments,omitempty"`
	User      string `json:"user,omitempty"`
	Expires   int64  `json:"exp,omitempty"`
	Token     string `json:"access_token,omitempty"` // of a third party
}

// naughtyStateLife is how long a signed state is accepted.
const naughtyStateLife = 10 * time.Minute

// useState asks a question with a signed state, and checks everything about the
// state that comes back but one thing.
func (c *naughtyCall) useState(w http.ResponseWriter, omit string) {
	want := naughtyClaims{Tool: c.name, Arguments: string(c.Params["arguments"]), User: c.bearer,
		Expires: time.Now().Add(naughtyStateLife).Unix()}
	switch omit {
	case "secrecy":
		want.Token = "token-for-another-service"
	case "arguments":
		want.Arguments = ""
	case "user":
		want.User = ""
	case "expiry":
		want.Expires = 0
	}
	if c.requestState == nil {
		c.result(w, `{"resultType":"input_required","inputRequests":{"color":`+colorQuestion+`},`+
			`"requestState":`+serve.Quote(want.sign())+`}`)
		return
	}
	var text string
	_ = json.Unmarshal(c.requestState, &text) // a state of another type does not verify
	got, ok := verifyClaims(text, omit == "signature")
	expired := got.Expires != 0 && time.Now().Unix() >= got.Expires
	got.Expires = want.Expires
	if !ok || expired || got != want {
		serve.Refuse(c.ID, -32602, "invalid requestState").Write(w)
		return
	}
	if !c.answered("color") {
		c.result(w, `{"resultType":"input_required","inputRequests":{"color":`+colorQuestion+`},`+
			`"requestState":`+serve.Quote(want.sign())+`}`)
		return
	}
	c.writeText(w, "Done.")
}

func (s naughtyClaims) sign() string {
	b, err := json.Marshal(s)
	if err != nil { // strings and numbers always marshal
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b) + "." + naughtyTag(b)
}

// naughtyTag signs with a key that anyone can read here: naughty has nothing to
// protect.
func naughtyTag(claims []byte) string {
	mac := hmac.New(sha256.New, []byte("naughty"))
	mac.Write(claims)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// verifyClaims opens a state. It trusts a state that it cannot read if the
// signature is not to be checked.
func verifyClaims(state string, unchecked bool) (s naughtyClaims, ok bool) {
	text, tag, _ := strings.Cut(state, ".")
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(b, &s) != nil {
		return s, false
	}
	return s, unchecked || hmac.Equal([]byte(tag), []byte(naughtyTag(b)))
}
