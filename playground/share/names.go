package share

import (
	"slices"
	"strings"
)

// isSecretName reports whether what has this name is likely a secret: a member
// of an object, a header field, a parameter in an address.
func isSecretName(name string) bool {
	plain := normalizeName(name)
	if slices.Contains(harmlessNames(), plain) {
		return false
	}
	return slices.Contains(secretNames(), plain) ||
		slices.ContainsFunc(secretNameParts(), func(part string) bool { return strings.Contains(plain, part) })
}

// normalizeName is a name in lower case without what separates its words.
func normalizeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

func secretNameParts() []string {
	return []string{
		"password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey", "privatekey", "signingkey",
		"encryptionkey", "accountkey", "credential", "authorization", "cookie", "sessionid", "connectionstring", "bearer",
		"subscriptionkey", "functionskey", "webhookurl",
	}
}

func secretNames() []string {
	return []string{"auth", "pwd", "pass", "pin", "otp", "totp", "cvv", "cvc", "ssn", "sig", "jwt", "pat", "sid", "xapikey", "kennwort"}
}

// harmlessNames are names of the protocol, and of things beside secrets, that would
// match otherwise.
func harmlessNames() []string {
	return []string{
		"progresstoken", "maxtokens", "mintokens", "tokens", "tokencount", "totaltokens", "inputtokens", "outputtokens", "tokentype",
		"tokenendpoint", "tokenurl", "authorizationendpoint", "authorizationurl", "authorizationserver", "authorizationservers",
		"tokenendpointauthmethodssupported", "secretname", "cookiename", "accesscontrolallowcredentials", "cancellationtoken",
	}
}

// isRandomName reports whether random-looking text is expected under a name,
// and gives nobody access: ids of requests and tasks, digests, pictures.
func isRandomName(name string) bool {
	switch normalizeName(name) {
	case "id", "taskid", "mcpname", "traceparent", "tracestate", "baggage", "etag", "ifnonematch", "data", "blob", "digest", "sha256", "checksum", "schema", "boundary":
		return true
	}
	return false
}

// isScheme reports whether a word before a credential says only how it is sent.
func isScheme(word []byte) bool {
	switch strings.ToLower(string(word)) {
	case "bearer", "basic", "token", "digest", "apikey", "dpop", "negotiate", "aws4-hmac-sha256":
		return true
	}
	return false
}
