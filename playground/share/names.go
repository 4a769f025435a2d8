package share

import "strings"

// normalizeName returns a name in lower case, with letters and digits only.
func normalizeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
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
