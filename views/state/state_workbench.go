package state

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/confirm"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// ExamplePath returns the address of the workbench with a token of a format of
// state.Examples.
func ExamplePath(format string) string {
	return paths.State + "?" + url.Values{"example": {format}}.Encode()
}

// Key says which key protects a token that is made.
type Key string

// Keys of the workbench. No key of a server is among them.
const (
	OwnKey   Key = "own"   // the visitor's throwaway key
	OtherKey Key = "other" // another throwaway key, which the visitor's server does not know
	NoKey    Key = "none"  // none: the old MAC or tag stays
)

var stateKeys = []Option{
	{string(OwnKey), "Your throwaway key"}, {string(OtherKey), "A key that your server doesn't know"},
	{string(NoKey), "No key: keep the old MAC or tag"},
}

// ReadStateKey returns the key that a form names, or OwnKey.
func ReadStateKey(s string) Key {
	if slices.ContainsFunc(stateKeys, func(o Option) bool { return o.Value == s }) {
		return Key(s)
	}
	return OwnKey
}

// Retry says with which retry a token is verified.
type Retry string

// Retries of the workbench.
const (
	SameRetry Retry = "same"
	OtherUser Retry = "user"
	OtherTool Retry = "tool"
	OtherArgs Retry = "arguments"
	LateRetry Retry = "late"
)

var stateRetries = []Option{
	{string(SameRetry), "the same user, for the same call"}, {string(OtherUser), "another user"},
	{string(OtherTool), "the same user, for another tool"},
	{string(OtherArgs), "the same user, with other arguments"},
	{string(LateRetry), "the same user, two days later"},
}

// ReadStateRetry returns the retry that a form names, or SameRetry.
func ReadStateRetry(s string) Retry {
	if slices.ContainsFunc(stateRetries, func(o Option) bool { return o.Value == s }) {
		return Retry(s)
	}
	return SameRetry
}

// Of returns the values that the server compares the claims with: the call of
// the retry and its time.
func (r Retry) Of(call seal.Request, now time.Time) (seal.Request, time.Time) {
	switch r {
	case OtherUser:
		call.Principal = "mallory"
	case OtherTool:
		call.Name = "another_tool"
	case OtherArgs:
		call.Arguments = "sha256:of-other-arguments"
	case LateRetry:
		now = now.Add(48 * time.Hour)
	}
	return call, now
}

// Option is an option of a select.
type Option struct{ Value, Words string }

// ClaimsSource is the relation of the claims on the workbench to the token.
type ClaimsSource string

// Sources of claims.
const (
	OfToken     ClaimsSource = "token"  // the token says them
	OfSample    ClaimsSource = "sample" // the sample that made the token opened it
	WorkOfToken ClaimsSource = "work"   // what the token says is their work
	NotOfToken  ClaimsSource = ""       // the token says nothing here
)

var sourceWords = map[ClaimsSource]string{
	OfToken:     "What the token says.",
	OfSample:    "What the token says, opened by the sample that made it.",
	WorkOfToken: "New claims, which bind what the token says to a call and a user.",
	NotOfToken:  "Not of this token, which can't be opened here.",
}

// replaceToken returns what is asked before a button of the claims makes a token, because
// there is one already.
func replaceToken(do, label string) confirm.Question {
	return confirm.Question{
		ID: do, Label: label, Within: true, Name: "do", Value: do, Do: do, Class: "button",
		Text: "Replace the token? The one in the field is lost. Copy it first if you still need it.",
		Yes:  "Replace it",
	}
}

// Changes says which inputs of the workbench get another value than the
// user entered.
type Changes struct{ Token, Claims, Choices bool }

// Input has the parts that NewBench needs.
type Input struct {
	Token, Claims string
	Source        ClaimsSource
	Mode          seal.Mode
	Key           Key
	Retry         Retry
	Own           []seal.Check // of the visitor's own server; nil without a token or a key
	Theirs        []seal.Check // of the sample that the state was taken from; nil for others
	Exchange      string       // whose state it is; empty for one that was pasted or made
	Round         int
	Heading       string // of the exchange
	Server        string // of the exchange
	Sample        bool   // the exchange is with a sample
	Original      string // the state as it was taken
	Send          *Send
	SendWhy       string // why there is no Send
	Calls         []Call
	Kept          bool // the address restores the workbench
	Problem       *prose.Sentence
}

// Send is the form that sends the token in the place of the state that was
// taken.
type Send struct {
	Path                  string
	Round                 int
	Body, Headers, Claims string
	Mine                  bool // the server may be tested
}

// Call is a call whose state can be taken.
type Call struct{ Path, Words string }

// NewCall returns the link that takes the state of a call.
func NewCall(row session.Row) Call {
	x := row.Exchanges[0]
	return Call{
		Path: paths.State + "?" + url.Values{"x": {x.ID}}.Encode(),
		Words: fmt.Sprintf("%s, %s, %s, %s", prose.TitleOr(row.Title), text.Visible(x.Target, 60),
			text.Plural(x.Rounds, "round"), prose.Time(row.Changed)),
	}
}

