package lab

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func tokenExperiment(t *testing.T, id string) Experiment {
	t.Helper()
	for _, e := range tokenExperiments() {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("no experiment %s", id)
	return Experiment{}
}

func TestToken_Changes(t *testing.T) {
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"aud":"me","exp":4102444800}`))
	jwt := "aGVhZA." + payload + ".c2ln"
	for _, c := range []struct{ id, token, want string }{
		{"no-token", "abc", ""},
		{"made-up-token", "abc", "Bearer made-up-token"},
		{"other-audience", jwt, `{"aud":"https://other.example/mcp","exp":4102444800}`},
		{"expired-token", jwt, `{"aud":"me","exp":946684800}`},
	} {
		req := wire.Request{Header: []wire.Field{
			{Name: "X", Value: "1"}, {Name: "authorization", Value: "bearer " + c.token},
		}}
		got, err := tokenExperiment(t, c.id).Change(req, Material{})
		if err != nil {
			t.Errorf("%s: %v", c.id, err)
			continue
		}
		value := ""
		for _, f := range got.Header {
			if f.Name == "Authorization" {
				value = f.Value
			}
		}
		if parts := strings.Split(value, "."); len(parts) == 3 {
			plain, _ := base64.RawURLEncoding.DecodeString(parts[1])
			value = string(plain)
		}
		if value != c.want || got.Header[0].Name != "X" || len(got.Header) > 2 {
			t.Errorf("%s: %+v", c.id, got.Header)
		}
	}
	for id, token := range map[string]string{
		"no-token": "", "made-up-token": "made-up-token", "other-audience": "opaque", "expired-token": "a.b",
	} {
		req := wire.Request{Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + token}}}
		if _, err := tokenExperiment(t, id).Change(req, Material{}); err == nil {
			t.Errorf("%s changes %q", id, token)
		}
	}
}

func TestToken_Verdicts(t *testing.T) {
	var done playground.Round
	done.Kind = playground.OutcomeComplete
	for _, c := range []struct {
		id      string
		status  int
		fields  []string // of WWW-Authenticate
		verdict verdict.Outcome
		says    string
	}{
		{"no-token", 401, []string{`Bearer resource_metadata="https://x/m", scope="a"`}, verdict.Passed, ""},
		{"no-token", 401, nil, verdict.Failed, "WWW-Authenticate"},
		{"no-token", 401, []string{`Basic realm="x"`}, verdict.Advisory, "no challenge for a Bearer token"},
		{"no-token", 401, []string{`Bearer error="invalid_token"`}, verdict.Advisory,
			"although no token was sent"},
		{"no-token", 403, nil, verdict.Failed, "403 instead of 401"},
		{"no-token", 200, nil, verdict.NotJudged, "without a token too"},
		{"made-up-token", 401, []string{`Bearer error="invalid_token"`}, verdict.Passed, ""},
		{"made-up-token", 401, []string{`Bearer`}, verdict.Advisory, "invalid_token"},
		{"expired-token", 200, nil, verdict.Advisory, "although the token is not valid"},
		{"narrow-token", 200, nil, verdict.NotJudged, "does not need the missing scope"},
		{"narrow-token", 403, []string{`Bearer error="insufficient_scope", scope="a b"`}, verdict.Passed, ""},
		{"narrow-token", 403, []string{`Bearer error="insufficient_scope"`}, verdict.Advisory,
			"name the scope"},
		{"narrow-token", 403, nil, verdict.Advisory, "insufficient_scope"},
		{"narrow-token", 401, []string{`Bearer error="invalid_token"`}, verdict.Advisory,
			"401 instead of 403"},
	} {
		var r playground.Round
		r.Kind = playground.OutcomeHTTPError
		if c.status == 200 {
			r = done
		}
		r.Head.Status = c.status
		for _, value := range c.fields {
			r.Head.Fields = append(r.Head.Fields, wire.Field{Name: "WWW-Authenticate", Value: value})
		}
		got := trial{e: tokenExperiment(t, c.id), round: r, right: done}.judge()
		if got.verdict != c.verdict || !strings.Contains(got.text, c.says) {
			t.Errorf("%s, %d %q: %s %q", c.id, c.status, c.fields, got.verdict, got.text)
		}
	}
}
