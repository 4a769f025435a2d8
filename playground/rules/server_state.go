package rules

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// newState returns the requestState of the result, and whether it is a string.
func (s *subject) newState() (string, bool) { return s.inputRequired().Get("requestState").Text() }

// rejectsChanged is S4. A state is modified if no earlier Round gave it. It is
// accepted if the call completes.
func rejectsChanged(s *subject) ruling {
	sent := s.params().Get("requestState")
	if sent == nil || s.source == nil || s.source.State == nil || issued(s.earlier, sent) ||
		sameContent(s.source.StateText(), sent.Str()) || !s.responded() {
		return na()
	}
	if s.finalResult() != nil && !s.IsError {
		return fail("The call completed with a modified requestState.")
	}
	return pass()
}

// sameContent reports whether two states differ only in bits that Base64 does not
// use: many decoders ignore those, and nothing is forged.
func sameContent(a, b string) bool {
	first, second := strings.Split(a, "."), strings.Split(b, ".")
	if len(first) != len(second) {
		return false
	}
	for i := range first {
		x, errX := base64.RawURLEncoding.DecodeString(strings.TrimRight(first[i], "="))
		y, errY := base64.RawURLEncoding.DecodeString(strings.TrimRight(second[i], "="))
		if first[i] != second[i] && (errX != nil || errY != nil || !bytes.Equal(x, y)) {
			return false
		}
	}
	return true
}

// issued reports whether an earlier result has this state.
func issued(earlier []playground.Round, sent *jsontree.Node) bool {
	for i := range earlier {
		if earlier[i].State != nil && sameState(&earlier[i], sent) {
			return true
		}
	}
	return false
}

func stateHasContent(s *subject) ruling {
	text, ok := s.newState()
	switch {
	case !ok:
		return na()
	case text == "":
		return hint("requestState is an empty string, which must still be echoed.")
	}
	return pass()
}

// stateChanges reports a state that stays the same after answers were accepted.
// The next retry has only the newest answers, so the server loses the earlier
// ones.
func stateChanges(s *subject) ruling {
	state, ok := s.newState()
	sent := s.params().Get("requestState")
	asked := s.inputRequired().Get("inputRequests")
	if !ok || sent == nil || !s.sentContent(asked) || asked.Len() == 0 || s.isHandle(state) ||
		text.HasMask(sent.Raw()) {
		return na()
	}
	if sent.Str() == state {
		return hint("requestState did not change after answers were sent, so the next retry loses them.")
	}
	return pass()
}

// isHandle reports whether a state may be a handle into a store, which need not
// change when its contents do.
func (s *subject) isHandle(text string) bool {
	id := s.format(text).ID
	return id == state.Handle || id == state.Opaque
}

// sentContent reports whether the request answers a question with content that is not asked
// again, so that there is something to keep.
func (s *subject) sentContent(asked *jsontree.Node) bool {
	for _, m := range s.inputResponses() {
		if asked.Has(m.Key) {
			continue
		}
		action := m.Value.Get("action")
		if action == nil || action.Str() == "accept" && m.Value.Get("content").Len() > 0 {
			return true
		}
	}
	return false
}

func stateIsProtected(s *subject) ruling {
	text, ok := s.newState()
	if !ok || text == "" {
		return na()
	}
	f := s.format(text)
	switch {
	case f.Readable && !f.Protected:
		return hint("Anyone can change this requestState (%s). Protect it if anything depends on it.",
			f.Name)
	case f.Protected:
		return pass()
	}
	return na()
}

// stateHasNoSecret is state-secret. It compares names, so it can only give hints.
func stateHasNoSecret(s *subject) ruling {
	text, ok := s.newState()
	f := s.format(text)
	if !ok || !f.Readable || f.Payload == "" {
		return na()
	}
	if name := secretName(f.Payload); name != "" {
		return hint("%s in the readable requestState seems to be a secret, which a server must not send "+
			"to the client.", quoted(name))
	}
	return pass()
}

