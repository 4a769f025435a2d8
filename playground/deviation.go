package playground

// Deviation is a requirement of the specification that this client left out deliberately,
// because the user chose to go on with a sign-in. It is recorded, and it holds for that
// sign-in alone.
type Deviation string

// Deviations of a sign-in.
const (
	// DeviateIssuer accepts the metadata of an authorization server with another issuer.
	DeviateIssuer Deviation = "issuer"
	// DeviatePKCE accepts metadata that does not list code_challenge_methods_supported.
	DeviatePKCE Deviation = "pkce"
	// DeviateResource leaves out the parameter resource, which the server refuses.
	DeviateResource Deviation = "resource"
)

// Deviations returns all deviations, in the order of a sign-in.
func Deviations() []Deviation { return []Deviation{DeviateIssuer, DeviatePKCE, DeviateResource} }
