package form

import "github.com/mrtr-playground/mrtr-playground/playground/redact"

// AsksSecret reports whether a field's name or title looks like a request for a
// secret. Servers MUST NOT ask for one in form mode (client/elicitation,
// "Security Considerations"). It compares words and is sometimes wrong, so the
// result is a reason to warn, not to refuse.
func AsksSecret(name string) bool { return redact.NamesSecret(name, redact.Label) }

// RequestsSecret reports whether a text seems to tell the user to enter a secret:
// "Please enter your password". Like AsksSecret it compares words.
func RequestsSecret(text string) bool { return redact.RequestsSecret(text) }
