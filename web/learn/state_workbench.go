package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Limits of the workbench.
const (
	maxWorkbenchText = seal.MaxToken // bytes of a token, and of its claims
	keptWorkbenches  = 20            // of one workspace; the oldest is deleted for a new one
	workbenchLife    = 24 * time.Hour
	workbenchCalls   = 6 // calls that it offers to take a state from
)

// workbench is the content of a visitor's workbench. It is stored encrypted.
type workbench struct {
	Token    string
	Claims   string
	Mode     seal.Mode
	Key      stateview.Key
	Retry    stateview.Retry
	Exchange string // whose state it is; empty for one that was pasted or made
	Round    int    // of Exchange, which returned the state
}

// taken is the state that was taken from an exchange.
type taken struct {
	x     playground.Exchange
	round playground.Round
	own   *seal.Explanation // what its sample reads in it; nil if it may not be opened
}

// readWorkbench returns the content of the form.
func readWorkbench(form url.Values) (workbench, error) {
	token := controlText(form.Get("token"))
	claims := strings.ReplaceAll(form.Get("claims"), "\r\n", "\n")
	if len(token) > maxWorkbenchText || len(claims) > maxWorkbenchText {
		return workbench{}, app.Refuse(http.StatusRequestEntityTooLarge, "state_too_large",
			"This state is too large.",
			"A token and its claims may have "+text.Size(maxWorkbenchText)+" each.")
	}
	mode, err := seal.ParseMode(form.Get("mode"))
	if err != nil {
		return workbench{}, app.Refuse(http.StatusUnprocessableEntity, "bad_mode", "Unknown protection.",
			"Choose plain, signed or sealed.")
	}
	return workbench{
		Token: token, Claims: claims, Mode: mode, Key: stateview.ReadStateKey(form.Get("key")),
		Retry: stateview.ReadStateRetry(form.Get("retry")), Exchange: form.Get("x"),
		Round: web.Number(form.Get("round"), 0),
	}, nil
}

// controlText returns a token as it is read from a form: browsers send line
// breaks as CR LF, and pasted text often ends with one.
func controlText(token string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(token, "\r\n", "\n"), "\r", "\n"))
}

// throwawayKeys are keys that no server uses. They follow from the key in the
// visitor's cookie, so they are the same for the life of the cookie and stored
// nowhere else.
type throwawayKeys struct{ own, other *seal.Keys }

// exampleSecret has the keys of the token that the page opens with for a visitor
// without a cookie. It is public: such a token holds nothing but an example.
const exampleSecret = "everyone has this example key"

// throwaway returns the keys of the visitor. Without a cookie they are those of
// the example, whose tokens a visitor's own keys open, too.
func (s *Pages) throwaway(r *web.Request) (keys throwawayKeys, err error) {
	secrets := [][]byte{[]byte(exampleSecret)}
	if secret := s.App.Owners.Key(r); len(secret) == app.SecretKeySize {
		secrets = slices.Insert(secrets, 0, secret)
	}
	if keys.own, err = seal.FromSecret("workbench", secrets...); err != nil {
		return throwawayKeys{}, err
	}
	keys.other, err = seal.FromSecret("another server", secrets...)
	return keys, err
}

// do carries out the button that was pressed. It returns why it cannot.
func (b *workbench) do(s *Pages, action string, keys throwawayKeys, t *taken) *prose.Sentence {
	switch action {
	case "make", "new":
		return b.make(keys, t)
	case "expire":
		claims, ok := expired(b.Claims, s.App.Now())
		if !ok {
			problem := prose.SentenceCode("no_expiry", "These claims have no expiry.",
				"They must be a JSON object. Add the member expires, in Unix seconds.")
			return &problem
		}
		b.Claims = claims
		return b.make(keys, t)
	case "flip":
		other, ok := state.Flip(b.Token)
		if !ok {
			problem := prose.SentenceCode("no_token", "There is nothing to change.",
				"Paste or make a token first.")
			return &problem
		}
		b.Token = other
	case "verify":
	default:
		if t != nil && b.Token != t.round.StateText() {
			t = nil // another token was pasted
		}
		b.read(s, keys.own, t)
	}
	return nil
}

// make makes a token from the claims.
func (b *workbench) make(keys throwawayKeys, t *taken) *prose.Sentence {
	if !json.Valid([]byte(b.Claims)) {
		problem := prose.SentenceCode("bad_claims", "The claims are not JSON.",
			"The token stays as it is until they are.")
		return &problem
	}
	var made string
	var err error
	switch b.Key {
	case stateview.NoKey:
		base := b.Token
		if t != nil {
			base = t.round.StateText()
		}
		forged, ok := seal.Forge(base, jsontree.Compact([]byte(b.Claims)))
		if !ok {
			problem := prose.SentenceCode("no_signature", "There is no signature or tag to keep.",
				"Only a token of the samples' format (mrtr1) can be changed this way. "+
					"Choose a throwaway key.")
			return &problem
		}
		made = forged
		b.Mode = seal.ModeOf(made)
	case stateview.OtherKey:
		made, err = keys.other.SealJSON(b.Mode, jsontree.Compact([]byte(b.Claims)))
	default:
		made, err = keys.own.SealJSON(b.Mode, jsontree.Compact([]byte(b.Claims)))
	}
	if err != nil || len(made) > maxWorkbenchText {
		problem := prose.SentenceCode("state_too_large", "The token would be too large.",
			"It may have "+text.Size(maxWorkbenchText)+".")
		return &problem
	}
	b.Token = made
	return nil
}

