package lab

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// JSON-RPC error codes that say nothing about a changed answer or state.
const (
	internalError     = -32603
	capabilityMissing = -32021
	invalidRequest    = -32600
	invalidParams     = -32602
)

// otherCause returns why the response says nothing about the change, as the end
// of a sentence, or "". An error counts only if the change can have caused it:
// the right request does not get it too, and it is none that a server returns
// for reasons of its own.
func (s trial) otherCause() string {
	r := s.round
	if s.e.token && (r.Head.Status == 401 || r.Head.Status == 403) {
		if s.rightFails() {
			return s.rightFailure()
		}
		return ""
	}
	if cause := httpCause(r.Head.Status); cause != "" && !s.isRejectedPerson() {
		return cause
	}
	switch {
	case r.Kind == playground.OutcomeTransportError && isTimeout(r.Class):
		return "no response came in time, which can have any cause"
	case r.Kind == playground.OutcomeTransportError:
		return "the connection failed: " + sentenceEnd(r.Detail)
	case s.rightFails():
		return s.rightFailure()
	case r.Error == nil:
		return ""
	case r.Error.Code == internalError:
		return "the server reported an internal error (-32603), which can have any cause"
	case r.Error.Code == capabilityMissing && !s.e.gates:
		return "the server asked for a client capability (-32021), which has nothing to do with the change"
	case s.e.codes != nil && !slices.Contains(s.e.codes, r.Error.Code):
		return fmt.Sprintf("error %d may have another cause than the change", r.Error.Code)
	}
	return ""
}

// httpCause returns why an HTTP status says nothing about the change, or "".
func httpCause(status int) string {
	switch {
	case status == 401:
		return "the server refused the credentials (HTTP status 401)"
	case status == 429:
		return "the server limits how often it is called (HTTP status 429)"
	case status/100 == 5:
		return fmt.Sprintf("the server failed with HTTP status %d, which can have any cause", status)
	}
	return ""
}

// isRejectedPerson reports whether other credentials were refused, which may be
// the rejection that the experiment is about.
func (s trial) isRejectedPerson() bool {
	return s.e.Wants == WantsOtherPerson && s.round.Error != nil && s.round.Head.Status != 429
}

// isTimeout reports whether a class is one of a response that came too late.
func isTimeout(c playground.Class) bool { return strings.HasPrefix(string(c), "timeout") }

// rightFails reports whether the right request gets the same error. An error of
// a tool counts only where the change is one of an answer or a state: a tool that
// was called although the request was wrong is the subject of other
// experiments.
func (s trial) rightFails() bool {
	return slices.ContainsFunc(s.evidence.rights[s.round.N], func(right playground.Round) bool {
		if s.round.IsError && s.e.Needs != NeedsNothing {
			return right.IsError && s.evidence.same(s.round, right)
		}
		return sameError(s.round, right)
	})
}

// sameError reports whether two Rounds ended with the same error.
func sameError(a, b playground.Round) bool {
	switch {
	case a.Error != nil && b.Error != nil:
		return a.Error.Code == b.Error.Code && a.Error.Message == b.Error.Message
	case a.Kind == playground.OutcomeHTTPError && b.Kind == playground.OutcomeHTTPError:
		return a.Head.Status == b.Head.Status
	}
	return false
}

// ErrorOf returns a text that identifies the error that the last request of an
// exchange got, and false if it got none.
func ErrorOf(x playground.Exchange) (string, bool) {
	last := x.Fold().Last()
	switch {
	case last == nil:
		return "", false
	case last.Error != nil:
		return fmt.Sprintf("%d %s", last.Error.Code, last.Error.Message), true
	case last.Kind == playground.OutcomeHTTPError:
		return fmt.Sprintf("HTTP %d", last.Head.Status), true
	}
	return string(last.Class), last.Kind == playground.OutcomeTransportError
}

// rightFailure returns the cause if the right request gets the same error. If
// an answer was a placeholder that can be the reason, the cause names the question
// to answer.
func (s trial) rightFailure() string {
	const same = "the right request gets the same error"
	if n := len(s.earlier); n > 0 && mayBlameAnswer(s.round) {
		if key, ok := placeholderIn(s.earlier[n-1], s.right, nil); ok {
			return fmt.Sprintf(
				"%s, and the answer to %q looks like a placeholder: give an answer to that question",
				same, text.Visible(key, maxKey),
			)
		}
	}
	return same
}

// mayBlameAnswer reports whether the failure of a Round can be about its answers: a
// server that refuses the token, knows no such address, limits how often it is called,
// crashes or sends an error that is not about parameters has not judged them.
func mayBlameAnswer(r playground.Round) bool {
	switch r.Head.Status {
	case 401, 403, 404, 405, 413, 429:
		return false
	}
	return r.Kind != playground.OutcomeTransportError && r.Kind != playground.OutcomeViolation &&
		r.Head.Status < 500 && (r.Error == nil || slices.Contains(aboutParams, r.Error.Code))
}

// maxKey is the longest key in a sentence, in characters.
const maxKey = 80

// placeholderIn returns the key of a question of the Round asked whose answer
// in the Round after it is a placeholder. Only keys count, unless it is nil.
func placeholderIn(asked, after playground.Round, keys []string) (string, bool) {
	for _, f := range question.Forms(asked) {
		if keys != nil && !slices.Contains(keys, f.Key) {
			continue
		}
		i := slices.IndexFunc(after.Decision.Answers,
			func(a playground.Answer) bool { return a.Key == f.Key })
		if i < 0 || !f.IsPlaceholder(after.Decision.Answers[i].Value) {
			continue
		}
		return f.Key, true
	}
	return "", false
}

func sentenceEnd(s string) string { return strings.TrimSuffix(s, ".") }

