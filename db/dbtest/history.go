package dbtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

var historyTests = map[string]func(*testing.T, *db.Store){
	"Sessions_EachIsOnOnePage": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 101)
		AddSessions(t, s, "other", 3)
		for _, id := range []string{"s00007-w", "s00050-w"} {
			must(t, s.EditSession(t.Context(), "w", id, "pinned one", "a note", true))
		}
		seen := map[string]bool{}
		all := pages(t, s, session.Search{Limit: 10})
		for _, r := range all {
			if seen[r.ID] || len(r.Exchanges) != 1 {
				t.Errorf("%s twice, or with %d exchanges", r.ID, len(r.Exchanges))
			}
			seen[r.ID] = true
		}
		if len(all) != 101 || all[0].ID != "s00050-w" || all[1].ID != "s00007-w" || all[2].ID != "s00100-w" {
			t.Errorf("%d sessions, led by %s, %s, %s", len(all), all[0].ID, all[1].ID, all[2].ID)
		}
		if found := search(t, s, "PINNED azure", ""); len(found) != 2 {
			t.Errorf("%d found", len(found))
		}
	},

	// Saved calls and links stand among the sessions, each on one page, also those of one moment.
	"History_EachIsOnOnePage": func(t *testing.T, s *db.Store) {
		addEverything(t, s)
		first, err := s.ExchangeRows(t.Context(), "w", "s00000-w")
		must(t, err)
		for _, c := range []struct {
			q    session.Search
			want string
		}{
			{session.Search{}, "s00001-w s00002-w save2 link1 s00000-w save1 save0 link0 link2"},
			{session.Search{Kind: session.KindSaved}, "save2 save1 save0"},
			{session.Search{Kind: session.KindLink}, "link1 link0 link2"},
			{session.Search{Kind: session.KindExchange}, "s00001-w s00002-w s00000-w"},
			{session.Search{Kind: "unknown"}, ""},
			{session.Search{Status: first[0].Status}, "s00001-w s00002-w s00000-w"},
			{session.Search{Words: []string{"Update", "AVE"}}, "save2 save1 save0"},
			{session.Search{Words: []string{"shown", "link1"}}, "link1"},
			{session.Search{Words: []string{"1.0}"}}, "save2 save1 save0"},
		} {
			for _, limit := range []int{1, 2, 3, 100} {
				q := c.q
				q.Limit = limit
				var got []string
				for _, r := range historyPages(t, s, q) {
					got = append(got, strings.TrimPrefix(r.Title, "shown "))
				}
				if list := strings.Join(got, " "); list != c.want {
					t.Errorf("%+v: %q, want %q", q, list, c.want)
				}
			}
		}
	},

	"History_RowsSayWhatTheyAre": func(t *testing.T, s *db.Store) {
		addEverything(t, s)
		page, err := s.History(t.Context(), "w", session.Search{Limit: 9}, Now)
		must(t, err)
		saved, link := page.Rows[2], page.Rows[3]
		if saved.Kind != session.KindSaved || saved.Saved == nil || saved.Saved.ID != saved.ID ||
			string(saved.Saved.Arguments) == "" || !saved.Changed.Equal(Now.Add(time.Second)) {
			t.Errorf("%+v", saved)
		}
		if link.Kind != session.KindLink || link.Link == nil || link.Link.Token != "link1" ||
			link.Link.Session != "s00000-w" || !link.Link.Expires.Equal(Now.Add(time.Hour)) ||
			strings.Contains(link.ID, "link") {
			t.Errorf("%+v", link)
		}
		links := session.Search{Limit: 9, Kind: session.KindLink}
		page, err = s.History(t.Context(), "w", links, Now.Add(time.Hour))
		if err != nil || len(page.Rows) > 0 {
			t.Errorf("%d links have not expired, %v", len(page.Rows), err)
		}
		if page, err = s.History(t.Context(), "other", session.Search{Limit: 9}, Now); len(page.Rows) > 0 {
			t.Errorf("another workspace sees %+v, %v", page.Rows, err)
		}
	},

	"Sessions_RowsShowTheirExchanges": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		x.Call.Params = []byte(`{"name":"t","arguments":{"id":4522}}`)
		start := playground.Decision{Action: playground.ActionStart, Round: 1, Experiment: "flip-byte"}
		later := playground.Decision{Action: playground.ActionAnswer, Round: 2, Experiment: "other"}
		at := Now.Add(time.Hour)
		sum := playground.Summary{Status: "complete", Rounds: 2, ToolError: true, SignIn: true, Changed: at}
		must(t, s.AddExchange(t.Context(), "w", "Title", x))
		must(t,
			s.Append(t.Context(), "x", cancelled(), start.Event(Now)),
			s.Append(t.Context(), "x", sum, later.Event(at), Events()[1]),
		)
		list, err := s.Sessions(t.Context(), "w", session.Search{Limit: 1})
		want := []session.Row{{
			ID: "sx", Title: "Title", Kind: session.KindExchange, Changed: at,
			Exchanges: []session.ExchangeRow{{
				ID: "x", Target: "Azure", Method: "tools/call", TargetID: "t", Status: "complete",
				ToolError: true, SignIn: true, Rounds: 2, Summary: "id: 4522", Experiment: "flip-byte",
			}},
		}}
		if diff := cmp.Diff(want, list.Rows); diff != "" || err != nil {
			t.Error(diff, err)
		}
	},

	"Sessions_AnImportNeedsNoSignIn": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		refused := playground.Event{Seq: 3, At: Now, Conn: 1, Kind: playground.Received,
			Data: []byte("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")}
		x.Log = append(Events()[:2:2], refused)
		must(t, s.AddSession(t.Context(), "w", session.Session{
			ID: "i", Created: Now, Changed: Now, Exchanges: []playground.Exchange{x},
		}))
		if !x.Fold().NeedsSignIn() {
			t.Fatalf("the call is %s", x.Fold().Status)
		}
		if rows := search(t, s, "", ""); len(rows) != 1 || rows[0].Exchanges[0].SignIn {
			t.Errorf("%+v", rows)
		}
	},

	"Sessions_FindsWords": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		x.Target.Name, x.Target.URL = "Größe (sample)", "https://Straße.example/mcp"
		x.Call.Params = []byte(
			`{"name":"update_work_item","arguments":{"city":"\u0130stanbul","\u00c4rger":"DIYARBAKIR"}}`)
		sum := playground.Summary{Status: "waiting", Rounds: 1, Changed: Now}
		must(t,
			s.AddExchange(t.Context(), "w", "Übung EINS", x),
			s.Append(t.Context(), "x", sum, Events()[0], answer(`{"jsonrpc":"2.0","id":1,"result":
				{"content":[{"type":"text","text":"Η ΟΔΟΣ ﬁle"}],"requestState":"OPAQUE"}}`)),
			s.EditSession(t.Context(), "w", "sx", "Übung EINS", "100% ŁÓDŹ_x", false),
			s.AddExchange(t.Context(), "w", "another", Exchange("y")),
		)
		for source, words := range map[string][]string{
			"title":      {"Übung", "übung", "ÜBUNG", "U\u0308bung", "eins", "EINS"},
			"note":       {"łódź", "100%", "ŁÓDŹ_X"},
			"target":     {"GRÖSSE", "größe", "strasse", "STRAẞE.EXAMPLE"},
			"call":       {"UPDATE_work", "ÄRGER", "ärger", "diyarbakir", "dıyarbakır"},
			"dotted i":   {"istanbul", "İSTANBUL", "ISTANBUL", "ıstanbul"},
			"answer":     {"οδος", "ΟΔΟΣ", "οδοσ", "FILE", "ﬁle"},
			"status":     {"waiting", "WAIT"},
			"everywhere": {"übung ΟΔΟΣ waiting istanbul"},
		} {
			for _, text := range words {
				if got := search(t, s, text, ""); len(got) != 1 || got[0].ID != "sx" {
					t.Errorf("%s: %q: %d found", source, text, len(got))
				}
			}
		}
		for _, text := range []string{"ubung", "zwei", "Übun_", "ein%", "opaque", "!", "übung another"} {
			if got := search(t, s, text, ""); len(got) != 0 {
				t.Errorf("%q: %d found", text, len(got))
			}
		}
		must(t, s.EditSession(t.Context(), "w", "sx", "Zwei", "", false))
		for text, want := range map[string]int{"ZWEI": 1, "übung": 0, "łódź": 0} {
			if got := search(t, s, text, ""); len(got) != want {
				t.Errorf("%q after an edit: %d found", text, len(got))
			}
		}
	},

	"Sessions_FindsInLongWords": func(t *testing.T, s *db.Store) {
		var long strings.Builder // without two equal parts, so that no engine makes it short
		for sum := sha256.Sum256(nil); long.Len() < 3900; sum = sha256.Sum256(sum[:]) {
			long.WriteString(hex.EncodeToString(sum[:]))
		}
		note := long.String()
		must(t,
			s.AddExchange(t.Context(), "w", "long", Exchange("x")),
			s.EditSession(t.Context(), "w", "sx", "long", note, false),
		)
		for _, part := range []string{note, note[:3], note[100:140], note[3000:3300], note[3890:]} {
			if got := search(t, s, part, ""); len(got) != 1 {
				t.Errorf("%.40q, %d bytes: %d found", part, len(part), len(got))
			}
		}
		if got := search(t, s, note[100:140]+note[99:140], ""); len(got) != 0 {
			t.Errorf("what is not there: %d found", len(got))
		}
	},

	"Sessions_FindsStatus": func(t *testing.T, s *db.Store) {
		for id, sum := range map[string]playground.Summary{
			"failed": {Status: "failed"},
			"fine":   {Status: "complete"},
			"wrong":  {Status: "complete", ToolError: true},
		} {
			must(t,
				s.AddExchange(t.Context(), "w", id, Exchange(id)),
				s.Append(t.Context(), id, sum, Events()...),
			)
		}
		for status, want := range map[playground.Status]int{
			"failed": 1, "complete": 2, session.SearchToolError: 1, "ready": 0, "": 3,
		} {
			if got := search(t, s, "", status); len(got) != want {
				t.Errorf("%q: %d found, want %d", status, len(got), want)
			}
		}
	},
	"Sessions_OfOneKind": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 3)
		for kind, want := range map[session.Kind]int{
			session.KindExchange: 3, session.KindCheck: 0, "": 3, "unknown": 0,
		} {
			page, err := s.Sessions(t.Context(), "w", session.Search{Limit: 9, Kind: kind})
			must(t, err)
			if len(page.Rows) != want {
				t.Errorf("%q: %d found, want %d", kind, len(page.Rows), want)
			}
		}
	},
}

