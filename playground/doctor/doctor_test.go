package doctor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Every fault of package auth has its remedy, and there is no other.
func TestFaults_HaveARemedy(t *testing.T) {
	files, err := filepath.Glob("../auth/*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"server-error": true}
	id := regexp.MustCompile(`(?:fatal|warning|warn|refusedBy)\((?:step, |r, )?(?:"([a-z0-9-]+)"|fault\.ID)`)
	named := regexp.MustCompile(`(?:grantRefused|resourceRefused) = "([a-z-]+)"|id (?::=|=) "([a-z-]+)"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range append(id.FindAllStringSubmatch(string(text), -1),
			named.FindAllStringSubmatch(string(text), -1)...) {
			seen[strings.Join(m[1:], "")] = true
		}
	}
	delete(seen, "")
	if len(seen) < 50 {
		t.Fatalf("found %d faults only", len(seen))
	}
	for fault := range seen {
		if _, ok := faultRemedies[fault]; !ok {
			t.Errorf("%s has no remedy", fault)
		}
	}
	for fault := range faultRemedies {
		if !seen[fault] {
			t.Errorf("%s is no fault", fault)
		}
	}
}

// pageWords are parts of a page, which a terminal does not have.
var pageWords = []string{"under Wire", "Connection bytes", "“", "send the request again", "click"}

// What to do about a failure of connecting names no part of a page, and every class has it.
func TestRemedies_NameNoPage(t *testing.T) {
	for class := range sentences {
		if strings.HasPrefix(class, "task") || slices.Contains([]string{"own_page", "own_agents", "capped",
			"cancelled", "call_lost", "interrupted", "connect_cancelled"}, class) {
			continue
		}
		e := examination{class: playground.Class(class)}
		do := e.remedy(e.place()).do
		if do == "" {
			t.Errorf("%s: nothing to do", class)
		}
		for _, wrong := range pageWords {
			if strings.Contains(do, wrong) {
				t.Errorf("%s: %q is part of a page", class, do)
			}
		}
	}
}

// A failure belongs to one step: those before it passed, and those after it were not reached.
func TestConnection_OneStepFails(t *testing.T) {
	for class := range sentences {
		e := examination{target: playground.Target{URL: "https://h.example/mcp"},
			class: playground.Class(class)}
		switch e.class {
		case wire.NoCommand, wire.NotStarted, wire.CommandEnded, wire.BadLine:
			e.target.URL = wire.CommandURL([]string{"server"})
		}
		list, failed := e.steps(false), false
		for _, s := range list {
			want := verdict.Passed
			if failed {
				want = verdict.NotReached
			}
			if s.Wrong() && !failed {
				failed = true
			} else if s.Outcome != want {
				t.Errorf("%s: %s is %s", class, s.ID, s.Outcome)
			}
		}
		if !failed {
			t.Errorf("%s: no step failed", class)
		}
	}
}

// While connecting, and after the user stopped it, there is nothing to say.
func TestConnection_Unfinished(t *testing.T) {
	for _, c := range []server.Connection{
		{Status: server.Connecting}, {Status: server.ConnectFailed, Class: server.ConnectCancelled},
	} {
		if list := Connection(playground.Target{URL: "http://h"}, c, wire.Reach{}); list != nil {
			t.Errorf("%+v: %+v", c, list)
		}
	}
}

// What a server sends is shown as harmless text of limited length.
func TestFail_Harmless(t *testing.T) {
	long := strings.Repeat("x", 5000)
	r := playground.Round{}
	r.Class, r.Detail = playground.HTTP4xx, "HTTP status 418. The body says: \x1b[31m\u202e"+long
	r.Kind = playground.OutcomeHTTPError
	r.Head.Status = 418
	r.Response = wire.Frame{Head: []byte("HTTP/1.1 418 x\r\n\r\n"), Body: []byte("\x1b[31m\u202e" + long)}
	failed := Request(playground.Target{URL: "http://h/mcp"}, r).Failed()
	if failed == nil || strings.ContainsAny(failed.Came+failed.Body, "\x1b\u202e") ||
		len([]rune(failed.Came)) > maxCame+20 || len([]rune(failed.Body)) > maxBody+20 {
		t.Errorf("%+v", failed)
	}
}

// Every deviation has its words.
func TestWordsOf(t *testing.T) {
	for _, d := range playground.Deviations() {
		w := WordsOf(d)
		if w.Name == "" || w.Button == "" || w.GivesUp == "" || !strings.Contains(w.Did, "deliberately") ||
			Link(w.Clause) == "" {
			t.Errorf("%s: %+v", d, w)
		}
	}
}

func TestLink(t *testing.T) {
	for clause, want := range map[string]string{
		"": "", "RFC 9728, section 3.3": "https://www.rfc-editor.org/rfc/rfc9728#section-3.3",
		"RFC 8707":         "https://www.rfc-editor.org/rfc/rfc8707",
		"basic/index#meta": specification + "basic/index#meta",
	} {
		if got := Link(clause); got != want {
			t.Errorf("%q: %s", clause, got)
		}
	}
}

// A sign-in that the user goes on with has no step that failed, and the deviation is marked.
func TestSignIn_Deliberate(t *testing.T) {
	list := SignIn{Attempts: []Attempt{
		{Purpose: askServer, URL: "https://a.example", Faults: []Fault{{ID: "no-pkce", Says: "No list.",
			Waived: true}}},
		{Purpose: goOn, Anyway: playground.DeviatePKCE}, {Purpose: leave, Found: "You sign in there."},
	}}.List()
	if list.Failed() != nil || !list[1].Deliberate || list[1].Word() != "deliberate" || list[0].Do != "" {
		t.Errorf("%+v", list)
	}
}

// A remedy of versions says which side is older.
func TestOfVersions(t *testing.T) {
	for _, c := range []struct {
		versions []string
		begins   string
	}{
		{[]string{"2099-01-01"}, "You: look for a newer version of this program"},
		{[]string{"2023-01-01"}, "The server's author: update the server"},
		{[]string{"2099-01-01", "2023-01-01"}, "The server's author: update the server"},
		{[]string{"v7"}, "The server's author: update the server"},
		{nil, "You: update this program, if"},
	} {
		if got := ofVersions(c.versions); !strings.HasPrefix(got, c.begins) {
			t.Errorf("%q: %s", c.versions, got)
		}
	}
}

// What to do about a sign-in names the client, the scopes and where they come from.
func TestFill(t *testing.T) {
	scope := Attempt{Purpose: comeBack, Faults: []Fault{{ID: "authorization-refused",
		Says: "The authorization server did not grant access (invalid_scope)."}}}
	scopes := []string{"read", "write"}
	for _, c := range []struct {
		in   SignIn
		do   string
		a    Attempt
		want string
	}{
		{SignIn{}, "{authorization}", scope, "this program asked for no scope"},
		{SignIn{Scopes: scopes}, "{authorization}", scope, "as in an earlier sign-in: read write."},
		{SignIn{Scopes: scopes, ScopesFrom: FromChallenge}, "{authorization}", scope,
			"correct scope of WWW-Authenticate"},
		{SignIn{Scopes: scopes, ScopesFrom: FromMetadata}, "{authorization}", scope,
			"asked for those, read write. If"},
		{SignIn{Client: "c7"}, "{client-refused}", Attempt{}, "You: check the client ID c7"},
		{SignIn{Client: "c7", Registered: true}, "{client-refused}", Attempt{}, "You: sign in again."},
		{SignIn{Client: "{server}", Server: "http://h"}, "{client}", Attempt{}, "{server}"},
		{SignIn{Issuer: "https://a"}, "{unreachable}", Attempt{Purpose: askServer}, "if https://a is wrong"},
		{SignIn{}, "{unreachable}", Attempt{Purpose: askToken}, "correct token_endpoint"},
		{SignIn{}, "{owner}: x", Attempt{Purpose: askResource}, "The server's author: x"},
		{SignIn{}, "{named}", Attempt{}, "(unknown)"},
	} {
		if got := c.in.fill(c.do, c.a); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.do, got, c.want)
		}
	}
	for id, r := range faultRemedies { // every word in braces is replaced
		if got := (SignIn{}).fill(r.do, Attempt{Purpose: askToken}); strings.ContainsAny(
			strings.Replace(got, "[\"S256\"]", "", 1), "{}") || got == "" {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// How long to wait is in the unit of Retry-After.
func TestWait(t *testing.T) {
	for after, want := range map[string]string{
		"": "You: wait", "7": "You: wait 7 seconds",
		"Wed, 25 Nov 2026 07:28:00 GMT": "You: wait until Wed, 25 Nov 2026 07:28:00 GMT",
	} {
		e := examination{}
		if after != "" {
			e.trip.Head.Fields = []wire.Field{{Name: "Retry-After", Value: after}}
		}
		if got := e.wait("You: wait"); got != want {
			t.Errorf("%q: %s", after, got)
		}
	}
}

// A refusal that names the audience says what both sides can do, by what the user can know.
func TestOfToken(t *testing.T) {
	challenge := func(description string) examination {
		e := examination{target: playground.Target{URL: "https://h.example/mcp"}, detail: description}
		e.trip.Head.Fields = []wire.Field{{Name: "WWW-Authenticate",
			Value: `Bearer error="invalid_token", error_description="` + description + `"`}}
		return e
	}
	for description, want := range map[string]string{
		"The audience is not https://o.example/mcp.": "names another URL, https://o.example/mcp. If",
		"The audience is not https://h.example/mcp.": "if you entered the token yourself",
		"The token expired":                          "this one has expired",
		"No":                                         "often its audience",
	} {
		if got := challenge(description).ofToken(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", description, got)
		}
	}
}
