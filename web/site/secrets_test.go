package site_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestSecrets_AreNowhereInClearAndStillSent(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	token, headers, query, secrets := sitetest.Credentials()
	s := sitetest.New(t, app.Local)
	page := s.ConnectTo(
		address+query, "token", token, "headers", headers, "declares", "shown", "declare",
		"elicitation.form",
	)
	if !page.HTML().Has(`[data-status="connected"]`) {
		t.Fatal(sitetest.Excerpt(page.Body))
	}
	id := strings.TrimPrefix(s.Last, "/servers/")
	pages := []sitetest.Answer{page}
	// a call whose argument is a secret too
	page = s.Follow("/exchanges", url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"echo"}, "prefix": {"t0"}, "t0.f0": {"say " + token},
	})
	exchange := s.Last
	if !page.HTML().Has(`[data-status="waiting"]`) {
		t.Fatal(sitetest.Excerpt(page.Body))
	}
	pages = append(pages, page)
	page = s.Follow(
		exchange+"/rounds",
		url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {token}, "do": {"send"}},
	)
	if !page.HTML().Has(`[data-status="complete"]`) {
		t.Fatal(sitetest.Excerpt(page.Body))
	}
	bytes := s.Page(exchange + "?round=2&view=exact")
	pages = append(pages, page, bytes, s.Page(exchange+"?round=1"), s.Page(exchange+"?round=1&view=exact"),
		s.Page("/test"), s.Page("/history"), s.Page("/servers/"+id))

	for where, data := range s.Stored() {
		for _, leak := range sitetest.Leaks(where, data, secrets) {
			t.Error(leak)
		}
	}
	for _, p := range pages {
		for _, leak := range sitetest.Leaks("page", []byte(p.Body), secrets) {
			t.Error(leak)
		}
	}
	if len(server.Echoed) != 1 || server.Echoed[0] != server.States[0] {
		t.Error("the state did not come back to the byte")
	}
	for _, h := range server.Heads {
		if h.Get("Authorization") != "Bearer "+token || h.Get("X-Short") != "pl-0011" ||
			h.Get("X-Api-Key") != "planted-api-key-0002" {
			t.Errorf("a request lacked what was given: %q", h)
		}
	}
	if !strings.Contains(bytes.Body, "$TOKEN") {
		t.Error("curl does not read the token from the shell")
	}
}

func TestSecrets_LostWithTheCookieButNotTheRecording(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "token", "planted-token-lost-1")
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"echo"}})
	exchange := s.Last
	sent := len(server.Heads)
	kept := s.Cookies
	s.Cookies = ""
	if got := s.Page("/servers/" + id); !slices.Contains(sitetest.Codes(got.Body), "secret_lost") ||
		!got.HTML().Has(`[data-tool="echo"]`) {
		t.Error("the page of the server", sitetest.Excerpt(got.Body))
	}
	if got := s.Page(exchange); !got.HTML().Has(`[data-round="1"]`) {
		t.Error("the record is gone", sitetest.Excerpt(got.Body))
	}
	answerForm := url.Values{"round": {"1"}, "a0.action": {"decline"}, "do": {"send"}}
	for _, got := range []sitetest.Answer{s.Follow("/exchanges",
		url.Values{"target": {id}, "tool": {"echo"}}),
		s.Follow(exchange+"/rounds", answerForm)} {
		if got.Status != http.StatusConflict || !slices.Equal(sitetest.Codes(got.Body),
			[]string{"secret_lost"}) {
			t.Errorf("%d %q", got.Status, sitetest.Codes(got.Body))
		}
	}
	if len(server.Heads) != sent {
		t.Error("something was sent without the token")
	}
	s.Cookies = kept
	if got := s.Follow(exchange+"/rounds", answerForm); got.Status != http.StatusOK ||
		len(sitetest.Codes(got.Body)) > 0 {
		t.Errorf("with the cookie back: %d %q", got.Status, sitetest.Codes(got.Body))
	}
}

func TestSecrets_ForgottenEverywhere(t *testing.T) {
	t.Parallel()
	_, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "token", "planted-token-forget")
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"echo"}})
	exchange := s.Last
	s.Follow("/servers/"+id+"/forget", url.Values{"what": {"secrets"}})
	if got := s.Page("/servers/" + id); got.HTML().Has("[data-given]") ||
		len(sitetest.Codes(got.Body)) > 0 {
		t.Error("something is still kept", sitetest.Excerpt(got.Body))
	}
	got := s.Follow(exchange+"/rounds", url.Values{"round": {"1"}, "a0.action": {"decline"}, "do": {"send"}})
	if !slices.Equal(sitetest.Codes(got.Body), []string{"secret_lost"}) {
		t.Errorf("the exchange could go on: %q", sitetest.Codes(got.Body))
	}
}

func TestSecrets_TokenIsNeverSentToAnotherServer(t *testing.T) {
	t.Parallel()
	_, first := sitetest.NewEcho(t)
	other, second := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(first, "token", "planted-token-first")
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.ConnectTo(second, "id", id)
	for _, h := range other.Heads {
		if h.Get("Authorization") != "" {
			t.Error("the token of one server was sent to another")
		}
	}
	if len(other.Heads) == 0 {
		t.Error("the other server was not asked")
	}
}

func TestSecrets_KeptWhenConnectingAgain(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address+"?api_key=planted-key-in-url", "token", "planted-token-kept")
	id := strings.TrimPrefix(s.Last, "/servers/")
	shown := address + "?api_key=" + strings.Repeat("*", len("planted-key-in-url"))
	page := s.ConnectTo(shown, "id", id)
	if !strings.Contains(page.Body, shown) || strings.Contains(page.Body, "planted-key-in-url") {
		t.Error("the address is not masked")
	}
	if last := server.Heads[len(server.Heads)-1]; last.Get("Authorization") != "Bearer planted-token-kept" {
		t.Errorf("the second time: %q", last)
	}
}
