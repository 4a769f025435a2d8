package seal

import "time"

// Step names one of the checks of a state, in the order in which a server makes
// them.
type Step string

// Steps of [Verify].
const (
	StepFormat    Step = "format"    // the text is a token of this format
	StepMode      Step = "mode"      // it is protected as this endpoint protects states
	StepKey       Step = "key"       // its key id is known
	StepTag       Step = "tag"       // MAC or tag fit: nothing was changed
	StepClaims    Step = "claims"    // the claims are complete and of a known version
	StepIssued    Step = "issued"    // it was not issued in the future
	StepExpires   Step = "expires"   // it has not expired
	StepPrincipal Step = "principal" // it belongs to this user
	StepCall      Step = "call"      // it belongs to this call
)

// Steps returns all steps in order.
func Steps() []Step {
	return []Step{
		StepFormat, StepMode, StepKey, StepTag, StepClaims, StepIssued, StepExpires, StepPrincipal, StepCall,
	}
}

// Result is the outcome of a step.
type Result string

// Results of steps.
const (
	Passed     Result = "passed"
	Failed     Result = "failed"
	Absent     Result = "absent"      // there is nothing to check: a plain state has no key and no tag
	NotReached Result = "not reached" // a step before it failed
)

// Check is one step of a verification.
type Check struct {
	Step   Step
	Result Result
	Reason Reason // why it failed; empty otherwise
}

// Verify returns every check that Open makes of a state, with the one that
// fails. It returns no claims.
func Verify(text string, keys *Keys, mode Mode, r Request, now time.Time) []Check {
	failed, reason := keys.failure(text, mode, r, now)
	t, _ := parse(text)
	var list []Check
	for i, step := range Steps() {
		c := Check{Step: step, Result: Passed}
		switch {
		case failed >= 0 && i > failed:
			c.Result = NotReached
		case i == failed:
			c.Result, c.Reason = Failed, reason
		case t.mode == Plain && (step == StepKey || step == StepTag):
			c.Result = Absent
		}
		list = append(list, c)
	}
	return list
}

// Accepted reports whether all checks passed.
func Accepted(list []Check) bool {
	for _, c := range list {
		if c.Result == Failed {
			return false
		}
	}
	return true
}

// failure returns the index of the step that fails, or -1.
func (k *Keys) failure(text string, mode Mode, r Request, now time.Time) (int, Reason) {
	_, err := k.Open(text, mode, r, now)
	refusal, ok := err.(*Refusal) //nolint:errorlint // Open returns nothing else
	if !ok {
		return -1, ""
	}
	step := stepOf[refusal.Reason]
	if _, parsed := parse(text); refusal.Reason == Malformed && parsed {
		step = StepClaims
	}
	for i, s := range Steps() {
		if s == step {
			return i, refusal.Reason
		}
	}
	return 0, refusal.Reason
}

// stepOf is the step that each reason is found in.
var stepOf = map[Reason]Step{
	Malformed: StepFormat, OtherMode: StepMode, UnknownKey: StepKey, NotOurs: StepTag,
	FromTheFuture: StepIssued, Expired: StepExpires, OtherPrincipal: StepPrincipal,
	OtherSample: StepCall, OtherMethod: StepCall, OtherName: StepCall, OtherArguments: StepCall,
}
