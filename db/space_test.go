package db

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// rowsThatCount is a query for the rows that count what they store: the log or else the
// workspace that each counts for, and what it counts.
const rowsThatCount = `SELECT 'event ' || log || ' ' || seq AS id, log, '' AS workspace, bytes FROM event
	UNION ALL SELECT 'exchange ' || id, id, '', bytes FROM exchange
	UNION ALL SELECT 'target ' || id, id, '', bytes FROM target
	UNION ALL SELECT 'session ' || id, '', workspace, bytes FROM session
	UNION ALL SELECT 'share ' || token, '', workspace, bytes FROM share
	UNION ALL SELECT 'saved_call ' || id, '', workspace, bytes FROM saved_call
	UNION ALL SELECT 'sign_in ' || id, '', workspace, bytes FROM sign_in
	UNION ALL SELECT 'token ' || target, '', workspace, bytes FROM token
	UNION ALL SELECT 'registration ' || issuer, '', workspace, bytes FROM registration
	UNION ALL SELECT 'workbench ' || id, '', workspace, bytes FROM workbench
	UNION ALL SELECT 'roots ' || id, '', id, octet_length(roots) - 2 FROM workspace`

// numbers returns the numbers that a query selects, each behind a text.
func numbers(t *testing.T, s *Store, query string) map[string]int64 {
	t.Helper()
	rows, err := s.write.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	list := map[string]int64{}
	for rows.Next() {
		var id string
		var n int64
		if err := rows.Scan(&id, &n); err != nil {
			t.Fatal(err)
		}
		list[id] = n
	}
	return list
}

// checkSums fails unless the sums are those of the rows.
func checkSums(t *testing.T, s *Store, when string) {
	t.Helper()
	counted := numbers(t, s,
		`SELECT 'log ' || id, bytes FROM log UNION ALL SELECT 'workspace ' || id, bytes FROM workspace`)
	there := numbers(t, s, `WITH weighed AS (`+rowsThatCount+`)
		SELECT 'log ' || id, (SELECT coalesce(sum(w.bytes), 0) FROM weighed w WHERE w.log = l.id) FROM log l
		UNION ALL SELECT 'workspace ' || id,
		  (SELECT coalesce(sum(w.bytes), 0) FROM weighed w WHERE w.workspace = o.id)
		  + (SELECT coalesce(sum(w.bytes), 0) FROM weighed w JOIN log l ON l.id = w.log
		     WHERE l.workspace = o.id) FROM workspace o`)
	if diff := cmp.Diff(there, counted); diff != "" {
		t.Errorf("%s: there is (-), was counted (+):\n%s", when, diff)
	}
}

// marked returns an exchange in which every text and byte has a marker.
func marked(id, session, marker string, size int) playground.Exchange {
	fill := strings.Repeat("x", size)
	return playground.Exchange{
		ID: id, Session: session, Created: time.Unix(1, 0),
		Target: playground.Target{
			ID: "t" + id, Name: marker + "name", URL: "https://h/" + marker + "url",
			Header:       []wire.Field{{Name: "X-A", Value: marker + "header"}},
			Capabilities: []byte(`{"` + marker + `capabilities":{}}`),
		},
		Call: playground.Call{
			Method: playground.ToolsCall, Params: []byte(`{"name":"` + marker + `params` + fill + `"}`),
			Tool: []byte(`{"name":"` + marker + `tool"}`),
		},
		Sealed: []byte(marker + "sealed"),
	}
}

func markedLog(marker string, size int) []playground.Event {
	body := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + marker + `body` +
		strings.Repeat("y", size) + `"}]}}`
	return []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Unix(1, 0)),
		{At: time.Unix(1, 0), Conn: 1, Kind: playground.Sent, Data: []byte("POST / " + marker + "sent")},
		{
			At: time.Unix(2, 0), Conn: 1, Kind: playground.Received, Sealed: []byte(marker + "event"),
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body),
		},
	}
}

// filled stores some of everything in a workspace, each row with the marker.
// The rows of several workspaces lie beside each other on the pages of the file.
func filled(t *testing.T, s *Store, workspace, marker string, n int) {
	t.Helper()
	filledWith(t, s, workspace, marker, n, rand.IntN(9000))
}

