package share

import (
	"slices"
	"strings"
)

// isSecretName reports whether a member, a header field or a URL parameter of
// this name likely holds a secret.
func isSecretName(name string) bool {
	plain := normalizeName(name)
	if slices.Contains(harmlessNames, plain) {
		return false
	}
	return slices.Contains(secretNames, plain) ||
		slices.ContainsFunc(secretNameParts, func(part string) bool { return strings.Contains(plain, part) })
}

// normalizeName returns a name in lower case, with letters and digits only.
func normalizeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// secretNameParts are texts inside the names of secrets.
var secretNameParts = []string{
	"password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
	"privatekey", "signingkey",
	"encryptionkey", "accountkey", "credential", "authorization", "cookie", "sessionid",
	"connectionstring", "bearer",
	"subscriptionkey", "functionskey", "webhookurl",
}

// secretNames are whole names of secrets.
var secretNames = []string{"auth", "pwd", "pass", "pin", "otp", "totp", "cvv", "cvc", "ssn", "sig", "jwt",
	"pat", "sid", "xapikey", "kennwort"}

// harmlessNames are names of the protocol and of related data that would match
// otherwise.
var harmlessNames = []string{
	"progresstoken", "maxtokens", "mintokens", "tokens", "tokencount", "totaltokens", "inputtokens",
	"outputtokens", "tokentype",
	"tokenendpoint", "tokenurl", "authorizationendpoint", "authorizationurl", "authorizationserver",
	"authorizationservers",
	"tokenendpointauthmethodssupported", "secretname", "cookiename", "accesscontrolallowcredentials",
	"cancellationtoken",
}

// isRandomName reports whether a value of this name is expected to look random
// and gives no access: ids of requests and tasks, digests, images.
func isRandomName(name string) bool {
	switch normalizeName(name) {
	case "id", "taskid", "mcpname", "traceparent", "tracestate", "baggage", "etag", "ifnonematch", "data",
		"blob", "digest", "sha256", "checksum", "schema", "boundary":
		return true
	}
	return false
}

// isScheme reports whether a word before a credential is an authentication
// scheme.
func isScheme(word []byte) bool {
	switch strings.ToLower(string(word)) {
	case "bearer", "basic", "token", "digest", "apikey", "dpop", "negotiate", "aws4-hmac-sha256":
		return true
	}
	return false
}
