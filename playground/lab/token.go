package lab

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Clauses about access tokens.
const (
	clauseTokens = specification + "basic/authorization/index#token-handling"
	clauseNoAuth = specification + "basic/authorization/index#error-handling"
	clauseScopes = specification + "basic/authorization/index#runtime-insufficient-scope-errors"
)

// tokenExperiments returns the experiments on the access token of a request to a
// protected server.
func tokenExperiments() []Experiment {
	const refused = "A protected server answers with 401 and says in WWW-Authenticate how to get a token."
	noToken := "The request carries no bearer token."
	list := []Experiment{{
		ID: "no-token", Title: "Send no token", Brief: "401, with a challenge",
		Sends: "The request has no Authorization header.", Expects: refused,
		Level: Must, Clause: clauseNoAuth, change: changeToken(func(string) string { return "" }),
		judge: unauthorized(""),
	}, {
		ID: "made-up-token", Title: "Send a made-up token", Brief: "401, invalid_token",
		Sends: "The token is one that no authorization server issued.", Expects: refused,
		Level: Must, Clause: clauseTokens,
		change: changeToken(func(string) string { return "made-up-token" }),
		judge:  unauthorized("invalid_token"),
	}, {
		ID: "other-audience", Title: "Change the token's audience", Brief: "401, invalid_token",
		Sends: "The token is a JWT. " +
			"Its audience (aud) is changed to another server, so its signature no longer fits either.",
		Expects: "A protected server accepts only tokens that were issued for it.",
		Level:   Must, Clause: clauseTokens,
		change: changeToken(withClaim("aud", `"https://other.example/mcp"`)),
		judge:  unauthorized("invalid_token"), noPlace: noToken, notRun: "The access token is not a JWT.",
	}, {
		ID: "expired-token", Title: "Change the token's expiry", Brief: "401, invalid_token",
		Sends: "The token is a JWT. " +
			"Its expiry (exp) is changed to a time long ago, so its signature no longer fits either.",
		Expects: "Invalid or expired tokens get HTTP status 401.",
		Level:   Must, Clause: clauseTokens, change: changeToken(withClaim("exp", "946684800")),
		judge: unauthorized("invalid_token"), noPlace: noToken, notRun: "The access token is not a JWT.",
	}, {
		ID: "narrow-token", Title: "Use a token with fewer scopes", Brief: "403, insufficient_scope",
		Sends:   "The token comes from the same authorization server and is good, but has fewer scopes.",
		Expects: "If the call needs the missing scope, the server answers with 403 and names the scope.",
		Level:   Should, Clause: clauseScopes, Wants: WantsNarrowToken, change: narrowToken, judge: forbidden,
		notRun: "This needs a sign-in with several scopes and a refresh token.",
	}}
	for i := range list {
		list[i].Group, list[i].First, list[i].token, list[i].noLine = GroupToken, true, true, noCredentials
		list[i].expected = anyProtection(Rejected)
		if list[i].noPlace == "" {
			list[i].noPlace = noToken
		}
	}
	return list
}

