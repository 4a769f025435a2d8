package server_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// waitsSignedOut makes a call with the token of a sign-in, and signs out when it
// waits for the user. It returns the ids of the server and the exchange.
func waitsSignedOut(s *sitetest.Site, p *sitetest.Protected) (id, exchange string) {
	s.T.Helper()
	id = s.SignedIn(p)
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange = strings.TrimPrefix(s.Last, "/x/")
	s.Until(exchange, func(f playground.Transcript) bool { return f.Status != playground.StatusRunning })
	s.Follow("/servers/"+id+"/sign-in", url.Values{"do": {"out"}})
	return id, exchange
}

// choose sends the open form of a call with a choice.
func choose(s *sitetest.Site, exchange, do string, more ...string) sitetest.Answer {
	s.T.Helper()
	f := s.Until(exchange, func(playground.Transcript) bool { return true })
	form := url.Values{
		"round": {strconv.Itoa(f.Last().N)}, "do": {do}, "a0.action": {"accept"}, "a0.f0": {"true"},
	}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return s.Follow("/x/"+exchange+"/rounds", form)
}

// comeBack leaves from the page of a sign-in and comes back to where the user
// was.
func comeBack(s *sitetest.Site, page sitetest.Answer) sitetest.Answer {
	s.T.Helper()
	u, err := url.Parse(sitetest.Value(s.T, page.Body, `[data-do="leave"]`, "href"))
	sitetest.Check(s.T, err)
	if got := s.Page(sitetest.Back(u)); got.Status != http.StatusSeeOther {
		s.T.Fatalf("after the return: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	return s.Page(s.Last)
}

// heard counts the calls that a server got, with and without a token.
func heard(p *sitetest.Protected) int {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	return len(p.Calls) + len(p.Refused) + len(p.Tasks)
}

// A user who signs out while a question is open sees that, nothing is sent, and
// after another sign-in the chosen action is sent.
func TestSignedOut_WhileAQuestionIsOpen(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]struct{ says, sent, status string }{
		"send": {"and what you filled in is sent",
			`{"sure":{"action":"accept","content":{"ok":true}}}`, "complete"},
		"decline": {"Your answer is to decline", `{"sure":{"action":"decline"}}`, "declined"},
		"cancel":  {"Your answer is to cancel", `{"sure":{"action":"cancel"}}`, "cancelled"},
	} {
		t.Run(choice, func(t *testing.T) {
			p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
			_, exchange := waitsSignedOut(s, p)
			before := heard(p)
			page := choose(s, exchange, choice)
			if page.Status != http.StatusConflict {
				t.Fatalf("%d %s", page.Status, sitetest.Excerpt(page.Body))
			}
			page.Has(
				t,
				`[data-status="waiting"]`,
				`[data-signed-out][data-error="signed_out"]`,
				`"You are signed out of`,
				`"Nothing was sent. The question is still open."`,
				`"`+want.says+`"`,
				`[name="then"][value="`+choice+`"]`,
				`.button.first[value="sign-in"]`,
			)
			if n := heard(p) - before; n != 0 {
				t.Errorf("%d requests were sent without a token", n)
			}
			page = choose(s, exchange, "sign-in", "then", choice)
			page.Has(t, `"what you had chosen is sent"`)
			comeBack(s, page).Has(t, `[data-status="`+want.status+`"]`)
			p.Mu.Lock()
			defer p.Mu.Unlock()
			sent := p.Calls[len(p.Calls)-1]
			if sent["inputResponses"] != want.sent || sent["requestState"] != `"state-of-round-1"` {
				t.Errorf("sent %v", sent)
			}
			s.NoErrors()
		})
	}
}

// The page says from the beginning that the user is signed out. After the
// sign-in the question is still there.
func TestSignedOut_SignsInBeforeAnAnswer(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	_, exchange := waitsSignedOut(s, p)
	page := s.Page("/x/" + exchange)
	page.Has(t, "[data-signed-out]", `"The question is still open. "`, `"Sign in again to go on."`)
	page.HasNot(t, `"Nothing was sent."`)
	page = choose(s, exchange, "sign-in")
	page.Has(t, `"to the call, which goes on with the token"`)
	page = comeBack(s, page)
	page.Has(t, `[data-status="waiting"]`, `[data-do="send"].first`)
	page.HasNot(t, "[data-signed-out]")
	choose(s, exchange, "send").Has(t, `[data-status="complete"]`)
}

// With htmx the browser is led away from the form.
func TestSignedOut_LeadsAwayFromAFragment(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	_, exchange := waitsSignedOut(s, p)
	got := s.Do("POST", "/x/"+exchange+"/rounds", "round=1&do=sign-in&then=&a0.action=accept",
		http.Header{"Hx-Request": {"true"}})
	if to := got.Header.Get("HX-Redirect"); got.Status != http.StatusOK ||
		!strings.Contains(to, "/sign-in?id=") {
		t.Errorf("%d, to %q", got.Status, to)
	}
}

// What an incomplete form lacks is said before the user leaves.
func TestSignedOut_AsksForTheRestFirst(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	_, exchange := waitsSignedOut(s, p)
	page := choose(s, exchange, "sign-in", "then", "send", "a0.action", "")
	if page.Status != http.StatusUnprocessableEntity {
		t.Fatal(page.Status)
	}
	page.Has(t, "[data-signed-out]", `[name="then"][value="send"]`)
}

// Ending the call needs no token.
func TestSignedOut_EndsTheCall(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	_, exchange := waitsSignedOut(s, p)
	before := heard(p)
	s.Page("/x/"+exchange).Has(t, `[data-do="refuse"]`, `"End the call here"`)
	choose(s, exchange, "refuse").Has(t, `[data-status="declined"]`, `"You ended the call here."`)
	if heard(p) != before {
		t.Error("something was sent")
	}
}

// A request that failed is sent again after a sign-in.
func TestSignedOut_SendsAgain(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Broken = true
	_, exchange := waitsSignedOut(s, p)
	s.Page("/x/"+exchange).Has(t, `[data-status="failed"]`, "[data-signed-out]",
		`[name="then"][value="resend"]`, `"the request is sent again"`)
	before := heard(p)
	if page := choose(s, exchange, "resend"); page.Status != http.StatusConflict || heard(p) != before {
		t.Errorf("%d, %d requests", page.Status, heard(p)-before)
	}
	p.Mu.Lock()
	p.Broken = false
	p.Mu.Unlock()
	comeBack(s, choose(s, exchange, "sign-in", "then", "resend")).Has(t, `[data-status="waiting"]`)
}

// The questions of a task, and its cancellation, need the token, too.
func TestSignedOut_OfATask(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]string{"send": "tasks/update", "stop": "tasks/cancel"} {
		t.Run(choice, func(t *testing.T) {
			p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
			p.Task = true
			_, exchange := waitsSignedOut(s, p)
			before := heard(p)
			page := choose(s, exchange, choice)
			if choice == "stop" {
				page = s.Follow("/x/"+exchange+"/cancel", url.Values{})
			}
			if page.Status != http.StatusConflict || heard(p) != before {
				t.Fatalf("%d, %d requests: %s", page.Status, heard(p)-before, sitetest.Excerpt(page.Body))
			}
			page.Has(t, "[data-signed-out]", `[name="then"][value="`+choice+`"]`)
			comeBack(s, choose(s, exchange, "sign-in", "then", choice))
			s.Until(exchange, func(f playground.Transcript) bool {
				return f.Status == playground.StatusComplete || f.Status == playground.StatusCancelled
			})
			p.Mu.Lock()
			defer p.Mu.Unlock()
			if len(p.Tasks) != 1 || !strings.Contains(p.Tasks[0], want) {
				t.Errorf("%q", p.Tasks)
			}
			s.NoErrors()
		})
	}
}