// search returns what a search for words in workspace w finds.
func search(t *testing.T, s *db.Store, words string, status playground.Status) []session.Row {
	t.Helper()
	page, err := s.Sessions(t.Context(), "w",
		session.Search{Limit: 9, Words: strings.Fields(words), Status: status})
	must(t, err)
	return page.Rows
}

// addEverything adds three sessions, saved calls and links to the workspace w, some of them
// at the same moment.
func addEverything(t *testing.T, s *db.Store) {
	t.Helper()
	AddSessions(t, s, "w", 3)
	for i := range 3 {
		id := fmt.Sprintf("s%05d-w", i)
		must(t, s.EditSession(t.Context(), "w", id, id, "", i == 1))
	}
	for i, at := range []time.Duration{0, 0, time.Second} {
		saved := newSavedCall(fmt.Sprint("save", i), fmt.Sprint("save", i))
		saved.Created = Now.Add(at)
		_, err := s.AddSavedCall(t.Context(), "w", saved, 9)
		must(t, err)
	}
	for i, at := range []time.Duration{0, time.Second, 0} {
		link := newShare(fmt.Sprint("link", i), "s00000-w")
		link.Title, link.Created, link.Expires = fmt.Sprint("shown link", i), Now.Add(at), Now.Add(time.Hour)
		must(t, s.AddShare(t.Context(), "w", link))
	}
}

// historyPages returns all pages of everything that a search in workspace w finds.
func historyPages(t *testing.T, s *db.Store, q session.Search) []session.Row {
	t.Helper()
	var all []session.Row
	for {
		page, err := s.History(t.Context(), "w", q, Now)
		must(t, err)
		all = append(all, page.Rows...)
		if len(page.Rows) < q.Limit {
			return all
		}
		q.After = page.Rows[len(page.Rows)-1].Cursor()
	}
}

// pages returns all pages of a search in workspace w.
func pages(t *testing.T, s *db.Store, q session.Search) []session.Row {
	t.Helper()
	var all []session.Row
	for {
		page, err := s.Sessions(t.Context(), "w", q)
		must(t, err)
		all = append(all, page.Rows...)
		if len(page.Rows) < q.Limit {
			return all
		}
		q.After = page.Rows[len(page.Rows)-1].Cursor()
	}
}
