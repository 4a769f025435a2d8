package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// drive answers what an exchange asks, as far as it can, and returns it.
func (s *testSite) drive(id string) playground.Exchange {
	s.t.Helper()
	for range 6 {
		s.runner.Wait(s.t.Context(), id)
		x, err := s.store.Exchange(s.t.Context(), "local", id)
		check(s.t, err)
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
		x.Target = x.Target.At(siteBase)
		if _, err := s.runner.Decide(s.t.Context(), x, d); err != nil {
			return x
		}
	}
	s.runner.Wait(s.t.Context(), id)
	x, err := s.store.Exchange(s.t.Context(), "local", id)
	check(s.t, err)
	return x
}

// comesBack exports an exchange, imports the file and exports that: only the
// mark that it was imported is new.
func (s *testSite) comesBack(path string) {
	s.t.Helper()
	first := s.get(path + ".json")
	got := s.do("POST", "/import", first.body, http.Header{"Content-Type": {"application/json"}})
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("%s: import %d %s", path, got.status, excerpt(got.body))
	}
	second := s.get(got.header.Get("Location") + ".json")
	if plain := notImported(second.body); plain == second.body || plain != notImported(first.body) {
		s.t.Errorf("%s came back changed:\n%s\n%s", path, first.body, second.body)
	}
	if page := s.get(got.header.Get("Location")); page.status != http.StatusOK {
		s.t.Errorf("%s: the imported page is %d", path, page.status)
	}
}

// notImported returns a file without the line that says that it was imported.
func notImported(file string) string { return strings.Replace(file, "  \"imported\": true,\n", "", 1) }

func TestEverySampleComesBackByteForByte(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	done := 0
	for _, slug := range []string{
		"azure-devops", "rolling-upgrade", "load-shedding", "confirm", "checkout", "profile", "trip",
		"interview", "workspace",
		"sign-in", "wizard", "voucher", "prompt-resource", "slow", "tasks", "before-mrtr", "naughty",
		"naughty-legacy", "conformance",
	} {
		got := s.post("/exchanges", "sample="+slug)
		if got.status != http.StatusSeeOther {
			continue // some have no call of their own to start with
		}
		path := got.header.Get("Location")
		x := s.drive(strings.TrimPrefix(path, "/x/"))
		if len(x.Log) < 3 {
			t.Errorf("%s: only %d events", slug, len(x.Log))
		}
		s.comesBack(path)
		done++
	}
	if done < 12 {
		t.Errorf("only %d samples were started", done)
	}
}

func TestViolationsComeBackByteForByte(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, body := range []string{
		"\xff\xfe\x00", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":\"\xc3\x28\"}}",
		"\xef\xbb\xbf{}", `{"id":1,"id":2,"result":{},"error":{}}`, "[]", "", "data: {\n",
		strings.Repeat("[", 2000), `{"a":1e400,"b":"\ud800"}`, "\r\n\r\n",
	} {
		at := time.Date(2026, 11, 20, 9, 0, 0, 1000, time.UTC)
		n := session.Session{Title: "odd", Exchanges: []playground.Exchange{{
			Created: at,
			Target: playground.Target{Name: "h", URL: "https://h.example/mcp",
				Capabilities: json.RawMessage("{ }")},
			Call: playground.Call{Method: "tools/call", Params: json.RawMessage(`{"name" : "t"}`)},
			Log: []playground.Event{
				{Seq: 1, At: at, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
				{
					Seq: 2, At: at, Conn: 1, Kind: playground.Sent,
					Data: []byte("POST / HTTP/1.1\r\nHost: h\r\n\r\n{}"),
				},
				{Seq: 3, At: at, Conn: 1, Kind: playground.Received, Data: []byte(
					"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Odd: \x80\r\n\r\n" + body,
				)},
			},
		}}}
		s.comesBack(s.imported(n))
	}
}

func TestAFileThatIsNoneIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, body := range []string{"", "{", "[]", `{"format":"mrtr-playground/session","version":9}`,
		`{"format":"mrtr-playground/session","version":1,"title":"","note":"","exchanges":[]}`} {
		got := s.do("POST", "/import", body, http.Header{"Content-Type": {"application/json"}})
		if got.status != http.StatusUnprocessableEntity || !got.html().Has("[data-error]") {
			t.Errorf("%q: %d", body, got.status)
		}
	}
	if got := s.do("POST", "/import", strings.Repeat(" ", 3<<20),
		nil); got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("3 MiB: %d", got.status)
	}
	var form bytes.Buffer
	fmt.Fprintf(&form, "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b--\r\n")
	multipart := http.Header{"Content-Type": {"multipart/form-data; boundary=b"}}
	if got := s.do("POST", "/import", form.String(), multipart); got.status != http.StatusBadRequest {
		t.Errorf("a form without a file: %d", got.status)
	}
}

func TestABranchComesBackWithWhatItGoesOnFrom(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	path := s.post("/exchanges", "sample=azure-devops").header.Get("Location")
	parent := s.drive(strings.TrimPrefix(path, "/x/"))
	b := parent
	b.ID, b.Log, b.Created = "branch", nil, parent.Created.Add(time.Microsecond)
	b.Origin = &playground.Origin{Exchange: parent.ID, Round: 1, Parent: &parent}
	check(t, s.store.AddBranch(t.Context(), "local", b))
	decline := playground.Answer{Key: "resolution", Value: json.RawMessage(`{"action":"decline"}`)}
	_, err := s.runner.Decide(t.Context(), b, playground.Decision{
		Action: playground.ActionAnswer, Round: 2, Answers: []playground.Answer{decline},
	})
	check(t, err)
	s.drive("branch")
	s.comesBack(path)
	first := s.get("/x/branch.json")
	if strings.Count(first.body, `"log"`) != 2 || !strings.Contains(first.body, `"round": 1`) {
		t.Errorf("the file lacks what the branch goes on from: %s", first.body)
	}
	got := s.do("POST", "/import", first.body, http.Header{"Content-Type": {"application/json"}})
	came, err := s.store.Exchange(t.Context(), "local",
		strings.TrimPrefix(got.header.Get("Location"), "/x/"))
	check(t, err)
	n, err := s.store.Session(t.Context(), "local", came.Session)
	check(t, err)
	if len(n.Exchanges) != 2 || n.Exchanges[1].Origin == nil ||
		n.Exchanges[1].Origin.Exchange != n.Exchanges[0].ID {
		t.Fatalf("%d exchanges, %+v", len(n.Exchanges), n.Exchanges)
	}
	if second := s.get("/x/" + n.Exchanges[1].ID + ".json").body; notImported(second) != first.body {
		t.Errorf("came back changed:\n%s\n%s", first.body, second)
	}
	token := s.share("x=" + n.Exchanges[0].ID + "&x=" + n.Exchanges[1].ID)
	if got := s.get("/s/" + token + "?x=2"); got.status != http.StatusOK ||
		!strings.Contains(got.body, "Branch 1") {
		t.Errorf("the reader of a branch: %d", got.status)
	}
}