// A browser that lost its cookie lost the token. If that is all, a sign-in
// brings it back.
func TestSignedOut_ByALostCookie(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange := strings.TrimPrefix(s.Last, "/x/")
	s.Cookies = ""
	s.Page("/x/"+exchange).Has(t, "[data-signed-out]", `"You are not signed in to"`, `"here."`)
	if page := choose(s, exchange, "send"); page.Status != http.StatusConflict {
		t.Errorf("%d", page.Status)
	}
	comeBack(s, choose(s, exchange, "sign-in", "then", "send")).Has(t,
		`[data-status="complete"]`, `"deployed by *******"`)
	s.NoErrors()
}

// A secret that the user entered cannot be had by a sign-in.
func TestSignedOut_EnteredSecretIsLost(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Valid = "planted-secret-value"
	s.ConnectTo(p.URL+"/mcp", "headers", "Authorization: Bearer "+p.Valid)
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).Has(t, `[data-status="waiting"]`)
	exchange := strings.TrimPrefix(s.Last, "/x/")
	s.Cookies = ""
	page := s.Page("/x/" + exchange)
	page.Has(t, "[data-signed-out]", `"A secret that this call needs cannot be opened here"`,
		`[data-do="connect-again"][href="/test"]`)
	page.HasNot(t, `[data-do="sign-in"]`)
	if page := choose(s, exchange, "decline"); page.Status != http.StatusConflict {
		t.Errorf("%d", page.Status)
	}
	choose(s, exchange, "refuse").Has(t, `[data-status="declined"]`)
	s.NoErrors()
}

// Who removed the server has to start anew.
func TestSignedOut_ServerRemoved(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id, exchange := waitsSignedOut(s, p)
	s.Follow("/servers/"+id+"/forget", url.Values{})
	page := s.Page("/x/" + exchange)
	page.Has(t, "[data-signed-out]", `"You removed this server"`,
		`[data-do="connect-again"][href^="/test?url="]`)
	page.HasNot(t, `[data-do="sign-in"]`)
	if page := choose(s, exchange, "send"); page.Status != http.StatusConflict {
		t.Errorf("%d", page.Status)
	}
}
