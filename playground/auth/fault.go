package auth

import "fmt"

// Fault is something that a server does wrong, or that a sign-in cannot go on
// with.
type Fault struct {
	ID string `json:"id"`
	// Says is one sentence that names the fault, and the side that made it.
	Says string `json:"says"`
	// Clause is the page and anchor of the specification, or the RFC and
	// section, that the server does not follow.
	Clause string `json:"clause,omitempty"`
	Fatal  bool   `json:"fatal,omitempty"`  // the sign-in ends here
	Waived bool   `json:"waived,omitempty"` // the user went on in spite of a fatal fault
}

// Clauses that faults name.
const (
	discoveryPage           = "basic/authorization/authorization-server-discovery"
	clauseResource          = discoveryPage + "#authorization-server-location"
	clauseWellKnown         = discoveryPage + "#protected-resource-metadata-discovery-requirements"
	clauseServer            = discoveryPage + "#authorization-server-metadata-discovery"
	clauseIss               = "basic/authorization#authorization-response-validation"
	clauseHTTPS             = "basic/authorization/security-considerations#communication-security"
	clausePKCE              = "basic/authorization/security-considerations#authorization-code-protection"
	clauseState             = "basic/authorization/security-considerations#open-redirection"
	clauseRegistration      = "basic/authorization/client-registration"
	clauseBinding           = "basic/authorization/client-registration#authorization-server-binding"
	clauseRefresh           = "basic/authorization#refresh-tokens"
	clauseScopes            = "basic/authorization#step-up-authorization-flow"
	clauseScopeError        = "basic/authorization#scope-challenge-handling"
	clauseRFC9728           = "RFC 9728, section 3.3"
	clauseRFC8414           = "RFC 8414, section 2"
	clauseRFC7591           = "RFC 7591, section 3.2"
	clauseResourceIndicator = "basic/authorization#resource-parameter-implementation"
	clauseToken             = "RFC 6749, section 5"
	clauseReturn            = "RFC 6749, section 4.1.2"
	clauseEndpoint          = "RFC 6749, section 3.1"
	clauseMixUp             = "RFC 9700, section 4.4.2"
)

// Ends reports whether the fault ended the sign-in.
func (f Fault) Ends() bool { return f.Fatal && !f.Waived }

// fatal returns a Fault that ends the sign-in.
func fatal(id, clause, format string, args ...any) Fault {
	return Fault{ID: id, Clause: clause, Says: fmt.Sprintf(format, args...), Fatal: true}
}

// warning returns a Fault that the sign-in goes on with.
func warning(id, clause, format string, args ...any) Fault {
	return Fault{ID: id, Clause: clause, Says: fmt.Sprintf(format, args...)}
}