// bearer returns the access token of a request, or "" if it has none.
func bearer(header []wire.Field) string {
	i := slices.IndexFunc(header, func(f wire.Field) bool {
		return strings.EqualFold(f.Name, "Authorization")
	})
	if i < 0 {
		return ""
	}
	scheme, token, _ := strings.Cut(header[i].Value, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// changeToken returns a changer that replaces the access token, or removes it if
// the new one is "". It returns ErrNothingToChange if edit returns the token
// itself.
func changeToken(edit func(token string) string) changer {
	return func(req wire.Request, _ Material) (wire.Request, error) {
		token := bearer(req.Header)
		if token == "" {
			return req, ErrNothingToChange
		}
		changed := edit(token)
		if changed == token && !text.HasMask([]byte(token)) { // what a masked token is, is not known
			return req, ErrNothingToChange
		}
		req.Header = without(req.Header, "Authorization")
		if changed != "" {
			req.Header = append(req.Header, wire.Field{Name: "Authorization", Value: "Bearer " + changed})
		}
		return req, nil
	}
}

// narrowToken sends the token with fewer scopes.
func narrowToken(req wire.Request, m Material) (wire.Request, error) {
	if bearer(m.Header) == "" || bearer(req.Header) == "" {
		return req, ErrNothingToChange
	}
	req.Header = replaceFields(req.Header, m.Header)
	return req, nil
}

// withClaim returns a function that sets a claim of a JWT and keeps its
// signature. Other tokens stay as they are.
func withClaim(name, value string) func(string) string {
	return func(token string) string {
		parts := strings.Split(token, ".")
		if len(parts) != 3 {
			return token
		}
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil {
			return token
		}
		changed, err := jsontree.Set(payload, jsontree.Pair{Key: name, Value: json.RawMessage(value)})
		if err != nil {
			return token
		}
		parts[1] = base64.RawURLEncoding.EncodeToString(changed)
		return strings.Join(parts, ".")
	}
}

// unauthorized returns the judge of the response to a request without a valid
// token. The challenge must have this error; "" means none.
func unauthorized(reason string) func(trial) judgement {
	return func(s trial) judgement { return s.unauthorized(reason) }
}

func (s trial) unauthorized(reason string) judgement {
	status := s.round.Head.Status
	switch {
	case status == 401:
		return s.challenged(reason)
	case s.reaction() == Accepted && reason == "":
		return unknown("The server answers without a token too.")
	case s.reaction() == Accepted:
		return hint("The server answered although the token is not valid. " +
			"That is right only if it never needs one.")
	case s.round.IsError || status/100 == 2:
		return fail("The server refused the request with HTTP status %d instead of 401.", status)
	}
	return fail("The server answered with HTTP status %d instead of 401.", status)
}

// challenged judges the challenge of a response with status 401 (RFC 9110,
// section 15.5.2; RFC 6750, section 3).
func (s trial) challenged(reason string) judgement {
	values := s.round.Head.Values("WWW-Authenticate")
	if len(values) == 0 {
		return fail("HTTP status 401 must come with WWW-Authenticate (RFC 9110), which is missing.")
	}
	challenge, ok := bearerChallenge(values)
	switch {
	case !ok:
		return hint("WWW-Authenticate has no challenge for a Bearer token. " +
			"A client does not learn how to get one.")
	case reason == "" && challenge["error"] != "":
		return hint("The challenge has error=%q, although no token was sent (RFC 6750, section 3.1).",
			text.Visible(challenge["error"], 60))
	case challenge["error"] != reason:
		return hint("The challenge does not say error=%q (RFC 6750, section 3.1).", reason)
	}
	return pass("%s", s.description())
}

// forbidden judges the response to a good token with fewer scopes.
func forbidden(s trial) judgement {
	challenge, ok := bearerChallenge(s.round.Head.Values("WWW-Authenticate"))
	switch status := s.round.Head.Status; {
	case s.reaction() == Accepted:
		return unknown("The call does not need the missing scope.")
	case status != 403:
		return hint("The server answered with HTTP status %d instead of 403.", status)
	case !ok || challenge["error"] != "insufficient_scope":
		return hint("WWW-Authenticate does not say error=\"insufficient_scope\".")
	case challenge["scope"] == "":
		return hint("WWW-Authenticate does not name the scope that is missing.")
	}
	return pass("%s", s.description())
}

// bearerChallenge returns the parameters of the challenge for a Bearer token, by
// name in lower case.
func bearerChallenge(values []string) (map[string]string, bool) {
	for _, c := range wire.Challenges(values) {
		if !strings.EqualFold(c.Scheme, "Bearer") {
			continue
		}
		params := map[string]string{}
		for _, p := range c.Params {
			params[strings.ToLower(p.Name)] = p.Value
		}
		return params, true
	}
	return nil, false
}
