package share_test

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
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestEverySampleComesBackByteForByte(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	done := 0
	for _, slug := range []string{
		"azure-devops", "rolling-upgrade", "load-shedding", "confirm", "checkout", "profile", "trip",
		"interview", "workspace",
		"sign-in", "wizard", "voucher", "prompt-resource", "slow", "tasks", "before-mrtr", "naughty",
		"naughty-legacy", "conformance",
	} {
		got := s.Post("/exchanges", "sample="+slug)
		if got.Status != http.StatusSeeOther {
			continue // some have no call of their own to start with
		}
		path := got.Header.Get("Location")
		x := s.Drive(strings.TrimPrefix(path, "/x/"))
		if len(x.Log) < 3 {
			t.Errorf("%s: only %d events", slug, len(x.Log))
		}
		s.ComesBack(path)
		done++
	}
	if done < 12 {
		t.Errorf("only %d samples were started", done)
	}
}

func TestViolationsComeBackByteForByte(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
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
		s.ComesBack(s.Imported(n))
	}
}

func TestAFileThatIsNoneIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, body := range []string{"", "{", "[]", `{"format":"mrtr-playground/session","version":9}`,
		`{"format":"mrtr-playground/session","version":1,"title":"","note":"","exchanges":[]}`} {
		got := s.Do("POST", "/import", body, http.Header{"Content-Type": {"application/json"}})
		if got.Status != http.StatusUnprocessableEntity || !got.HTML().Has("[data-error]") {
			t.Errorf("%q: %d", body, got.Status)
		}
	}
	if got := s.Do("POST", "/import", strings.Repeat(" ", 9<<20),
		nil); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("9 MiB: %d", got.Status)
	}
	var form bytes.Buffer
	fmt.Fprintf(&form, "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b--\r\n")
	multipart := http.Header{"Content-Type": {"multipart/form-data; boundary=b"}}
	if got := s.Do("POST", "/import", form.String(), multipart); got.Status != http.StatusBadRequest {
		t.Errorf("a form without a file: %d", got.Status)
	}
}

func TestABranchComesBackWithWhatItGoesOnFrom(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.Post("/exchanges", "sample=azure-devops").Header.Get("Location")
	parent := s.Drive(strings.TrimPrefix(path, "/x/"))
	b := parent
	b.ID, b.Log, b.Created = "branch", nil, parent.Created.Add(time.Microsecond)
	b.Origin = &playground.Origin{Exchange: parent.ID, Round: 1, Parent: &parent}
	sitetest.Check(t, s.Store.AddBranch(t.Context(), "local", b))
	decline := playground.Answer{Key: "resolution", Value: json.RawMessage(`{"action":"decline"}`)}
	_, err := s.Runner.Decide(t.Context(), b, playground.Decision{
		Action: playground.ActionAnswer, Round: 2, Answers: []playground.Answer{decline},
	})
	sitetest.Check(t, err)
	s.Drive("branch")
	s.ComesBack(path)
	first := s.Get("/x/branch.json")
	if strings.Count(first.Body, `"log"`) != 2 || !strings.Contains(first.Body, `"round": 1`) {
		t.Errorf("the file lacks what the branch goes on from: %s", first.Body)
	}
	got := s.Do("POST", "/import", first.Body, http.Header{"Content-Type": {"application/json"}})
	came, err := s.Store.Exchange(t.Context(), "local",
		strings.TrimPrefix(got.Header.Get("Location"), "/x/"))
	sitetest.Check(t, err)
	n, err := s.Store.Session(t.Context(), "local", came.Session)
	sitetest.Check(t, err)
	if len(n.Exchanges) != 2 || n.Exchanges[1].Origin == nil ||
		n.Exchanges[1].Origin.Exchange != n.Exchanges[0].ID {
		t.Fatalf("%d exchanges, %+v", len(n.Exchanges), n.Exchanges)
	}
	if second := s.Get("/x/" + n.Exchanges[1].ID + ".json").Body; sitetest.NotImported(second) != first.Body {
		t.Errorf("came back changed:\n%s\n%s", first.Body, second)
	}
	token := s.Share("x=" + n.Exchanges[0].ID + "&x=" + n.Exchanges[1].ID)
	if got := s.Get("/s/" + token + "?x=2"); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, "Branch 1") {
		t.Errorf("the reader of a branch: %d", got.Status)
	}
}
