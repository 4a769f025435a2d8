package sitetest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Until waits until an exchange is as it should be.
func (s *Site) Until(id string, done func(playground.Transcript) bool) playground.Transcript {
	s.T.Helper()
	for {
		x, err := s.Store.Exchange(s.T.Context(), "local", id)
		Check(s.T, err)
		if f := x.Fold(); done(f) {
			return f
		}
		changed, running := s.Runner.Watch(s.T.Context(), id, len(x.Log))
		if !running {
			s.T.Fatal("the exchange ended before")
		}
		select {
		case <-changed:
		case <-s.T.Context().Done():
			s.T.Fatal("the test ended before")
		}
	}
}

// CallTool calls a tool of the server at a path and returns the page of the exchange.
func (s *Site) CallTool(server, tool string) Answer {
	s.T.Helper()
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(server, "/servers/")}, "tool": {tool}})
	return s.Page(s.Last)
}

// ConnectTo posts the form of connecting and returns the page it leads to.
func (s *Site) ConnectTo(address string, more ...string) Answer {
	s.T.Helper()
	form := url.Values{"url": {address}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Add(more[i], more[i+1])
	}
	return s.Follow("/servers", form)
}

// ConnectToCommand connects to a server that is a command, and returns its page.
func (s *Site) ConnectToCommand(words []string) Answer {
	s.T.Helper()
	address, _ := s.Lines.Add(words)
	s.ConnectTo(address)
	s.Runner.Wait(s.T.Context(), strings.TrimPrefix(s.Last, "/servers/"))
	return s.Page(s.Last)
}

// Visitor returns another browser on the same site.
func (s *Site) Visitor(t *testing.T) *Site {
	return &Site{T: t, URL: s.URL, Client: s.Client}
}

// Follow posts a form as one browser, whose cookies s keeps, and returns the
// page it leads to.
func (s *Site) Follow(path string, form url.Values) Answer {
	s.T.Helper()
	got := s.Do("POST", path, form.Encode(), http.Header{"Cookie": {s.Cookies}})
	s.KeepCookies(got)
	if got.Status == http.StatusSeeOther {
		got = s.Page(s.Last)
	}
	return got
}

// Page reads a page as the browser of Follow.
func (s *Site) Page(path string) Answer {
	s.T.Helper()
	return s.Do("GET", path, "", http.Header{"Cookie": {s.Cookies}})
}

// Drive answers what an exchange asks, as far as it can, and returns it.
func (s *Site) Drive(id string) playground.Exchange {
	s.T.Helper()
	for range 6 {
		s.Runner.Wait(s.T.Context(), id)
		x, err := s.Store.Exchange(s.T.Context(), "local", id)
		Check(s.T, err)
		f := playground.Fold(x.Log)
		if f.Status != playground.StatusWaiting {
			return x
		}
		last := *f.Last()
		d := playground.Decision{Action: playground.ActionRetry, Round: last.N + 1}
		for _, p := range question.Forms(last) {
			d.Action = playground.ActionAnswer
			r, err := p.Placeholder()
			if err != nil {
				return x
			}
			d.Answers = append(d.Answers, r)
		}
		x.Target = x.Target.At(Base)
		if _, err := s.Runner.Decide(s.T.Context(), x, d); err != nil {
			return x
		}
	}
	s.Runner.Wait(s.T.Context(), id)
	x, err := s.Store.Exchange(s.T.Context(), "local", id)
	Check(s.T, err)
	return x
}

// ComesBack exports an exchange, imports the file and exports that: only the
// mark that it was imported is new.
func (s *Site) ComesBack(path string) {
	s.T.Helper()
	first := s.Get(path + ".json")
	got := s.Do("POST", "/import", first.Body, http.Header{"Content-Type": {"application/json"}})
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("%s: import %d %s", path, got.Status, Excerpt(got.Body))
	}
	second := s.Get(got.Header.Get("Location") + ".json")
	if plain := NotImported(second.Body); plain == second.Body || plain != NotImported(first.Body) {
		s.T.Errorf("%s came back changed:\n%s\n%s", path, first.Body, second.Body)
	}
	if page := s.Get(got.Header.Get("Location")); page.Status != http.StatusOK {
		s.T.Errorf("%s: the imported page is %d", path, page.Status)
	}
}

// CallOf starts a call of a tool, as the newest session, and returns the id of
// its exchange.
func (s *Site) CallOf(tool, address string) string {
	s.T.Helper()
	id := s.Config.App.NewID()
	x := playground.Exchange{
		ID: id, Session: "session" + id, Created: s.Config.App.Now(),
		Target: playground.Target{Name: "hidden", URL: address, Capabilities: playground.Declare([]string{
			"elicitation.form", "elicitation.url", "sampling", "tasks"})},
		Call: playground.Call{Method: playground.ToolsCall, Params: jsontree.ObjectOf(
			jsontree.Pair{Key: "name", Value: jsontree.Quote(tool)})},
	}
	Check(s.T, s.Store.AddExchange(s.T.Context(), "local", tool, x))
	_, err := s.Runner.Decide(s.T.Context(), x, playground.Decision{Action: playground.ActionStart, Round: 1})
	Check(s.T, err)
	s.Runner.Answered(s.T.Context(), id)
	return id
}