// read sets what the form says about a token that was entered: how it is
// protected, the key that a change of its claims calls for, and the claims. Those
// of a token that says nothing here stay.
func (b *workbench) read(s *Pages, own *seal.Keys, t *taken) {
	if mode := seal.ModeOf(b.Token); mode != "" {
		b.Mode = mode
	}
	b.Key = stateview.OwnKey
	if t != nil && seal.ModeOf(b.Token) != "" {
		b.Key = stateview.NoKey
	}
	claims, source := s.claimsOf(b.Token, own, t)
	switch {
	case source == stateview.WorkOfToken:
		b.Claims = s.newClaims(json.RawMessage(claims))
	case source != stateview.NotOfToken:
		b.Claims = string(jsontree.Indent(claims))
	case b.Claims == "":
		b.Claims = s.newClaims(nil)
	}
}

// claimsOf returns the content of a token, as far as it may be opened: with the
// visitor's own key, in the state that was taken, or without any key. The
// samples' keys open only the very state that was taken. The content of a token
// of another format is the work of claims, which bind it to a call.
func (s *Pages) claimsOf(token string, own *seal.Keys, t *taken) ([]byte, stateview.ClaimsSource) {
	if t != nil && t.own != nil && token == t.round.StateText() {
		return t.own.JSON, stateview.OfSample
	}
	if seal.ModeOf(token) != "" {
		if claims := seal.Explain(token, own, s.App.Now()).JSON; json.Valid(claims) {
			return claims, stateview.OfToken
		}
	}
	f := state.Recognise(token)
	switch {
	case !f.Readable || !json.Valid([]byte(f.Payload)):
		return nil, stateview.NotOfToken
	case f.ID == state.Playground:
		return []byte(f.Payload), stateview.OfToken
	}
	return []byte(f.Payload), stateview.WorkOfToken
}

// workbenchCall is the call that states of the workbench belong to.
func workbenchCall() seal.Request {
	digest, _ := seal.Digest(json.RawMessage(`{"date":"2026-12-01"}`)) // it is valid JSON
	return seal.Request{
		Sample: "workbench", Method: playground.ToolsCall, Name: "book_table", Arguments: digest,
		Principal: "alice",
	}
}

// newClaims returns example claims, laid out. They hold work, if there is any,
// else an answer.
func (s *Pages) newClaims(work json.RawMessage) string {
	now := s.App.Now()
	claims := seal.Claims{
		Version: 1, Issued: now.Unix(), Expires: now.Add(time.Hour).Unix(), ID: s.App.NewID(),
		Request: workbenchCall(), Work: work,
	}
	if work == nil {
		claims.Answers = map[string]json.RawMessage{
			"party": json.RawMessage(`{"action":"accept","content":{"guests":4}}`),
		}
	}
	body, err := json.Marshal(claims)
	if err != nil { // work is valid JSON
		return ""
	}
	return string(jsontree.Indent(body))
}

// expired returns claims that expired a minute ago. It returns false for text
// that is no object.
func expired(claims string, now time.Time) (string, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(claims), &members) != nil || members == nil {
		return claims, false
	}
	strict := json.NewDecoder(strings.NewReader(claims))
	strict.DisallowUnknownFields() // they are kept
	var c seal.Claims
	known := strict.Decode(&c) == nil
	issued, expires := now.Add(-time.Hour).Unix(), now.Add(-time.Minute).Unix()
	var body []byte
	var err error
	if known && c.Version != 0 {
		c.Issued, c.Expires = issued, expires // in the order of the samples
		body, err = json.Marshal(c)
	} else {
		members["issued"], members["expires"] = number64(issued), number64(expires)
		body, err = json.Marshal(members)
	}
	if err != nil {
		return claims, false
	}
	return string(jsontree.Indent(body)), true
}

func number64(n int64) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }

// keepWorkbench stores b for a day and returns its id. Only this browser can
// open it. It returns an *app.Refusal if there is no room.
func (s *Pages) keepWorkbench(r *web.Request, v app.Vault, b workbench) (string, error) {
	visit := r.Visit
	plain, err := json.Marshal(b)
	if err != nil {
		return "", fmt.Errorf("encode workbench: %w", err)
	}
	id := s.App.NewID()
	sealed := v.SealAs("workbench "+id, plain)
	if err := s.App.Space(visit, int64(len(sealed))); err != nil {
		return "", err
	}
	workspace, err := visit.Writing()
	if err != nil {
		return "", err
	}
	now := s.App.Now()
	return id, s.Store.KeepWorkbench(
		visit.Context(), workspace, id, sealed, now, now.Add(workbenchLife), keptWorkbenches,
	)
}

// keptWorkbench returns the workbench that this browser left under an id.
func (s *Pages) keptWorkbench(r *web.Request, id string) (workbench, error) {
	v := r.Visit
	gone := app.Refuse(http.StatusNotFound, "no_workbench", "This workbench is not available.",
		"A token is kept for a day, encrypted with a key that only the browser, or the person, who entered it has. "+
			"Paste it again, or make another one.")
	sealed, err := s.Store.Workbench(v.Context(), v.Workspace(), id, s.App.Now())
	if errors.Is(err, playground.ErrNotFound) {
		return workbench{}, gone
	}
	if err != nil {
		return workbench{}, err
	}
	var b workbench
	plain, ok := v.Vault().OpenAs("workbench "+id, sealed)
	if !ok || json.Unmarshal(plain, &b) != nil {
		return workbench{}, gone
	}
	return b, nil
}
