package share_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// asking returns the events of Round n of a log, from sequence number seq: the
// decision, the request and a response that asks once more. All of them have the
// word.
func asking(seq, n int, word string) []playground.Event {
	at := time.Date(2026, 11, 20, 9, n, 0, 0, time.UTC)
	decision := `{"action":"start","round":1}`
	answers := ""
	if n > 1 {
		value := fmt.Sprintf(`{"action":"accept","content":{"f":"%s"}}`, word)
		decision = fmt.Sprintf(`{"action":"answer","round":%d,"answers":[{"key":"q","value":%s}]}`, n, value)
		answers = `,"inputResponses":{"q":` + value + `}`
	}
	return []playground.Event{
		{Seq: seq, At: at, Kind: playground.Decided, Data: []byte(decision)},
		{Seq: seq + 1, At: at, Conn: n, Kind: playground.Sent, Data: []byte(fmt.Sprintf(
			"POST /mcp HTTP/1.1\r\nHost: h.example\r\nContent-Type: application/json\r\n\r\n"+
				`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"plan","arguments":{}%s}}`,
			n, answers))},
		{Seq: seq + 2, At: at.Add(time.Second), Conn: n, Kind: playground.Received, Data: []byte(fmt.Sprintf(
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
				`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","inputRequests":{"q":`+
				`{"method":"elicitation/create","params":{"mode":"form","message":"Say %s",`+
				`"requestedSchema":{"type":"object","properties":{"f":{"type":"string"}}}}}}}}`, n, word))},
	}
}

// family is a session with a call of two Rounds and two branches from its first
// Round. Each part has a word of its own.
func family() session.Session {
	root := playground.Exchange{
		ID: "r", Created: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), Target: playground.Target{
			Name: "h.example", URL: "https://h.example/mcp", Capabilities: json.RawMessage(`{}`),
		},
		Call: playground.Call{Method: "tools/call",
			Params: json.RawMessage(`{"name":"plan","arguments":{}}`)},
	}
	root.Log = append(asking(1, 1, "rootfirst"), asking(4, 2, "rootsecond")...)
	branch := func(id, word string) playground.Exchange {
		b := root
		b.ID, b.Created, b.Log = id, root.Created.Add(time.Hour), asking(1, 2, word)
		b.Origin = &playground.Origin{Exchange: "r", Round: 1, Parent: &root}
		return b
	}
	return session.Session{Title: "Sessiontitle of branchone and branchtwo", Note: "sessionnote",
		Exchanges: []playground.Exchange{root, branch("a", "branchone"), branch("b", "branchtwo")}}
}

// readable returns everything that the readers of a share can get, by address.
func readable(s *sitetest.Site, token string) map[string]string {
	got := map[string]string{}
	paths := []string{"", ".qr.svg", ".badge.svg", ".png"}
	paths = append(paths, suffixes()...)
	for _, panel := range []string{"picture", "wire", "state", "rules", "timing"} {
		paths = append(paths, "?round=1&panel="+panel, "?round=2&panel="+panel)
	}
	for x := 1; x <= 4; x++ {
		paths = append(paths, fmt.Sprintf("?x=%d", x), fmt.Sprintf("?x=%d&round=2&view=exact", x),
			fmt.Sprintf("/frames/2?x=%d", x), fmt.Sprintf("/frames/3?x=%d", x),
			fmt.Sprintf("/frames/5?x=%d", x), fmt.Sprintf("/frames/6?x=%d", x))
	}
	for _, path := range paths {
		answer := s.Get("/s/" + token + path)
		got[path] = fmt.Sprint(answer.Status, answer.Header.Get("Content-Disposition"), answer.Body)
	}
	got["embed"] = s.Get("/embed/" + token).Body
	stored, err := s.Store.Share(s.T.Context(), token, time.Now())
	sitetest.Check(s.T, err)
	got["data"], got["title"], got["image"] = string(stored.Data), stored.Title, string(stored.Image)
	return got
}