// InMode makes the sample's own call in a protection and answers it to its end.
func (s *Site) InMode(slug string, mode lab.Protection) string {
	s.T.Helper()
	s.Post("/exchanges", "sample="+slug)
	s.Post(s.Last+"/rerun", "state="+string(mode))
	path := s.Last
	answers := map[string][]string{"azure-devops": {"Duplicate", "4301"}, "voucher": {"true"}}
	for i, answer := range answers[slug] {
		got := s.Post(path+"/rounds", fmt.Sprintf("round=%d&a0.action=accept&a0.f0=%s", i+1, answer))
		if got.Status != 303 {
			s.T.Fatalf("round %d: %d", i+1, got.Status)
		}
	}
	return path
}

// Stranger begins a call of a sample, so that s has a workspace from then on.
func (s *Site) Stranger() {
	s.T.Helper()
	if got := s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}}); got.Status != http.StatusOK {
		s.T.Fatalf("no workspace: %d %s", got.Status, Excerpt(got.Body))
	}
}

// Finished makes a call of the Azure DevOps sample, drives it to its end, tries
// an experiment on Round 2 and answers Round 2 in another way. It returns the
// addresses of the call and of the experiment's branch.
func (s *Site) Finished() (call, tried string) {
	s.T.Helper()
	call = s.InMode("azure-devops", lab.Sealed)
	got := s.Post(call+"/branches", url.Values{"round": {"2"}, "experiment": {"flip-state"}}.Encode())
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("experiment: %d %s", got.Status, Excerpt(got.Body))
	}
	return call, got.Header.Get("Location")
}

// ShareAs makes a link of a kind with the given choices, by the page that offers
// it, and returns its token.
func (s *Site) ShareAs(path string) string {
	s.T.Helper()
	form := s.Get(path)
	if form.Status != http.StatusOK {
		s.T.Fatalf("%s: %d", path, form.Status)
	}
	s.Get(Value(s.T, form.Body, "iframe", "src")).Has(s.T, "[data-recording]")
	action, query, _ := strings.Cut(path, "?")
	seen := Value(s.T, form.Body, "[name=seen]", "value")
	got := s.Post(action, "do=create&seen="+seen+"&"+query)
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("share: %d %s", got.Status, Excerpt(got.Body))
	}
	return strings.TrimPrefix(got.Header.Get("Location"), "/shares?made=")
}

// IDsOf returns the ids of the exchanges of the newest session, oldest first.
func (s *Site) IDsOf() []string {
	n, err := s.Store.Session(s.T.Context(), "local", s.SessionOf())
	Check(s.T, err)
	var ids []string
	for _, x := range n.Exchanges {
		ids = append(ids, x.ID)
	}
	return ids
}

// Imported stores a session through the page and returns the path of its
// exchange.
func (s *Site) Imported(n session.Session) string {
	s.T.Helper()
	data, err := export.JSON(n)
	Check(s.T, err)
	got := s.Do("POST", "/import", string(data), http.Header{"Content-Type": {"application/json"}})
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("import: %d %s", got.Status, Excerpt(got.Body))
	}
	return got.Header.Get("Location")
}

// SessionOf returns the session that the newest line of the history belongs to.
func (s *Site) SessionOf() string {
	s.T.Helper()
	return Find(s.T, s.Get("/history").Body, `/sessions/(\w+)/share`)
}

// Share makes a link for the newest session and returns its token.
func (s *Site) Share(choices string) string {
	s.T.Helper()
	path := "/sessions/" + s.SessionOf() + "/share"
	seen := Value(s.T, s.Post(path, "do=preview&"+choices).Body, "[name=seen]", "value")
	got := s.Post(path, "do=create&seen="+seen+"&"+choices)
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("share: %d %s", got.Status, Excerpt(got.Body))
	}
	return strings.TrimPrefix(got.Header.Get("Location"), "/shares?made=")
}

// Do sends a request without cookies and returns the answer. $LAST in the path stands for
// the path that the last redirect led to. A body is that of a form unless the header has
// another type.
func (s *Site) Do(method, path, body string, header http.Header) Answer {
	s.T.Helper()
	path = strings.ReplaceAll(path, "$LAST", s.Last)
	req, err := http.NewRequestWithContext(s.T.Context(), method, s.URL+path, strings.NewReader(body))
	Check(s.T, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if s.User != "" {
		req.Header.Set(UserHeader, s.User)
	}
	if s.Authorization != "" {
		req.Header.Set("Authorization", s.Authorization)
	}
	for name, values := range header {
		req.Header[name] = values
		if name == "Host" {
			req.Host = values[0]
		}
	}
	res, err := s.Client.Do(req)
	Check(s.T, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	Check(s.T, err)
	if to := res.Header.Get("Location"); to != "" {
		s.Last = to
	}
	return Answer{res.StatusCode, res.Header, string(text)}
}

// Get reads a path without cookies.
func (s *Site) Get(path string) Answer { s.T.Helper(); return s.Do("GET", path, "", nil) }

// Post sends a form without cookies.
func (s *Site) Post(path, form string) Answer { s.T.Helper(); return s.Do("POST", path, form, nil) }

// StartOf starts a sample's call and returns the path of its page.
func (s *Site) StartOf(sample string) string {
	s.T.Helper()
	got := s.Post("/exchanges", "sample="+sample)
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("start %s: %d", sample, got.Status)
	}
	return got.Header.Get("Location")
}