// filledWith is filled with texts of about size bytes.
func filledWith(t *testing.T, s *Store, workspace, marker string, n, size int) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	id := func(kind string) string { return fmt.Sprint(kind, n, workspace) }
	x := marked(id("x"), id("s"), marker, size)
	must(s.AddExchange(ctx, workspace, marker+"title", x))
	must(s.Append(ctx, x.ID, playground.Summary{Status: "complete", Rounds: 1, Changed: time.Unix(2, 0)},
		markedLog(marker, size)...))
	note := marker + "note" + strings.Repeat("n", size/9)
	must(s.EditSession(ctx, workspace, x.Session, marker+"edited", note, true))
	branch := marked(id("b"), x.Session, marker, 9)
	x.Log = markedLog(marker, 1)
	branch.Origin = &playground.Origin{Exchange: x.ID, Round: 1, Parent: &x}
	must(s.AddBranch(ctx, workspace, branch))
	must(s.AddShare(ctx, workspace, share.Share{
		Token: marker + id("token"), Session: x.Session, Title: marker + "shared", Created: time.Unix(1, 0),
		Expires: time.Now().Add(time.Hour), Data: []byte(marker + "data" + strings.Repeat("d", size)),
		Image: []byte(marker + "image" + strings.Repeat("i", size)),
	}))
	target := x.Target
	target.ID, target.Sealed = id("t"), []byte(marker+"target")
	must(s.AddTarget(ctx, workspace, target, time.Unix(1, 0)))
	must(s.Append(ctx, target.ID, playground.Summary{Status: "connected", Name: marker + "server"},
		markedLog(marker, size)...))
	_, err := s.AddSavedCall(ctx, workspace, session.SavedCall{
		ID: id("v"), Title: marker + "call", Target: target.ID, Kind: "tool", Name: marker + "tool",
		Arguments: []byte(`{"a":"` + marker + strings.Repeat("v", size) + `"}`), Omitted: []string{marker},
		Created: time.Unix(1, 0),
	}, 99)
	must(err)
	signIn := server.SignIn{
		ID: id("g"), Target: target.ID, Stage: "ready", Record: []byte(`"` + marker + `"`),
		Sealed: []byte(marker + strings.Repeat("g", size)), Created: time.Unix(1, 0),
	}
	must(s.AddSignIn(ctx, workspace, signIn))
	signIn.Stage, signIn.Sealed, signIn.Record = "done", nil, []byte(`"`+marker+`done"`)
	must(s.SetSignIn(ctx, workspace, signIn, "ready"))
	must(s.SetToken(ctx, workspace, server.SealedToken{
		Target: target.ID, URL: marker + "url", SignIn: signIn.ID, Sealed: []byte(marker + "token"),
		Added: time.Unix(1, 0),
	}))
	must(s.SetRegistration(ctx, workspace, marker+"issuer", []byte(marker+"client"), time.Unix(1, 0)))
	check := marked(id("c"), id("sc"), marker, 7)
	must(s.AddCheck(ctx, workspace, marker+"check", check))
	must(s.Begin(ctx, marked(id("c2"), id("sc"), marker, size)))
	stage := marked(id("d"), id("sd"), marker, 7)
	mark := demo.Mark{Instances: marker + "mark"}
	must(s.AddStage(ctx, workspace, marker+"stage", "azure-devops", stage, mark))
	must(s.AddLegacy(ctx, marked(id("l"), id("sd"), marker, 7)))
	must(s.AddMark(ctx, id("sd"), 2, demo.Mark{Instances: marker + "mark2"}, time.Unix(3, 0)))
	must(s.SetRoots(ctx, workspace, []question.Root{{URI: "file:///" + marker + strings.Repeat("r", size)}}))
	imported := session.Session{
		ID: id("si"), Title: marker + "imported", Note: marker,
		Created: time.Unix(1, 0), Changed: time.Unix(1, 0),
	}
	in := marked(id("i"), imported.ID, marker, 11)
	in.Log = markedLog(marker, size)
	imported.Exchanges = []playground.Exchange{in}
	must(s.AddSession(ctx, workspace, imported))
}