// evidence is the knowledge about the right call from the exchanges of a check.
type evidence struct {
	// Rounds of right requests with the answers of the right call, by number
	rights map[int][]playground.Round
	// members of results that differ between equal right requests, by Round
	volatile map[int]map[string]bool
	// by Round: the retry without its state had the same result
	dropped map[int]bool
	cut     map[int]bool         // by Round: half of the state had the same result
	noticed map[int]bool         // by Round: a changed state had another result than the right one
	unsafe  bool                 // a changed state was accepted
	issued  map[string]time.Time // when the server first issued a state
}

// gatherEvidence returns the evidence of the exchanges: those of right
// requests, repeated, and those without a state.
func gatherEvidence(base playground.Transcript, exchanges []playground.Exchange) evidence {
	k := evidence{
		rights: map[int][]playground.Round{}, volatile: map[int]map[string]bool{}, dropped: map[int]bool{},
		cut: map[int]bool{}, noticed: map[int]bool{},
		issued: map[string]time.Time{},
	}
	for _, x := range exchanges {
		k.addRights(base, x)
		k.addIssued(x)
	}
	for n, list := range k.rights {
		for _, r := range list {
			k.addVolatile(n, base, r)
		}
	}
	for _, x := range exchanges {
		e, _ := ExperimentByID(x.Experiment())
		if e.drops {
			k.addSame(k.dropped, x, base)
		}
		if e.cuts {
			k.addSame(k.cut, x, base)
		}
		if round, ok := changed(x); ok && e.tampers {
			k.unsafe = k.unsafe || React(round, roundsBefore(x, round.N)) == Accepted
			right := base.Round(round.N)
			k.noticed[round.N] = k.noticed[round.N] || right == nil || !k.same(round, *right)
		}
	}
	return k
}

// addRights adds the Rounds of x up to the first changed request, as long as
// the methods and the answers are those of the right call.
func (k *evidence) addRights(base playground.Transcript, x playground.Exchange) {
	for _, r := range x.Fold().Rounds {
		right := base.Round(r.N)
		if r.Decision.Changed || right == nil || r.Kind == playground.OutcomePending ||
			!sameCall(r, *right) || !jsontree.Equal(answersIn(r), answersIn(*right)) {
			return
		}
		k.rights[r.N] = append(k.rights[r.N], r)
	}
}

// addIssued adds the states that the server issued in an exchange.
func (k *evidence) addIssued(x playground.Exchange) {
	for _, r := range x.Fold().Rounds {
		state := r.StateText()
		if first, known := k.issued[state]; r.State != nil && (!known || r.Ended.Before(first)) {
			k.issued[state] = r.Ended
		}
	}
}

// sameCall reports whether two requests have the same method and the same params,
// apart from answers, state and _meta.
func sameCall(a, b playground.Round) bool {
	if a.Method != b.Method {
		return false
	}
	for _, name := range []string{"name", "uri", "arguments"} {
		if !jsontree.Equal(a.Sent.At("params", name), b.Sent.At("params", name)) {
			return false
		}
	}
	return true
}

func answersIn(r playground.Round) *jsontree.Node { return r.Sent.At("params", "inputResponses") }

// addVolatile adds the members that differ between two results of equal right
// requests.
func (k *evidence) addVolatile(n int, base playground.Transcript, r playground.Round) {
	right := base.Round(n)
	if right == nil || !sameOutcome(r, *right) {
		return
	}
	if k.volatile[n] == nil {
		k.volatile[n] = map[string]bool{}
	}
	for _, c := range jsontree.Diff(right.Result, r.Result) {
		k.volatile[n][jsontree.Pointer(c.Path...)] = true
	}
}

// addSame adds whether an exchange without the state, or with a part of it, had the result of
// the right call.
func (k *evidence) addSame(to map[int]bool, x playground.Exchange, base playground.Transcript) {
	if round, ok := changed(x); ok {
		right := base.Round(round.N)
		to[round.N] = right != nil && k.same(round, *right)
	}
}

// same reports whether two Rounds ended in the same way with the same contents,
// apart from members that also differ between two right requests.
func (k evidence) same(a, b playground.Round) bool {
	if !sameOutcome(a, b) {
		return false
	}
	for _, c := range jsontree.Diff(a.Result, b.Result) {
		if !isFresh(c.Path) && !k.isVolatile(a.N, c.Path) && !k.isVolatile(b.N, c.Path) {
			return false
		}
	}
	return true
}

// identical reports whether two Rounds ended in the same way with the same
// contents.
func identical(a, b playground.Round) bool { return evidence{}.same(a, b) }

// isVolatile reports whether a member of the result of Round n, or one that
// contains it, differs between equal right requests.
func (k evidence) isVolatile(n int, path []string) bool {
	for i := range path {
		if k.volatile[n][jsontree.Pointer(path[:i+1]...)] {
			return true
		}
	}
	return false
}

// freshNames are members that differ in every response without meaning.
var freshNames = []string{"requestState", "_meta", "taskId", "createdAt", "lastUpdatedAt"}

func isFresh(path []string) bool {
	return len(path) > 0 && slices.Contains(freshNames, path[0])
}

// sameOutcome reports whether two Rounds ended in the same way: with a result,
// or with questions for the same keys.
func sameOutcome(a, b playground.Round) bool {
	if a.Kind != b.Kind || a.IsError != b.IsError || len(a.Questions) != len(b.Questions) {
		return false
	}
	for i, q := range a.Questions {
		if q.Key != b.Questions[i].Key {
			return false
		}
	}
	return true
}

// repeats returns how often the right call was made in full with the answers
// of the control.
func (k evidence) repeats(base playground.Transcript) int {
	if last := base.Last(); last != nil {
		return len(k.rights[last.N])
	}
	return 0
}
