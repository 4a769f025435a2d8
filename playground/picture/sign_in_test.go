package picture

import (
	"fmt"
	"testing"
)

// signInSteps is a whole sign-in, renewed and ended.
func signInSteps() []SignInStep {
	var steps []SignInStep
	for i, purpose := range []string{
		"challenge", "resource_metadata", "server_metadata", "registration", "authorization", "return",
		"token", "refresh", "revocation",
	} {
		steps = append(steps, SignInStep{N: i + 1, Purpose: purpose, Sentence: fmt.Sprintf("Found %d.", i+1)})
	}
	return steps
}

func TestSignIn_Golden(t *testing.T) {
	golden(t, "sign-in.svg", SignIn(signInSteps()).SVG())
	golden(t, "sign-in-narrow.svg", NarrowSignIn(SignIn(signInSteps())).SVG())
}

// A step that ended the sign-in has a cross, and one without a response an arrow
// that never arrives.
func TestSignIn_ShowsWhatFailed(t *testing.T) {
	for i, s := range signInSteps() {
		s.Failed = true
		arrows := SignIn([]SignInStep{s}).Steps
		if s.Purpose == "authorization" { // nothing that can fail is received
			continue
		}
		if arrows[len(arrows)-1].Mark != Wrong {
			t.Errorf("%s: %+v", s.Purpose, arrows)
		}
		if s.Purpose == "return" {
			continue
		}
		s.Lost = true
		if arrows = SignIn([]SignInStep{s}).Steps; len(arrows) != 1 || arrows[0].Mark != Broken {
			t.Errorf("%d %s: %+v", i, s.Purpose, arrows)
		}
	}
}

// Going on in spite of a fault is an arrow from the user, and no fault.
func TestSignIn_GoesOnAnyway(t *testing.T) {
	arrows := SignIn([]SignInStep{{N: 1, Purpose: "anyway", Sentence: "You chose to go on."}}).Steps
	if len(arrows) != 1 || arrows[0].Mark == Wrong || arrows[0].From != you || arrows[0].Sentence == "" {
		t.Errorf("%+v", arrows)
	}
}