// TestBytes_AreWhatIsStored stores, changes and deletes everything there is.
func TestBytes_AreWhatIsStored(t *testing.T) {
	s, _ := newStore(t)
	ctx := t.Context()
	for n := range 3 {
		for _, w := range []string{"one", "two"} {
			filled(t, s, w, "Übung", n)
			checkSums(t, s, fmt.Sprint("stored ", n, w))
		}
	}
	do := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(what, err)
		}
		checkSums(t, s, what)
	}
	target := marked("t0one", "", "other", 99).Target
	target.ID = "t0one"
	do("server changed", s.SetTarget(ctx, "one", target))
	do("secrets forgotten", s.ForgetSecrets(ctx, "one", "t1one"))
	do("registration deleted", s.DeleteRegistration(ctx, "one", "Übungissuer"))
	do("saved call renamed", s.RenameSavedCall(ctx, "one", "v1one", "Übung zwei"))
	do("saved call deleted", s.DeleteSavedCall(ctx, "one", "v1one"))
	do("secrets forgotten", s.ForgetSecrets(ctx, "one", "t0one"))
	do("server forgotten", s.ForgetTarget(ctx, "one", "t0one"))
	do("share deleted", s.DeleteShare(ctx, "one", "Übungtoken0one"))
	do("shares expired", s.DeleteExpiredShares(ctx, time.Now().Add(2*time.Hour)))
	do("session deleted", s.DeleteSession(ctx, "one", "s0one"))
	do("stage deleted", s.DeleteSession(ctx, "one", "sd0one"))
	do("sessions deleted", s.DeleteSessions(ctx, "one"))
	do("workspace purged", s.PurgeWorkspace(ctx, "two"))
	do("roots", s.SetRoots(ctx, "one", []question.Root{}))
	var left int64
	do("saved call deleted", s.DeleteSavedCall(ctx, "one", "v2one"))
	do("server forgotten", s.ForgetTarget(ctx, "one", "t1one"))
	do("server forgotten", s.ForgetTarget(ctx, "one", "t2one"))
	const others = `SELECT bytes - (SELECT coalesce(sum(bytes), 0) FROM log) FROM workspace`
	err := s.read.QueryRow(others).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("without sessions and servers the workspace stores %d bytes, %v", left, err)
	}
}

