package auth

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact/redacttest"
)

// An authorization server that repeats the client secret, in whatever spelling,
// has it neither in the record of the sign-in nor in the sentence that quotes
// the server: with a good token, a refusal, or a text that is cut.
func TestSecrets_EverySpelling(t *testing.T) {
	for _, secret := range redacttest.Secrets {
		client := Registration{Kind: Preregistered, ID: redacttest.ID, Secret: secret}
		known := Known{Registered: func(string) (Registration, bool) { return client, true }}
		for _, spelling := range redacttest.Spellings(secret) {
			quoted, _ := json.Marshal(spelling.Text)
			long, _ := json.Marshal(strings.Repeat("x ", 145) + spelling.Text)
			for _, r := range []reply{
				{status: 401, kind: "application/json",
					body: `{"error":"invalid_client","error_description":"bad header: Basic ` +
						string(quoted[1:])},
				{status: 401, kind: "application/json",
					body: `{"error":"invalid_client","error_description":"` + spelling.Text},
				{status: 400, kind: "application/json", body: `{"error":` + string(quoted) + `}`},
				{status: 400, kind: "application/json",
					body: `{"error":"invalid_grant","error_description":` + string(long) + `}`},
				{status: 500, kind: "text/html", body: "<p>" + spelling.Text + "</p>"},
				{status: 200, kind: "text/html", body: "access_token=AA&scope=" + spelling.Text},
				{status: 200, kind: "application/json",
					body: `{"access_token":"planted-token","token_type":` +
						`"Bearer","scope":` + string(quoted) + `,"debug":` + string(quoted) + `}`},
				{status: 200, kind: "application/json",
					body: `{"access_token":"planted-token","token_type":` + string(quoted) + `}`},
			} {
				if strings.HasSuffix(r.body, "\n") || r.body[len(r.body)-1] == '"' {
					r.body += "}"
				}
				w := newWorld(t)
				w.resp["/token"] = r
				s := w.client().Begin(t.Context(), w.mcp(), challenged(), known)
				if s.Stage != Ready {
					t.Fatalf("%s: %+v", s.Stage, s.Fault())
				}
				token := w.client().Return(t.Context(), s, w.address(s), w.returning(s))
				all := shown(t, s)
				if token != nil {
					all += strings.Join(token.Scopes, " ")
				}
				if strings.Contains(all, spelling.Core) || strings.Contains(all, jsonText(spelling.Core)) {
					t.Errorf("%s is shown after\n%s:\n%s", spelling.Name, r.body, all)
				}
			}
		}
	}
}

// jsonText is a text as it stands inside a JSON string.
func jsonText(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted[1 : len(quoted)-1])
}