// TestShare_OneExchangeHasNothingOfTheOthers: everything that a reader can get of
// one exchange of a session is, byte for byte, what the reader would get if there
// were no other exchange.
func TestShare_OneExchangeHasNothingOfTheOthers(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	alone := family()
	alone.Title, alone.Note, alone.Exchanges = "plan", "", alone.Exchanges[:1]
	s.Imported(alone)
	want := readable(s, s.Share(""))

	s.Imported(family())
	ids := s.IDsOf()
	for name, choices := range map[string]string{"by default": "", "picked": "x=" + ids[0]} {
		token := s.Share(choices)
		got := readable(s, token)
		for path, text := range got {
			word := foreignWord(text, "branchone", "branchtwo", "Sessiontitle", "sessionnote")
			if word != "" {
				t.Errorf("%s, %q: has %q", name, path, word)
			}
			if path == ".png" || path == ".qr.svg" || path == "image" {
				continue // the QR code is of the link; the picture is compared below
			}
			if sitetest.Plain(text) != sitetest.Plain(want[path]) {
				t.Errorf("%s, %q differs from that of a call without branches", name, path)
			}
		}
		if got["image"] != want["image"] {
			t.Errorf("%s: the picture differs", name)
		}
	}
	both := readable(s, s.Share("x="+ids[0]+"&x="+ids[1]))
	if !strings.Contains(both["data"], "branchone") || strings.Contains(both["data"], "branchtwo") {
		t.Error("not the exchanges that were picked")
	}
}

// TestShare_BranchHasOnlyTheRoundsThatItContinues: a branch is shared with the
// Rounds of the call that it goes on from, and with nothing that came after them.
func TestShare_BranchHasOnlyTheRoundsThatItContinues(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Imported(family())
	ids := s.IDsOf()
	got := readable(s, s.Share("x="+ids[1]))
	for path, text := range got {
		if word := foreignWord(text, "rootsecond", "branchtwo", "Sessiontitle", "sessionnote",
			"and 1 more"); word != "" {
			t.Errorf("%q has %q", path, word)
		}
	}
	for path, words := range map[string][]string{
		"?round=1&panel=wire": {"rootfirst"}, "?round=2&panel=wire": {"branchone"},
		".json": {"rootfirst", "branchone"}, ".md": {"branchone"}, ".txt": {"branchone"},
		"": {"continues from round 1"},
	} {
		for _, word := range words {
			if !strings.Contains(got[path], word) {
				t.Errorf("%q lacks %q", path, word)
			}
		}
	}
	if !strings.HasPrefix(got["?x=1"], "404") {
		t.Error("the call that the branch continues can be opened by itself")
	}
	file := s.Get("/x/" + ids[1] + ".json").Body
	if word := foreignWord(file, "rootsecond", "Say branchtwo"); word != "" {
		t.Errorf("the file of the branch has %q", word)
	}
}

// foreignWord returns the first of the words that is in a text, or "".
func foreignWord(text string, words ...string) string {
	for _, word := range words {
		if strings.Contains(text, word) {
			return word
		}
	}
	return ""
}

// TestShare_SecretOfAnotherExchange: a value that is a secret by its name in one
// exchange is masked in another that is shared without it.
func TestShare_SecretOfAnotherExchange(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	n := family()
	n.Exchanges[1].Log[2].Data = bytes.Replace(n.Exchanges[1].Log[2].Data, []byte(`"message"`),
		[]byte(`"password":"rootsecond","message"`), 1)
	s.Imported(n)
	if data := readable(s, s.Share(""))["data"]; strings.Contains(data, "rootsecond") {
		t.Error("the secret is public")
	}
}