// TestBytes_EachKindOfRow adds, changes and deletes each kind of row, on each engine.
// Whatever a step does, the sums are those of the rows, and the payer is charged for
// what logs and other rows count more than before.
func TestBytes_EachKindOfRow(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		if _, err := s.Salt(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
		now, later := time.Unix(1, 0), time.Now().Add(time.Hour)
		x := marked("x", "s", "ü", 9)
		x.Sealed = nil
		target := marked("t", "", "ü", 9).Target
		target.ID = "t"
		long := strings.Repeat("ü", 50)
		signIn := server.SignIn{ID: "g", Target: "t", Stage: "ready", Record: []byte(`"ü"`),
			Sealed: []byte("sealed"), Created: now}
		grown, shrunk := signIn, signIn
		grown.Record, grown.Sealed = []byte(`"`+long+`"`), []byte("sealed twice")
		shrunk.Sealed = nil
		repeated := playground.Repetition{Of: 3, Count: 2}.Event(now, 3)
		repeated.Seq = 4
		more := repeated
		more.Conn, more.Data = 4, playground.Repetition{Of: 3, Count: 100}.Event(now, 4).Data
		running := playground.Summary{Status: "running", Rounds: 1, Changed: now}
		imported := session.Session{ID: "si", Title: "ü", Note: long, Created: now, Changed: now,
			Exchanges: []playground.Exchange{marked("i", "si", "ü", 3)}}
		imported.Exchanges[0].Log = markedLog("ü", 30)
		charged := map[string]int64{}
		for i, step := range []struct {
			what string
			do   func(ctx context.Context) error
		}{
			{"call", func(ctx context.Context) error { return s.AddExchange(ctx, "w", "ü", x) }},
			{"events", func(ctx context.Context) error { return s.Append(ctx, "x", running, markedLog("ü", 9)...) }},
			{"poll", func(ctx context.Context) error { return s.Append(ctx, "x", running, repeated) }},
			{"poll again", func(ctx context.Context) error { return s.Append(ctx, "x", running, more) }},
			{"call sealed", func(ctx context.Context) error { return s.SealExchange(ctx, "w", "x", []byte("seal")) }},
			{"call looked at", func(ctx context.Context) error { return s.Looked(ctx, "x", later) }},
			{"branch", func(ctx context.Context) error {
				b := marked("b", "s", "ü", 9)
				b.Origin = &playground.Origin{Exchange: "x"}
				return s.AddBranch(ctx, "w", b)
			}},
			{"session edited", func(ctx context.Context) error {
				return s.EditSession(ctx, "w", "s", "ü", long, true)
			}},
			{"session cut", func(ctx context.Context) error { return s.EditSession(ctx, "w", "s", "ü", "", true) }},
			{"check", func(ctx context.Context) error {
				return s.AddCheck(ctx, "w", "ü", marked("c", "sc", "ü", 9))
			}},
			{"call of a check", func(ctx context.Context) error { return s.Begin(ctx, marked("c2", "sc", "ü", 9)) }},
			{"stage", func(ctx context.Context) error {
				return s.AddStage(ctx, "w", "ü", "story", marked("d", "sd", "ü", 9), demo.Mark{Instances: "a"})
			}},
			{"legacy call", func(ctx context.Context) error { return s.AddLegacy(ctx, marked("l", "sd", "ü", 9)) }},
			{"import", func(ctx context.Context) error { return s.AddSession(ctx, "w", imported) }},
			{"server", func(ctx context.Context) error { return s.AddTarget(ctx, "w", target, now) }},
			{"server connected", func(ctx context.Context) error {
				return s.Append(ctx, "t", playground.Summary{Status: "connected", Name: "ü"}, markedLog("ü", 9)...)
			}},
			{"server changed", func(ctx context.Context) error {
				changed := target
				changed.URL, changed.Sealed = "https://"+long, []byte("sealed")
				return s.SetTarget(ctx, "w", changed)
			}},
			{"share", func(ctx context.Context) error {
				return s.AddShare(ctx, "w", share.Share{Token: "token", Session: "s", Title: "ü", Created: now,
					Expires: later, Data: []byte("data"), Image: []byte("image")})
			}},
			{"share read", func(ctx context.Context) error { return s.CountView(ctx, "token") }},
			{"saved call", func(ctx context.Context) error {
				_, err := s.AddSavedCall(ctx, "w", session.SavedCall{ID: "v", Title: "ü", Target: "t", Kind: "tool",
					Name: "ü", Arguments: []byte(`{"ü":1}`), Omitted: []string{"ü"}, Created: now}, 9)
				return err
			}},
			{"saved call renamed", func(ctx context.Context) error { return s.RenameSavedCall(ctx, "w", "v", long) }},
			{"sign-in", func(ctx context.Context) error { return s.AddSignIn(ctx, "w", signIn) }},
			{"sign-in goes on", func(ctx context.Context) error { return s.SetSignIn(ctx, "w", grown, "ready") }},
			{"sign-in ends", func(ctx context.Context) error { return s.SetSignIn(ctx, "w", shrunk, "ready") }},
			{"token", func(ctx context.Context) error {
				return s.SetToken(ctx, "w", server.SealedToken{Target: "t", URL: "ü", SignIn: "g",
					Sealed: []byte("sealed"), Added: now})
			}},
			{"registration", func(ctx context.Context) error {
				return s.SetRegistration(ctx, "w", "https://ü", []byte("sealed"), now)
			}},
			{"workbench", func(ctx context.Context) error {
				return s.KeepWorkbench(ctx, "w", "w", []byte("sealed"), now, later, 9)
			}},
			{"roots", func(ctx context.Context) error {
				return s.SetRoots(ctx, "w", []question.Root{{URI: "file:///ü"}})
			}},
			{"roots deleted", func(ctx context.Context) error { return s.SetRoots(ctx, "w", []question.Root{}) }},
			{"secrets forgotten", func(ctx context.Context) error { return s.ForgetSecrets(ctx, "w", "t") }},
			{"token deleted", func(ctx context.Context) error { return s.DeleteToken(ctx, "w", "t") }},
			{"registration deleted", func(ctx context.Context) error {
				return s.DeleteRegistration(ctx, "w", "https://ü")
			}},
			{"workbench expired", func(ctx context.Context) error {
				return s.DeleteExpiredWorkbenches(ctx, later.Add(1))
			}},
			{"share deleted", func(ctx context.Context) error { return s.DeleteShare(ctx, "w", "token") }},
			{"saved call deleted", func(ctx context.Context) error { return s.DeleteSavedCall(ctx, "w", "v") }},
			{"server forgotten", func(ctx context.Context) error { return s.ForgetTarget(ctx, "w", "t") }},
			{"stage deleted", func(ctx context.Context) error { return s.DeleteSession(ctx, "w", "sd") }},
			{"sessions deleted", func(ctx context.Context) error { return s.DeleteSessions(ctx, "w") }},
			{"workspace purged", func(ctx context.Context) error { return s.PurgeWorkspace(ctx, "w") }},
		} {
			address := fmt.Sprint("payer ", i)
			ctx := usage.WithPayer(t.Context(), usage.Payer{Day: 7, Hash: address, Network: "network"})
			before := stored(t, s)
			if err := step.do(ctx); err != nil {
				t.Fatal(step.what, err)
			}
			checkSums(t, s, step.what)
			want, after := maps.Clone(charged), stored(t, s)
			payers := payersOf(t, s)
			for id, n := range after {
				of, more := address, n-before[id]
				if payer := payers[id]; payer != "" {
					of = payer
				}
				if more > 0 {
					want[of] += more
					want["network"] += more
				}
			}
			charged = numbers(t, s, `SELECT hash, bytes FROM payer WHERE bytes > 0`)
			if diff := cmp.Diff(want, charged); diff != "" {
				t.Errorf("%s: want (-), charged (+):\n%s", step.what, diff)
			}
		}
		if left := stored(t, s); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// stored returns what logs count, and the rows that are in no log.
func stored(t *testing.T, s *Store) map[string]int64 {
	t.Helper()
	return numbers(t, s, `SELECT 'log ' || id, bytes FROM log
		UNION ALL SELECT r.id, r.bytes FROM (`+rowsThatCount+`) r WHERE r.log = ''`)
}

// payersOf returns the payers of logs.
func payersOf(t *testing.T, s *Store) map[string]string {
	t.Helper()
	list, err := queryTexts(t.Context(), s.write,
		`SELECT 'log ' || l.id || '=' || p.hash FROM log l JOIN payer p ON p.id = l.payer`)
	if err != nil {
		t.Fatal(err)
	}
	payers := map[string]string{}
	for _, text := range list {
		log, payer, _ := strings.Cut(text, "=")
		payers[log] = payer
	}
	return payers
}

// remains returns the files of a directory that have the marker in them.
func remains(t *testing.T, dir, marker string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(marker)) ||
			bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(marker))) {
			found = append(found, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDelete_LeavesNoBytes: after a deletion and a clean stop no byte of the
// recording is in any file (fault 97), in whichever way it was deleted and
// whatever lay beside it. With the sizes of some seeds SQLite leaves copies of
// rows in the unused parts of pages.
func TestDelete_LeavesNoBytes(t *testing.T) {
	const marker, other = "Markierung7Xq", "Bleibt8Zw"
	for name, remove := range map[string]func(*Store) error{
		"each session, share and server": func(s *Store) error {
			ctx := context.Background()
			for n := range 12 {
				for _, kind := range []string{"s", "sc", "sd", "si"} {
					if err := s.DeleteSession(ctx, "gone", fmt.Sprint(kind, n, "gone")); err != nil {
						return err
					}
				}
				if err := s.ForgetTarget(ctx, "gone", fmt.Sprint("t", n, "gone")); err != nil {
					return err
				}
			}
			if err := s.DeleteRegistration(ctx, "gone", marker+"issuer"); err != nil {
				return err
			}
			return s.SetRoots(ctx, "gone", nil) // a default of the workspace, not a recording
		},
		"workspace": func(s *Store) error { return s.PurgeWorkspace(context.Background(), "gone") },
		"workspace, and killed before the clean stop": func(s *Store) error {
			err := s.PurgeWorkspace(context.Background(), "gone")
			s.residue.Store(false) // so that Close does not know
			if err := errors.Join(err, s.Close()); err != nil {
				return err
			}
			again, err := Open(context.Background(), s.path)
			if err != nil {
				return err
			}
			return again.Close()
		},
	} {
		for _, seed := range []uint64{1, 2, 16} {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				s, path := newStore(t)
				sizes := rand.New(rand.NewPCG(seed, 0))
				for n := range 12 {
					filledWith(t, s, "gone", marker, n, sizes.IntN(9000))
					filledWith(t, s, "stays", other, n, sizes.IntN(9000))
				}
				if len(remains(t, filepath.Dir(path), marker)) == 0 {
					t.Fatal("the marker is nowhere to begin with")
				}
				if err := remove(s); err != nil {
					t.Fatal(err)
				}
				_ = s.Close() // an error if it is closed already
				if found := remains(t, filepath.Dir(path), marker); len(found) > 0 {
					t.Errorf("still in %v", found)
				}
				if len(remains(t, filepath.Dir(path), other)) == 0 {
					t.Error("what was not deleted is gone")
				}
			})
		}
	}
}

