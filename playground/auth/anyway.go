package auth

import (
	"context"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// deviations has, by the id of a fault that ends a sign-in, what the client leaves out if the
// user goes on.
var deviations = map[string]playground.Deviation{
	"issuer-slash": playground.DeviateIssuer, "issuer-mismatch": playground.DeviateIssuer,
	"no-pkce": playground.DeviatePKCE, resourceRefused: playground.DeviateResource,
}

// resourceRefused is the fault of a server that does not accept the parameter resource.
const resourceRefused = "resource-refused"

// Anyway returns the deviation with which the user can go on after the fault that ended the
// sign-in, or "" if there is none.
func (s *SignIn) Anyway() playground.Deviation {
	f := s.Fault()
	if f == nil || s.Stage != Refused || slices.Contains(s.Deviations, deviations[f.ID]) {
		return ""
	}
	return deviations[f.ID]
}

// GoOn goes on with a sign-in that a fault ended, because the user waives that one. It
// returns false, and changes nothing, if d is not SignIn.Anyway. The next fault ends the
// sign-in again.
func (c Client) GoOn(ctx context.Context, s *SignIn, d playground.Deviation, k Known) bool {
	if d == "" || s.Anyway() != d {
		return false
	}
	f := c.flow(ctx, s)
	if k.Registered != nil {
		f.known = k.Registered
	}
	f.now = &request{exchange: &exchange{}, flow: f, at: s.waive()}
	f.deviate(d)
	s.Stage, s.Authorize = Discovering, ""
	if d != playground.DeviateResource {
		if !f.checkServer(f.now, s.Issuer) {
			return true
		}
		s.Scopes = f.scopes()
	}
	if f.register() {
		f.leave()
	}
	return true
}

// waive marks the fault that ended the sign-in as waived by the user, and returns the index of
// its step.
func (s *SignIn) waive() int {
	last := s.Fault()
	for i := range s.Steps {
		for j := range s.Steps[i].Faults {
			if f := &s.Steps[i].Faults[j]; f == last {
				f.Waived = true
				return i
			}
		}
	}
	return len(s.Steps) - 1
}

// deviate records that the client deviates from here on. It is a step of its own, before which
// the newest one stays the newest for faults.
func (f *flow) deviate(d playground.Deviation) {
	s := f.s
	s.Deviations = append(s.Deviations, d)
	s.Steps = append(s.Steps, Step{Purpose: Deviate, At: f.c.Now(), Anyway: d})
}

// waives reports whether the user said beforehand to go on after a fault.
func (f *flow) waives(fault Fault) bool {
	d, ok := deviations[fault.ID]
	return ok && slices.Contains(f.anyway, d) && !slices.Contains(f.s.Deviations, d)
}

// leavesOut reports whether the client leaves out the parameter resource.
func (s *SignIn) leavesOut() bool { return slices.Contains(s.Deviations, playground.DeviateResource) }

// anyIssuer reports whether the user accepted that the metadata have another issuer than the
// one that the MCP server names. Then either may answer, and no third one.
func (s *SignIn) anyIssuer() bool { return slices.Contains(s.Deviations, playground.DeviateIssuer) }

// refusesResource reports whether an error of OAuth is about the parameter resource: that of RFC
// 8707, or an invalid request whose description names it.
func refusesResource(code, description string) bool {
	return code == "invalid_target" ||
		code == "invalid_request" && strings.Contains(strings.ToLower(description), "resource")
}
