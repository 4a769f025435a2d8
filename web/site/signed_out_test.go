package site_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// waitsSignedOut makes a call with the token of a sign-in, and signs out when it
// waits for the user. It returns the ids of the server and the exchange.
func (s *testSite) waitsSignedOut(p *protected) (id, exchange string) {
	s.t.Helper()
	id = s.signedIn(p)
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange = strings.TrimPrefix(s.last, "/x/")
	s.until(exchange, func(f playground.Transcript) bool { return f.Status != playground.StatusRunning })
	s.follow("/servers/"+id+"/sign-in", url.Values{"do": {"out"}})
	return id, exchange
}

// choose sends the open form of a call with a choice.
func (s *testSite) choose(exchange, do string, more ...string) answer {
	s.t.Helper()
	f := s.until(exchange, func(playground.Transcript) bool { return true })
	form := url.Values{
		"round": {strconv.Itoa(f.Last().N)}, "do": {do}, "a0.action": {"accept"}, "a0.f0": {"true"},
	}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return s.follow("/x/"+exchange+"/rounds", form)
}

// comeBack leaves from the page of a sign-in and comes back to where the user
// was.
func (s *testSite) comeBack(page answer) answer {
	s.t.Helper()
	u, err := url.Parse(value(s.t, page.body, `[data-do="leave"]`, "href"))
	check(s.t, err)
	if got := s.page(back(u)); got.status != http.StatusSeeOther {
		s.t.Fatalf("after the return: %d %s", got.status, excerpt(got.body))
	}
	return s.page(s.last)
}

// heard counts the calls that a server got, with and without a token.
func (p *protected) heard() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls) + len(p.refused) + len(p.tasks)
}

// Whoever signs out while a question is open is told so, nothing is sent, and
// after another sign-in what was chosen is sent.
func TestSignedOut_WhileAQuestionIsOpen(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]struct{ says, sent, status string }{
		"send": {"and what you filled in is sent",
			`{"sure":{"action":"accept","content":{"ok":true}}}`, "complete"},
		"decline": {"Your answer is to decline", `{"sure":{"action":"decline"}}`, "declined"},
		"cancel":  {"Your answer is to cancel", `{"sure":{"action":"cancel"}}`, "cancelled"},
	} {
		t.Run(choice, func(t *testing.T) {
			p, s := newProtected(t), newSite(t, app.Local)
			_, exchange := s.waitsSignedOut(p)
			before := p.heard()
			page := s.choose(exchange, choice)
			if page.status != http.StatusConflict {
				t.Fatalf("%d %s", page.status, excerpt(page.body))
			}
			page.has(
				t,
				`[data-status="waiting"]`,
				`[data-signed-out][data-error="signed_out"]`,
				`"You are signed out of`,
				`"Nothing was sent. The question is still open."`,
				`"`+want.says+`"`,
				`[name="then"][value="`+choice+`"]`,
				`.button.first[value="sign-in"]`,
			)
			if n := p.heard() - before; n != 0 {
				t.Errorf("%d requests were sent without a token", n)
			}
			page = s.choose(exchange, "sign-in", "then", choice)
			page.has(t, `"what you had chosen is sent"`)
			s.comeBack(page).has(t, `[data-status="`+want.status+`"]`)
			p.mu.Lock()
			defer p.mu.Unlock()
			sent := p.calls[len(p.calls)-1]
			if sent["inputResponses"] != want.sent || sent["requestState"] != `"state-of-round-1"` {
				t.Errorf("sent %v", sent)
			}
			s.noErrors()
		})
	}
}

// The page says from the beginning that the user is signed out. After the
// sign-in the question is still there.
func TestSignedOut_SignsInBeforeAnAnswer(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	_, exchange := s.waitsSignedOut(p)
	page := s.page("/x/" + exchange)
	page.has(t, "[data-signed-out]", `"The question is still open. "`, `"Sign in again to go on."`)
	page.hasNot(t, `"Nothing was sent."`)
	page = s.choose(exchange, "sign-in")
	page.has(t, `"to the call, which goes on with the token"`)
	page = s.comeBack(page)
	page.has(t, `[data-status="waiting"]`, `[data-do="send"].first`)
	page.hasNot(t, "[data-signed-out]")
	s.choose(exchange, "send").has(t, `[data-status="complete"]`)
}

// With htmx the browser is led away from the form.
func TestSignedOut_LeadsAwayFromAFragment(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	_, exchange := s.waitsSignedOut(p)
	got := s.do("POST", "/x/"+exchange+"/rounds", "round=1&do=sign-in&then=&a0.action=accept",
		http.Header{"Hx-Request": {"true"}})
	if to := got.header.Get("HX-Redirect"); got.status != http.StatusOK ||
		!strings.Contains(to, "/sign-in?id=") {
		t.Errorf("%d, to %q", got.status, to)
	}
}