// waitForSize waits until a file is smaller than a size.
func waitForSize(t *testing.T, path string, most int64) {
	t.Helper()
	until(func() bool {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() < most
	})
}

// TestDelete_GivesSpaceBack while the program runs.
func TestDelete_GivesSpaceBack(t *testing.T) {
	s, path := newStore(t)
	for i := range 40 {
		if err := addOne(t.Context(), s, fmt.Sprint("large", i)); err != nil {
			t.Fatal(err)
		}
	}
	full, err := s.Storage(t.Context(), "w", usage.Payer{})
	if err != nil || full.Total < 4_000_000 || full.Workspace < 4_000_000 {
		t.Fatalf("%+v, %v", full, err)
	}
	if err := s.PurgeWorkspace(t.Context(), "w"); err != nil {
		t.Fatal(err)
	}
	after, err := s.Storage(t.Context(), "w", usage.Payer{})
	if err != nil || after.Total > 1_000_000 || after.Workspace != 0 {
		t.Errorf("counted at once: %+v, %v", after, err)
	}
	waitForSize(t, path, 1_000_000)
	if err := quickCheck(t.Context(), s.write, `PRAGMA quick_check(1)`); err != nil {
		t.Error(err)
	}
}

// TestOpen_FilesArePrivate: those of a new database, and those that an earlier
// version left readable for others.
func TestOpen_FilesArePrivate(t *testing.T) {
	check := func(dir string, least int) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) < least {
			t.Fatalf("%d files, %v", len(entries), err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %o", e.Name(), info.Mode().Perm())
			}
		}
	}
	path := filepath.Join(t.TempDir(), "playground.db")
	s := openFile(t, path)
	if err := addOne(t.Context(), s, "x"); err != nil {
		t.Fatal(err)
	}
	check(filepath.Dir(path), 4)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-lock", "-wal"} {
		f, err := os.OpenFile(path+suffix, os.O_CREATE|os.O_RDONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		if err := os.Chmod(path+suffix, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again := openFile(t, path)
	if err := addOne(t.Context(), again, "y"); err != nil {
		t.Fatal(err)
	}
	check(filepath.Dir(path), 4)
}

// TestStorage_IsTheSameAfterARestart: what a workspace and an address have
// stored, and the salt of the day.
func TestStorage_IsTheSameAfterARestart(t *testing.T) {
	s, path := newStore(t)
	salt, err := s.Salt(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	p := usage.Payer{Day: 7, Hash: usage.Hash(salt, "192.0.2.1/32")}
	if err := addOne(usage.WithPayer(t.Context(), p), s, "x"); err != nil {
		t.Fatal(err)
	}
	before, err := s.Storage(t.Context(), "w", p)
	if err != nil || before.Address < 100_000 || before.Workspace < 100_000 {
		t.Fatalf("%+v, %v", before, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if found := remains(t, filepath.Dir(path), "192.0.2.1"); len(found) > 0 {
		t.Errorf("the address is in %v", found)
	}
	again := openFile(t, path)
	after, err := again.Storage(t.Context(), "w", p)
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if same, err := again.Salt(t.Context(), 7); err != nil || !bytes.Equal(same, salt) {
		t.Errorf("another salt, %v", err)
	}
}

// TestDelete_GivesSpaceBackAfterAReader: what was read from the file while it was to
// shrink delays that, and a small deletion meanwhile does not make it forgotten.
func TestDelete_GivesSpaceBackAfterAReader(t *testing.T) {
	var tries atomic.Int64 // to copy the log
	s, _ := newStore(t, WithStatements(func(_ context.Context, query string, _ []driver.NamedValue) {
		if query == `PRAGMA wal_checkpoint(PASSIVE)` {
			tries.Add(1)
		}
	}))
	days := func(ctx context.Context, tx *txn) error {
		for n := range 403 {
			_, err := tx.ExecContext(ctx, `INSERT INTO day (day, salt) VALUES (?, zeroblob(20000))`, n)
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.change(t.Context(), owner{}, days); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	full := s.size()
	reader, err := s.read.QueryContext(t.Context(), `SELECT day, salt FROM day ORDER BY salt, day`)
	if err != nil || !reader.Next() {
		t.Fatal(err)
	}
	if err := s.DeleteDays(t.Context(), 400); err != nil {
		t.Fatal(err)
	}
	s.noticeFree()
	until(func() bool {
		var free int
		if err := s.read.QueryRowContext(t.Context(), `PRAGMA freelist_count`).Scan(&free); err != nil {
			t.Fatal(err)
		}
		return free == 0
	})
	for range 3 { // nothing is free any more when it looks again
		before := tries.Load()
		s.noticeFree()
		until(func() bool { return tries.Load() > before })
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	waitForSize(t, s.path, full/4)
}