// TestShare_OpensWithWhatWasOnScreen: the link opens with the round and the panel
// of the page that it was made from, and shows the note.
func TestShare_OpensWithWhatWasOnScreen(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.Imported(family())
	page := s.Get(path + "?round=2&panel=rules").Body
	link := sitetest.Value(t, page, `[href*="/share?"]`, "href")
	u, err := url.Parse(link)
	sitetest.Check(t, err)
	for name, want := range map[string]string{"round": "2", "panel": "rules", "x": path[len("/x/"):]} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s of the link to the share page is %q", name, got)
		}
	}
	s.Get(link).Has(t, `option[value="2"][selected] "Round 2"`, `option[value="rules"][selected]`)
	token := s.Share(u.RawQuery + "&note=Look+at+round+2&title=My+title")
	opened := s.Get("/s/" + token)
	opened.Has(t, `[data-shown="2"][data-panel="rules"]`, `"Look at round 2"`, `h1 "My title"`)
	s.Get("/s/"+token+"?round=1").Has(t, `[data-shown="1"][data-panel="wire"]`)
	long := s.Post("/sessions/"+s.SessionOf()+"/share", "do=preview&note="+strings.Repeat("%C3%A4", 900))
	if n := strings.Count(long.Body, "ä"); n != 2*500 { // in the form and among the texts
		t.Errorf("a note of %d characters", n)
	}
}

// TestShare_PreviewIsTheReadersPage: the frame of the share page shows the page
// that the link then shows, with the redacted places marked, and only this site
// may frame it.
func TestShare_PreviewIsTheReadersPage(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Imported(leaky())
	path := "/sessions/" + s.SessionOf() + "/share"
	form := s.Get(path)
	if got := form.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-src 'self'") {
		t.Errorf("the share page: %q", got)
	}
	src := sitetest.Value(t, form.Body, "iframe", "src")
	preview := s.Get(src)
	got := preview.Header
	if !strings.Contains(got.Get("Content-Security-Policy"), "frame-ancestors 'self'") ||
		got.Get("X-Frame-Options") != "SAMEORIGIN" {
		t.Errorf("the preview: %v", got)
	}
	preview.Has(t, "[data-reader]", `mark.masked "***"`)
	if found := leaked(preview.Body); len(found) > 0 {
		t.Errorf("the preview has %q", found)
	}
	token := s.Share("")
	shown, reader := mainOf(t, preview.Body), mainOf(t, s.Get("/s/"+token).Body)
	if got, want := wordsOf(shown), wordsOf(reader); got != want {
		t.Errorf("the preview differs from the reader's page:\n%s\n%s", got, want)
	}
	if htmltest.Parse(reader).Has(`mark.masked`) {
		t.Error("the reader's page has marks")
	}
	if none := s.Get("/sessions/nothing/share/preview?of="); none.Status != http.StatusNotFound {
		t.Errorf("the preview of nothing: %d", none.Status)
	}
}

// TestShare_OldRecordsOpen: shares of earlier versions are a file of package
// export alone.
func TestShare_OldRecordsOpen(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Imported(family())
	token := s.Share("")
	h, err := s.Store.Share(t.Context(), token, time.Now())
	sitetest.Check(t, err)
	_, n, err := share.Decode(h.Data)
	sitetest.Check(t, err)
	h.Token, h.Data = "OLD", []byte(exportJSON(t, n))
	sitetest.Check(t, s.Store.AddShare(t.Context(), "local", h))
	for _, path := range append(suffixes(), "", "?round=2", ".png", ".badge.svg") {
		if got := s.Get("/s/OLD" + path); got.Status != http.StatusOK {
			t.Errorf("%q: %d", path, got.Status)
		}
	}
	if got := s.Get("/embed/OLD"); got.Status != http.StatusOK {
		t.Errorf("embed: %d", got.Status)
	}
}

// mainOf returns the main element of a page.
func mainOf(t *testing.T, page string) string {
	return sitetest.Find(t, page, `(?s)(<main id="main".*</main>)`)
}

// wordsOf returns what a page shows, without its elements.
func wordsOf(page string) string {
	return strings.Join(strings.Fields(sitetest.TagPattern.ReplaceAllString(sitetest.Plain(page), "")), " ")
}

func exportJSON(t *testing.T, n session.Session) string {
	data, err := export.JSON(n)
	sitetest.Check(t, err)
	return string(data)
}