// Bench is the page of the workbench.
type Bench struct {
	Token         string // as the form holds it
	Claims        string
	ClaimsWords   string
	Unholdable    bool // a form cannot hold the token as it is
	Mode          string
	Key, Retry    string
	Exchange      string
	Round         int
	From          string // its origin, in words; empty for others
	FromPath      string
	Changed       bool // another token than the one that was taken
	Marks         []Mark
	Look          *Look
	Verifications []Verification
	Send          *Send
	SendWhy       string
	Calls         []Call
	Kept          bool
	Problem       *prose.Sentence
}

// Mark is a piece of the token: a part, or a separator of parts.
type Mark struct {
	Text string
	N    int // number of the part, from 1; 0 for a separator of parts
}

// Look describes a token, as seen from outside.
type Look struct {
	ID, Name string
	Size     string
	Readers  string // who can read it
	Changes  string // whether a change is detected
	Expiry   string
	Payload  string // what anyone can read in it; empty if nothing
	Note     string // what else is to be known; empty for most
	Parts    []Block
	Bar      drawing.Drawing
}

// Verification has the findings of one server when it verifies the token.
type Verification struct {
	ID       string // own or sample
	Title    string
	About    string
	Accepted bool
	Folded   bool // another server matters more
	Standing standing.Standing
	Why      string // the reason of the refusal, as a sentence; empty if accepted
	Checks   []Check
}

// By names the server in a sentence.
func (v Verification) By() string { return strings.ToLower(v.Title[:1]) + v.Title[1:] }

// Check is one check of a verification.
type Check struct {
	Step     string
	Standing standing.Standing
	Words    string
}

// NewBench returns the page of the workbench.
func NewBench(in Input) Bench {
	b := Bench{
		Token: in.Token, Claims: in.Claims, Unholdable: in.Token != "" && !prose.Holdable(in.Token),
		Mode: string(in.Mode), Key: string(in.Key), Retry: string(in.Retry), Exchange: in.Exchange,
		Round: in.Round, Send: in.Send, SendWhy: in.SendWhy, Calls: in.Calls, Kept: in.Kept,
		Problem: in.Problem, ClaimsWords: sourceWords[in.Source],
	}
	if b.Unholdable {
		b.Token = text.Visible(in.Token, text.NoLimit)
	}
	if in.Exchange != "" {
		b.From = fmt.Sprintf("round %d of %s, %s", in.Round, text.Visible(in.Heading, 80),
			text.Visible(in.Server, 80))
		from := selection.Selection{Round: in.Round, Panel: selection.PanelState}
		b.FromPath = from.At("/x/"+url.PathEscape(in.Exchange), nil)
		b.Changed = in.Token != in.Original
	}
	if in.Token == "" {
		return b
	}
	f := state.Recognise(in.Token)
	b.Marks, b.Look = newStateMarks(in.Token, f), newStateLook(in.Token, f)
	if in.Theirs != nil {
		b.Verifications = append(b.Verifications, newVerification("sample", "The sample that made it",
			"Asked in memory: nothing is sent. Whether a state was used before is seen only when it is sent.",
			in.Theirs))
	}
	if in.Own != nil {
		own := newVerification("own", "A server with your throwaway key",
			"Checks run in this order and stop at the first failure.", in.Own)
		own.Folded = in.Theirs != nil && in.Key == NoKey
		b.Verifications = append(b.Verifications, own)
	}
	return b
}

// newStateMarks splits a token into its parts and their separators. Hidden
// characters are made visible.
func newStateMarks(token string, f state.Format) []Mark {
	var list []Mark
	add := func(from, to, n int) {
		if to > from {
			list = append(list, Mark{text.Visible(token[from:to], text.NoLimit), n})
		}
	}
	at := 0
	for i, p := range f.Parts {
		add(at, p.Start, 0)
		add(p.Start, p.End, i+1)
		at = p.End
	}
	add(at, len(token), 0)
	return list
}

func newStateLook(token string, f state.Format) *Look {
	shape := newStateFormat(token)
	l := &Look{
		ID: f.ID, Name: f.Name, Size: text.Plural(f.Length, "byte"), Readers: readersOf(f),
		Changes: changesOf(f), Expiry: "Not visible from outside.", Note: formatNotes[f.ID], Bar: shape.Bar,
		Parts: Named(shape.Blocks),
	}
	if f.ID == state.Playground {
		l.Name = "This site's samples"
	}
	if f.Length > seal.MaxToken/16 {
		l.Size += ", which travels twice in every round"
	}
	if f.Readable {
		l.Payload = text.Visible(f.Payload, 4000)
		l.Expiry = "None."
		if json.Valid([]byte(f.Payload)) {
			l.Payload = text.Lines(string(jsontree.Indent([]byte(f.Payload))), 8000)
		}
	}
	if !f.Expires.IsZero() {
		l.Expiry = prose.Time(f.Expires)
	}
	return l
}