// secretName returns the first name of a likely secret in the payload of a state, or "". A
// payload that is not JSON is searched for pairs as in "step=2&token=...".
func secretName(payload string) string {
	if node := parse(json.RawMessage(payload)); node != nil && node.Kind != jsontree.String {
		return secretMember(node)
	}
	isBetween := func(r rune) bool { return strings.ContainsRune("&;,| \n", r) }
	for pair := range strings.FieldsFuncSeq(payload, isBetween) {
		if i := strings.IndexAny(pair, "=:"); i > 0 && namesSecret(pair[:i], pair[i+1:]) {
			return pair[:i]
		}
	}
	return ""
}

// secretMember returns the name of the first member of a value, at any depth, that is
// likely a secret, or "".
func secretMember(n *jsontree.Node) string {
	for _, m := range n.Entries() {
		value, isText := m.Value.Text()
		if !isText && m.Value.Kind == jsontree.Number {
			value = string(m.Value.Raw()) // of a card
		}
		if namesSecret(m.Key, value) {
			return m.Key
		}
		if name := secretMember(m.Value); name != "" {
			return name
		}
	}
	for _, item := range n.Elements() {
		if name := secretMember(item); name != "" {
			return name
		}
	}
	return ""
}

// ofStates are names of secrets that say something else in a state, without underscores:
// its own signature, a key of data on the server, its progress.
var ofStates = []string{"sig", "sid", "sessionid", "auth", "pass", "pat"}

// namesSecret reports whether a value in a state is likely a secret. One of two characters
// is none.
func namesSecret(name, value string) bool {
	return len(value) > 2 && !slices.Contains(ofStates, playground.PlainName(name)) &&
		redact.NamesSecret(name, redact.Member)
}

// stateExpires judges states whose payload can be read. A state that was sent
// after its expiry counts before the state of the result.
func stateExpires(s *subject) ruling {
	if a := s.expired(); a.verdict != verdict.NotApplicable {
		return a
	}
	text, _ := s.newState()
	f := s.format(text)
	switch {
	case !f.Readable || !f.Protected:
		return na()
	case !f.Expires.IsZero():
		return pass()
	case f.MayExpire(s.Began):
		return na() // it has a time to come, under a name that says nothing
	}
	return hint("This signed requestState has no visible expiry. It should expire soon.")
}

// expired judges a state that was sent after its expiry.
func (s *subject) expired() ruling {
	f := s.format(s.params().Get("requestState").Str())
	if f.Expires.IsZero() || !s.Began.After(f.Expires) || !s.responded() {
		return na()
	}
	if s.Error == nil && !s.IsError {
		return hint("The server accepted a requestState that expired at %s.", f.Expires.Format(time.RFC3339))
	}
	return pass()
}

// echoes reports whether the request has the unmodified state of the Round that
// it answers. It is false for a masked state, which cannot be compared.
func (s *subject) echoes() bool {
	sent := s.params().Get("requestState")
	return sent != nil && s.source != nil && s.source.State != nil && sameState(s.source, sent) &&
		!text.HasMask(sent.Raw())
}

// stateIsBound judges an unmodified state that is sent with a different
// request.
func stateIsBound(s *subject) ruling {
	if !s.echoes() || !s.responded() || sameParams(s.source.Sent.Get("params"), s.params()) {
		return na()
	}
	if s.Error == nil && !s.IsError {
		return hint("The server accepted a requestState with a different request. Bind it to its request.")
	}
	return pass()
}

// stateIsPersonal judges an unmodified state that is sent with other
// credentials.
func stateIsPersonal(s *subject) ruling {
	if !s.echoes() || !s.responded() {
		return na()
	}
	head, _ := wire.ParseHead(s.source.Request.Head)
	if head.Get("Authorization") == s.head.Get("Authorization") {
		return na()
	}
	if s.Error == nil && !s.IsError {
		return hint("The server accepted a requestState from another user. Bind it to its user.")
	}
	return pass()
}
