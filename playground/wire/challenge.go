package wire

import "strings"

// Challenge is one way to authenticate that a server offers with a 401
// (RFC 9110, section 11.6.1; basic/authorization names resource_metadata).
type Challenge struct {
	Scheme string
	Params []ChallengeParam
}

// ChallengeParam is a parameter of a Challenge, its value without quotes.
type ChallengeParam struct{ Name, Value string }

// Challenges parses the values of WWW-Authenticate header fields. Malformed
// parts are skipped.
func Challenges(values []string) []Challenge {
	var list []Challenge
	for _, part := range commaParts(strings.Join(values, ",")) {
		scheme, rest := "", part
		word, after, spaced := strings.Cut(part, " ")
		if !strings.Contains(word, "=") {
			scheme, rest = word, strings.TrimSpace(after)
			if !spaced {
				rest = ""
			}
		}
		if scheme != "" {
			list = append(list, Challenge{Scheme: scheme})
		}
		name, value, found := strings.Cut(rest, "=")
		if found && len(list) > 0 {
			last := &list[len(list)-1]
			param := ChallengeParam{strings.TrimSpace(name), unquoted(strings.TrimSpace(value))}
			last.Params = append(last.Params, param)
		}
	}
	return list
}

// commaParts splits s at the commas outside of quotes.
func commaParts(s string) []string {
	var parts []string
	start, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	var list []string
	for _, p := range append(parts, s[start:]) {
		if p = strings.TrimSpace(p); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// unquoted returns the text of a quoted-string (RFC 9110, section 5.6.4), or s
// if it is a token.
func unquoted(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' && i+1 < len(s)-1 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// AsksForToken reports whether a response refuses the request for want of a token, or of
// scopes of a token: with 401, or with 403 and a Bearer challenge (RFC 6750, section 3.1).
func (h Head) AsksForToken() bool {
	if h.Status != 403 {
		return h.Status == 401
	}
	for _, c := range Challenges(h.Values("WWW-Authenticate")) {
		if strings.EqualFold(c.Scheme, "Bearer") {
			return WantsScopes(h.Status, c.param("error"), c.param("scope"))
		}
	}
	return false
}

// WantsScopes reports whether a challenge asks for further scopes. Some servers, as those
// on go-sdk 1.8, name the scopes with 403 and leave the error out.
func WantsScopes(status int, code, scopes string) bool {
	return code == "insufficient_scope" || status == 403 && code == "" && strings.TrimSpace(scopes) != ""
}

// param returns the last value of a parameter, or "".
func (c Challenge) param(name string) (value string) {
	for _, p := range c.Params {
		if strings.EqualFold(p.Name, name) {
			value = p.Value
		}
	}
	return value
}
