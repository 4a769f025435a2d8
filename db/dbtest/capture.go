package dbtest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func newCapture(id string) capture.Capture {
	return capture.Capture{
		ID: id, Workspace: "w", Token: "token of " + id, Created: Now, Used: Now,
		Target: playground.Target{ID: "t", Name: "h", URL: "https://h/mcp"},
	}
}

func addCapture(t *testing.T, s *db.Store, c capture.Capture) {
	t.Helper()
	added, err := s.AddCapture(t.Context(), c, 9)
	must(t, err)
	if !added {
		t.Fatal("not added")
	}
}

var captureTests = map[string]func(*testing.T, *db.Store){
	"Capture_IsReadAsStored": func(t *testing.T, s *db.Store) {
		want := newCapture("k")
		addCapture(t, s, want)
		byID, idErr := s.Capture(t.Context(), "w", "k")
		byToken, tokenErr := s.CaptureAt(t.Context(), want.Token)
		list, err := s.Captures(t.Context(), "w")
		diff := cmp.Diff([]capture.Capture{want, want, want}, append(list, byID, byToken))
		if diff != "" || errors.Join(idErr, tokenErr, err) != nil {
			t.Error(diff, idErr, tokenErr, err)
		}
		n, err := s.Session(t.Context(), "w", "k")
		if err != nil || n.Kind != "capture" || n.Title != "h" {
			t.Error(n, err)
		}
	},

	"Capture_OfARecording": func(t *testing.T, s *db.Store) {
		c := newCapture("k")
		c.Ended = Now
		x := Exchange("x1")
		x.Log = Events()
		others := Events()[1:]
		for i := range others {
			others[i].Seq = i + 1
		}
		must(t, s.AddRecording(t.Context(), c, session.Session{
			Title: "h", Note: "from a file", Created: Now, Changed: Now, Others: others,
			Exchanges: []playground.Exchange{x},
		}))
		got, err := s.Capture(t.Context(), "w", "k")
		if diff := cmp.Diff(c, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		n, err := s.Session(t.Context(), "w", "k")
		if err != nil || n.Kind != session.KindCapture || !n.Imported || n.Note != "from a file" ||
			len(n.Exchanges) != 1 || len(n.Exchanges[0].Log) != len(x.Log) {
			t.Errorf("%+v, %v", n, err)
		}
		log, err := s.CaptureEvents(t.Context(), "k")
		if diff := cmp.Diff(others, log, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Error(diff, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "k"))
		if _, err := s.Capture(t.Context(), "w", "k"); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
	},

	"Capture_TrustsWhatItsOwnerTrusts": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		must(t, s.TrustCertificate(t.Context(), "w", "t", "https://h:443", []byte("der"), Now))
		addCapture(t, s, newCapture("k"))
		c, err := s.CaptureAt(t.Context(), "token of k")
		if want := wire.Fingerprint([]byte("der")); err != nil || c.Target.Trust.Fingerprint() != want {
			t.Error(c.Target.Trust, err)
		}
	},

	"Capture_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k"))
		_, err := s.Capture(t.Context(), "other", "k")
		_, tokenErr := s.CaptureAt(t.Context(), "another token")
		for _, err := range []error{err, tokenErr, s.EndCapture(t.Context(), "other", "k", Now)} {
			if !errors.Is(err, playground.ErrNotFound) {
				t.Error(err)
			}
		}
		if list, err := s.Captures(t.Context(), "other"); err != nil || len(list) != 0 {
			t.Error(list, err)
		}
	},

	"Capture_OnlySoManyAreOpen": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k1"))
		addCapture(t, s, newCapture("k2"))
		add := func(c capture.Capture) bool {
			added, err := s.AddCapture(t.Context(), c, 2)
			must(t, err)
			return added
		}
		if add(newCapture("k3")) {
			t.Error("a third one was added")
		}
		must(t, s.EndCapture(t.Context(), "w", "k1", Now))
		if !add(newCapture("k4")) {
			t.Error("an ended one still counts")
		}
		late := newCapture("k5")
		late.Created = Now.Add(capture.Life + time.Second)
		if !add(late) {
			t.Error("those that expired still count")
		}
	},

	"Capture_EndsOnce": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k"))
		must(t, s.EndCapture(t.Context(), "w", "k", Now.Add(time.Hour)))
		must(t, s.EndCapture(t.Context(), "w", "k", Now.Add(2*time.Hour)))
		c, err := s.Capture(t.Context(), "w", "k")
		if err != nil || !c.Ended.Equal(Now.Add(time.Hour)) || c.Open(Now) {
			t.Error(c, err)
		}
	},

	"Capture_IsUsed": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k"))
		for _, at := range []time.Duration{30 * time.Second, 2 * time.Minute, 150 * time.Second} {
			must(t, s.UseCapture(t.Context(), "k", Now.Add(at)))
		}
		c, err := s.Capture(t.Context(), "w", "k")
		if err != nil || !c.Used.Equal(Now.Add(2*time.Minute)) {
			t.Error(c.Used, err)
		}
	},

	"Capture_RecordsRequestsAndCalls": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k"))
		before, err := s.CaptureProgress(t.Context(), "k")
		must(t, err)
		must(t, s.Append(t.Context(), "k", playground.Summary{Held: true, Changed: Now.Add(1)}, Events()[1]))
		middle, err := s.CaptureProgress(t.Context(), "k")
		must(t, err)
		unfinished, err := s.Unfinished(t.Context())
		if err != nil || len(unfinished) != 1 || unfinished[0] != "k" {
			t.Error(unfinished, err)
		}
		for i, id := range []string{"one", "two", "three", "ended"} {
			x := Exchange(id)
			x.Session, x.Created = "k", Now.Add(time.Duration(i)*time.Second)
			must(t, s.Begin(t.Context(), x))
			status := map[string]string{
				"one": "waiting", "two": "complete", "three": "running", "ended": "failed",
			}[id]
			must(t, s.Append(t.Context(), id, playground.Summary{Status: status}, Events()...))
		}
		after, err := s.CaptureProgress(t.Context(), "k")
		if err != nil || before >= middle || middle >= after {
			t.Error(before, middle, after, err)
		}
		open, err := s.OpenOfCapture(t.Context(), "k")
		if list := open.Exchanges; err != nil || open.Cut || len(list) != 3 || list[0].ID != "one" ||
			list[1].ID != "three" || list[2].ID != "ended" || len(list[1].Log) != len(Events()) {
			t.Error(open, err)
		}
		size, err := s.SessionSize(t.Context(), "k")
		want := len(Events()[1].Data)
		for range 4 {
			for _, e := range Events() {
				want += len(e.Data)
			}
		}
		if err != nil || size != want {
			t.Errorf("%d bytes, want %d, %v", size, want, err)
		}
	},

	"Capture_HasFurtherLogs": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k"))
		first, err := s.CaptureLog(t.Context(), "k", 0)
		must(t, err)
		var second string
		for range 2 {
			second, err = s.CaptureLog(t.Context(), "k", 1)
			must(t, err)
		}
		if first != "k" || second == first {
			t.Error(first, second)
		}
		sent := Events()[1]
		at := func(n int, kind playground.EventKind) playground.Event {
			when := Now.Add(time.Duration(n) * time.Second)
			return playground.Event{At: when, Conn: 1, Kind: kind, Data: sent.Data}
		}
		held := playground.Summary{Held: true, Changed: Now.Add(time.Hour)}
		before, err := s.CaptureProgress(t.Context(), "k")
		must(t, err)
		ended := playground.Summary{}
		must(t, s.Append(t.Context(), first, ended, at(1, playground.Sent), at(4, playground.Failed)))
		must(t, s.Append(t.Context(), second, held, at(2, playground.Sent), at(3, playground.Failed)))
		after, err := s.CaptureProgress(t.Context(), "k")
		if err != nil || after-before < int64(4*len(sent.Data)) {
			t.Errorf("%d bytes more, %v", after-before, err)
		}
		since, err := s.CaptureSince(t.Context(), "k", map[string]int{first: 1})
		if err != nil || len(since[first]) != 1 || since[first][0].Seq != 2 || len(since[second]) != 2 {
			t.Errorf("since the first event: %v, %v", since, err)
		}
		events, err := s.CaptureEvents(t.Context(), "k")
		must(t, err)
		var conns []int
		for i, e := range events {
			conns = append(conns, e.Conn)
			if e.Seq != i+1 {
				t.Error(e.Seq)
			}
		}
		if !slices.Equal(conns, []int{1, 2, 2, 1}) {
			t.Error(conns)
		}
		size, err := s.SessionSize(t.Context(), "k")
		if err != nil || size != 4*len(sent.Data) {
			t.Error(size, err)
		}
		unfinished, err := s.Unfinished(t.Context())
		if err != nil || !slices.Equal(unfinished, []string{second}) {
			t.Error(unfinished, err)
		}
		n, err := s.Session(t.Context(), "w", "k")
		if err != nil || !n.Changed.Equal(held.Changed) {
			t.Error(n.Changed, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "k"))
		for _, id := range []string{first, second} {
			if log, err := s.Log(t.Context(), id); err != nil || len(log) > 0 {
				t.Errorf("%s is left: %v", id, err)
			}
		}
	},

	"Capture_DiscardsWhatHasNoEvents": func(t *testing.T, s *db.Store) {
		addCapture(t, s, newCapture("k"))
		for _, id := range []string{"empty", "sent"} {
			x := Exchange(id)
			x.Session = "k"
			must(t, s.Begin(t.Context(), x))
		}
		must(t, s.Append(t.Context(), "sent", playground.Summary{}, Events()...))
		for _, id := range []string{"empty", "sent", "k", "unknown"} {
			must(t, s.Discard(t.Context(), id))
		}
		n, err := s.Session(t.Context(), "w", "k")
		if err != nil || len(n.Exchanges) != 1 || n.Exchanges[0].ID != "sent" {
			t.Error(n.Exchanges, err)
		}
	},

	"Capture_IsDeletedWhole": func(t *testing.T, s *db.Store) {
		for _, id := range []string{"k1", "k2", "k3"} {
			addCapture(t, s, newCapture(id))
			must(t, s.Append(t.Context(), id, playground.Summary{}, Events()...))
		}
		must(t, s.DeleteSession(t.Context(), "w", "k1"))
		if _, err := s.CaptureAt(t.Context(), "token of k1"); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
		if err := s.DeleteSession(t.Context(), "other", "k2"); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
		if log, err := s.Log(t.Context(), "k2"); err != nil || len(log) != len(Events()) {
			t.Error("another workspace deleted it", err)
		}
		must(t, s.DeleteSessions(t.Context(), "w"))
		if log, err := s.Log(t.Context(), "k2"); err != nil || len(log) != 0 {
			t.Error(log, err)
		}
		if list, err := s.Captures(t.Context(), "w"); err != nil || len(list) != 0 {
			t.Error(list, err)
		}
	},
}