// readersOf says who can read a token.
func readersOf(f state.Format) string {
	switch f.ID {
	case state.Macaroon, state.SecureCookie, state.Django:
		return "Anyone, at least in part: see its parts."
	case state.Handle:
		return "There is nothing to read: the state itself stays on the server."
	case state.Opaque:
		return "It can't be told. These bytes look random."
	case state.Masked:
		return "It can't be told: the token is masked in this recording."
	case state.Rails:
		if len(f.Parts) == 2 {
			return "Anyone."
		}
	}
	if f.Readable {
		return "Anyone."
	}
	return "Only the server, by the shape of the format."
}

// changesOf says whether the server detects a change of a token.
func changesOf(f state.Format) string {
	switch {
	case f.ID == state.Opaque:
		return "It can't be told. " +
			"It may be encrypted, signed, a handle into a store, or not protected at all. " +
			"From outside, these look alike. Change a byte, send it and see."
	case f.ID == state.Masked:
		return "It can't be told: the token is masked in this recording."
	case f.ID == state.Handle:
		return "A changed handle usually leads nowhere. A guessed one may lead to the state of another call."
	case f.Protected:
		return "Detected, if the server verifies it as the format demands."
	}
	return "Not detected: anyone can change it."
}

// formatNotes are further remarks about a format.
var formatNotes = map[string]string{
	state.JWT: "A signature alone does not make a JWT a safe state. " +
		"Like any state it must be bound to the call and the user. " +
		"Put the method, the name, a digest of the arguments, and sub into its claims. " +
		"Compare them on every retry, demand exp, and accept one algorithm only.",
	state.JWE: "Encryption alone does not bind it to a call. " +
		"The claims inside need the user, the call, its arguments and an expiry, compared on every retry.",
	state.Paseto: "It needs the same binding as any state: the user, the call, its arguments and an expiry.",
	state.Opaque: "Tokens of Tink, NaCl or AES-GCM without a prefix can't be told from random bytes. " +
		"That is no fault: a state is opaque to the client.",
	state.Handle: "The state is not in the token. " +
		"Each instance that may receive the retry needs the same store.",
	state.DataProtection: "All instances need the same key ring, and a purpose of its own for states.",
}

func newVerification(id, title, about string, checks []seal.Check) Verification {
	v := Verification{
		ID: id, Title: title, About: about, Accepted: seal.Accepted(checks),
		Standing: standing.EndingAs(narrate.Good, "accepted"),
	}
	for _, c := range checks {
		words := verifyWords[c.Step]
		line := Check{Step: string(c.Step), Standing: standing.EndingAs(narrate.Good, "passed"), Words: words}
		switch c.Result {
		case seal.Failed:
			line.Standing = standing.EndingAs(narrate.Bad, "failed")
			line.Words = words + " It fails: " + c.Reason.Sentence() + "."
			v.Standing = standing.EndingAs(narrate.Bad, "refused")
			v.Why = text.AsSentence(c.Reason.Sentence())
		case seal.Absent:
			line.Standing = standing.Muted("nothing to check")
			line.Words = words + " A plain token has none."
		case seal.NotReached:
			line.Standing = standing.Muted("not reached")
		}
		v.Checks = append(v.Checks, line)
	}
	return v
}

// verifyWords are the question of each check.
var verifyWords = map[seal.Step]string{
	seal.StepFormat:    "The token has this server's format, in its only spelling.",
	seal.StepMode:      "It is protected as this server protects states, not in a weaker way.",
	seal.StepKey:       "Its key id names a key in use.",
	seal.StepTag:       "The MAC or tag fits: no byte was changed.",
	seal.StepClaims:    "The claims are complete, with a known version and no other members.",
	seal.StepIssued:    "It was not issued in the future.",
	seal.StepExpires:   "It has not expired.",
	seal.StepPrincipal: "The retry comes from the user it was made for.",
	seal.StepCall:      "The retry has the method, the name and the arguments it was made for.",
}

// stateModes are the ways to protect a token.
var stateModes = []Option{
	{string(seal.Plain), "plain: not protected"}, {string(seal.Signed), "signed: HMAC-SHA256"},
	{string(seal.Sealed), "sealed: AES-256-GCM"},
}

// partClass returns the CSS class of part n of a token. Two looks alternate.
func partClass(n int) string { return fmt.Sprintf("token-part token-%d", n%2) }

// live returns the attributes of an input whose changes update the page.
func live(do, trigger string) templ.OrderedAttributes {
	list := templ.OrderedAttributes{}
	for _, a := range [][2]string{
		{"hx-post", paths.State}, {"hx-trigger", trigger}, {"hx-include", "closest form"},
		{"hx-vals", `{"do":"` + do + `"}`}, {"hx-target", "#state-verdicts"}, {"hx-swap", "outerHTML"},
		{"hx-sync", "closest form:replace"},
	} {
		list = append(list, templ.KV[string, any](a[0], a[1]))
	}
	return list
}