// What an incomplete form lacks is said before the user leaves.
func TestSignedOut_AsksForTheRestFirst(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	_, exchange := s.waitsSignedOut(p)
	page := s.choose(exchange, "sign-in", "then", "send", "a0.action", "")
	if page.status != http.StatusUnprocessableEntity {
		t.Fatal(page.status)
	}
	page.has(t, "[data-signed-out]", `[name="then"][value="send"]`)
}

// Ending the call needs no token.
func TestSignedOut_EndsTheCall(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	_, exchange := s.waitsSignedOut(p)
	before := p.heard()
	s.page("/x/"+exchange).has(t, `[data-do="refuse"]`, `"End the call here"`)
	s.choose(exchange, "refuse").has(t, `[data-status="declined"]`, `"You ended the call here."`)
	if p.heard() != before {
		t.Error("something was sent")
	}
}

// A request that failed is sent again after a sign-in.
func TestSignedOut_SendsAgain(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.broken = true
	_, exchange := s.waitsSignedOut(p)
	s.page("/x/"+exchange).has(t, `[data-status="failed"]`, "[data-signed-out]",
		`[name="then"][value="resend"]`, `"the request is sent again"`)
	before := p.heard()
	if page := s.choose(exchange, "resend"); page.status != http.StatusConflict || p.heard() != before {
		t.Errorf("%d, %d requests", page.status, p.heard()-before)
	}
	p.mu.Lock()
	p.broken = false
	p.mu.Unlock()
	s.comeBack(s.choose(exchange, "sign-in", "then", "resend")).has(t, `[data-status="waiting"]`)
}

// The questions of a task, and its cancellation, need the token, too.
func TestSignedOut_OfATask(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]string{"send": "tasks/update", "stop": "tasks/cancel"} {
		t.Run(choice, func(t *testing.T) {
			p, s := newProtected(t), newSite(t, app.Local)
			p.task = true
			_, exchange := s.waitsSignedOut(p)
			before := p.heard()
			page := s.choose(exchange, choice)
			if choice == "stop" {
				page = s.follow("/x/"+exchange+"/cancel", url.Values{})
			}
			if page.status != http.StatusConflict || p.heard() != before {
				t.Fatalf("%d, %d requests: %s", page.status, p.heard()-before, excerpt(page.body))
			}
			page.has(t, "[data-signed-out]", `[name="then"][value="`+choice+`"]`)
			s.comeBack(s.choose(exchange, "sign-in", "then", choice))
			s.until(exchange, func(f playground.Transcript) bool {
				return f.Status == playground.StatusComplete || f.Status == playground.StatusCancelled
			})
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.tasks) != 1 || !strings.Contains(p.tasks[0], want) {
				t.Errorf("%q", p.tasks)
			}
			s.noErrors()
		})
	}
}

// A browser that lost its cookie lost the token. If that is all, a sign-in
// brings it back.
func TestSignedOut_ByALostCookie(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange := strings.TrimPrefix(s.last, "/x/")
	s.cookies = ""
	s.page("/x/"+exchange).has(t, "[data-signed-out]", `"You are not signed in to"`, `"in this browser"`)
	if page := s.choose(exchange, "send"); page.status != http.StatusConflict {
		t.Errorf("%d", page.status)
	}
	s.comeBack(s.choose(exchange, "sign-in", "then", "send")).has(t,
		`[data-status="complete"]`, `"deployed by *******"`)
	s.noErrors()
}

// A secret that the user entered cannot be had by a sign-in.
func TestSignedOut_EnteredSecretIsLost(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.valid = "planted-secret-value"
	s.connectTo(p.url+"/mcp", "headers", "Authorization: Bearer "+p.valid)
	id := strings.TrimPrefix(s.last, "/servers/")
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).has(t, `[data-status="waiting"]`)
	exchange := strings.TrimPrefix(s.last, "/x/")
	s.cookies = ""
	page := s.page("/x/" + exchange)
	page.has(t, "[data-signed-out]", `"A secret that this call needs is not available"`)
	page.hasNot(t, `[data-do="sign-in"]`)
	if page := s.choose(exchange, "decline"); page.status != http.StatusConflict {
		t.Errorf("%d", page.status)
	}
	s.choose(exchange, "refuse").has(t, `[data-status="declined"]`)
	s.noErrors()
}

// Who removed the server has to start anew.
func TestSignedOut_ServerRemoved(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id, exchange := s.waitsSignedOut(p)
	s.follow("/servers/"+id+"/forget", url.Values{})
	page := s.page("/x/" + exchange)
	page.has(t, "[data-signed-out]", `"You removed this server"`)
	page.hasNot(t, `[data-do="sign-in"]`)
	if page := s.choose(exchange, "send"); page.status != http.StatusConflict {
		t.Errorf("%d", page.status)
	}
}
