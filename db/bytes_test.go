package db

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// rowsThatCount is a query for the rows that count as stored: the log or else the
// workspace that each counts for, and its bytes.
const rowsThatCount = `SELECT 'event ' || log || ' ' || seq AS id, log, '' AS workspace, bytes FROM event
	UNION ALL SELECT 'exchange ' || id, id, '', bytes FROM exchange
	UNION ALL SELECT 'target ' || id, id, '', bytes FROM target
	UNION ALL SELECT 'capture ' || id, id, '', bytes FROM capture
	UNION ALL SELECT 'session ' || id, '', workspace, bytes FROM session
	UNION ALL SELECT 'share ' || token, '', workspace, bytes FROM share
	UNION ALL SELECT 'saved_call ' || id, '', workspace, bytes FROM saved_call
	UNION ALL SELECT 'story ' || id, '', workspace, bytes FROM story
	UNION ALL SELECT 'agent_token ' || id, '', workspace, bytes FROM agent_token
	UNION ALL SELECT 'sign_in ' || id, '', workspace, bytes FROM sign_in
	UNION ALL SELECT 'token ' || target, '', workspace, bytes FROM token
	UNION ALL SELECT 'registration ' || issuer, '', workspace, bytes FROM registration
	UNION ALL SELECT 'flow ' || id, '', workspace, bytes FROM flow
	UNION ALL SELECT 'flow_edition ' || flow || ' ' || number, '', workspace, bytes FROM flow_edition
	UNION ALL SELECT 'workbench ' || id, '', workspace, bytes FROM workbench
	UNION ALL SELECT 'roots ' || id, '', id, octet_length(roots) - 2 FROM workspace`

// numbers returns the numbers that a query selects, each behind a text.
func numbers(t *testing.T, s *Store, query string) map[string]int64 {
	t.Helper()
	rows, err := s.db.Writer().QueryContext(t.Context(), query)
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
	do("roots", s.SetRoots(ctx, "one", []question.Root{}, time.Unix(1, 0)))
	var left int64
	do("saved call deleted", s.DeleteSavedCall(ctx, "one", "v2one"))
	do("server forgotten", s.ForgetTarget(ctx, "one", "t1one"))
	do("server forgotten", s.ForgetTarget(ctx, "one", "t2one"))
	for n := range 3 {
		do("story deleted", s.DeleteStory(ctx, "one", fmt.Sprintf("y%done", n)))
		do("token of an agent deleted", s.DeleteAgentToken(ctx, "one", fmt.Sprintf("at%done", n)))
	}
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
			{"events", func(ctx context.Context) error {
				return s.Append(ctx, "x", running, markedLog("ü", 9)...)
			}},
			{"poll", func(ctx context.Context) error { return s.Append(ctx, "x", running, repeated) }},
			{"poll again", func(ctx context.Context) error { return s.Append(ctx, "x", running, more) }},
			{"call sealed", func(ctx context.Context) error {
				return s.SealExchange(ctx, "w", "x", []byte("seal"))
			}},
			{"call looked at", func(ctx context.Context) error { return s.Looked(ctx, "x", later) }},
			{"branch", func(ctx context.Context) error {
				b := marked("b", "s", "ü", 9)
				b.Origin = &playground.Origin{Exchange: "x"}
				return s.AddBranch(ctx, "w", b)
			}},
			{"session edited", func(ctx context.Context) error {
				return s.EditSession(ctx, "w", "s", "ü", long, true)
			}},
			{"session cut", func(ctx context.Context) error {
				return s.EditSession(ctx, "w", "s", "ü", "", true)
			}},
			{"check", func(ctx context.Context) error {
				return s.AddCheck(ctx, "w", "ü", marked("c", "sc", "ü", 9))
			}},
			{"call of a check", func(ctx context.Context) error {
				return s.Begin(ctx, marked("c2", "sc", "ü", 9))
			}},
			{"stage", func(ctx context.Context) error {
				m := demo.Mark{Instances: "a"}
				st := demo.Stage{Session: "sd", Story: "story", Own: "d", Text: "ü", Marks: []demo.Mark{m}}
				return s.AddStage(ctx, "w", st, session.Session{
					Title: "ü", Created: now, Changed: now,
					Exchanges: []playground.Exchange{marked("d", "sd", "ü", 9)},
				})
			}},
			{"legacy call", func(ctx context.Context) error {
				return s.AddLegacy(ctx, marked("l", "sd", "ü", 9))
			}},
			{"import", func(ctx context.Context) error { return s.AddSession(ctx, "w", imported) }},
			{"server", func(ctx context.Context) error { return s.AddTarget(ctx, "w", target, now) }},
			{"server connected", func(ctx context.Context) error {
				sum := playground.Summary{Status: "connected", Name: "ü"}
				return s.Append(ctx, "t", sum, markedLog("ü", 9)...)
			}},
			{"server changed", func(ctx context.Context) error {
				changed := target
				changed.URL, changed.Sealed = "https://"+long, []byte("sealed")
				return s.SetTarget(ctx, "w", changed)
			}},
			{"capture", func(ctx context.Context) error {
				_, err := s.AddCapture(ctx, capture.Capture{
					ID: "k", Workspace: "w", Token: "ü", Target: target, Created: now, Used: now,
				}, 9)
				return err
			}},
			{"capture used", func(ctx context.Context) error { return s.UseCapture(ctx, "k", later) }},
			{"request of a capture", func(ctx context.Context) error {
				return s.Append(ctx, "k", playground.Summary{Held: true, Changed: now}, markedLog("ü", 9)...)
			}},
			{"call of a capture", func(ctx context.Context) error {
				return s.Begin(ctx, marked("kx", "k", "ü",
					9))
			}},
			{"capture ended", func(ctx context.Context) error { return s.EndCapture(ctx, "w", "k", later) }},
			{"capture deleted", func(ctx context.Context) error { return s.DeleteSession(ctx, "w", "k") }},
			{"capture again", func(ctx context.Context) error {
				_, err := s.AddCapture(ctx, capture.Capture{
					ID: "k2", Workspace: "w", Token: "ü2", Target: target, Created: now, Used: now,
				}, 9)
				return err
			}},
			{"flow", func(ctx context.Context) error {
				_, err := s.AddFlow(ctx, flow.Saved{
					ID: "f", Workspace: "w", Token: "ü3", Title: "ü", Text: long,
					Created: now}, 9)
				return err
			}},
			{
				"flow typed into",
				func(ctx context.Context) error { return s.DraftFlow(ctx, "w", "f", long+"ü", later) },
			},
			{"flow saved", func(ctx context.Context) error {
				_, err := s.SaveFlow(ctx, "w", "f", "ü"+long, long+"ü", later)
				return err
			}},
			{"flow called", func(ctx context.Context) error {
				return s.UseFlow(ctx, flow.Saved{ID: "f", Workspace: "w"}, later)
			}},
			{"flow ended", func(ctx context.Context) error { return s.EndFlow(ctx, "w", "f", later) }},
			{"flow renewed", func(ctx context.Context) error {
				return s.RenewFlow(ctx, "w", "f", "ü4ü4", later)
			}},
			{"flow deleted", func(ctx context.Context) error { return s.DeleteSession(ctx, "w", "f") }},
			{"flow again", func(ctx context.Context) error {
				_, err := s.AddFlow(ctx, flow.Saved{
					ID: "f2", Workspace: "w", Token: "ü5", Title: "ü", Text: "ü",
					Created: now}, 9)
				return err
			}},
			{"share", func(ctx context.Context) error {
				return s.AddShare(ctx, "w", share.Share{
					Token: "token", Session: "s", Title: "ü", Created: now, Expires: later,
					Data: []byte("data"), Image: []byte("image"),
				})
			}},
			{"share read", func(ctx context.Context) error { return s.CountView(ctx, "token") }},
			{"saved call", func(ctx context.Context) error {
				_, err := s.AddSavedCall(ctx, "w", session.SavedCall{
					ID: "v", Title: "ü", Target: "t", Kind: "tool", Name: "ü", Arguments: []byte(`{"ü":1}`),
					Omitted: []string{"ü"}, Created: now,
				}, 9)
				return err
			}},
			{"saved call renamed", func(ctx context.Context) error {
				return s.RenameSavedCall(ctx, "w", "v", long)
			}},
			{"story", func(ctx context.Context) error {
				story := demo.Saved{ID: "y", Title: "ü", Text: "ü", Created: now, Used: now}
				_, err := s.AddStory(ctx, "w", story, 9)
				return err
			}},
			{"story changed", func(ctx context.Context) error {
				return s.SetStory(ctx, "w", demo.Saved{ID: "y", Title: "ü", Text: long, Used: later})
			}},
			{"story deleted", func(ctx context.Context) error { return s.DeleteStory(ctx, "w", "y") }},
			{"token of an agent", func(ctx context.Context) error {
				_, err := s.AddAgentToken(ctx, "w", session.AgentToken{ID: "at", Title: "ü"}, "secret", 9)
				return err
			}},
			{"sign-in", func(ctx context.Context) error { return s.AddSignIn(ctx, "w", signIn) }},
			{"sign-in goes on", func(ctx context.Context) error {
				return s.SetSignIn(ctx, "w", grown, "ready")
			}},
			{"sign-in ends", func(ctx context.Context) error {
				return s.SetSignIn(ctx, "w", shrunk, "ready")
			}},
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
				return s.SetRoots(ctx, "w", []question.Root{{URI: "file:///ü"}}, time.Unix(1, 0))
			}},
			{"roots deleted", func(ctx context.Context) error {
				return s.SetRoots(ctx, "w", []question.Root{}, time.Unix(1, 0))
			}},
			{"secrets forgotten", func(ctx context.Context) error {
				return s.ForgetSecrets(ctx, "w", "t")
			}},
			{"token deleted", func(ctx context.Context) error { return s.DeleteToken(ctx, "w", "t") }},
			{"registration deleted", func(ctx context.Context) error {
				return s.DeleteRegistration(ctx, "w", "https://ü")
			}},
			{"workbench expired", func(ctx context.Context) error {
				return s.DeleteExpiredWorkbenches(ctx, later.Add(1))
			}},
			{"share deleted", func(ctx context.Context) error { return s.DeleteShare(ctx, "w", "token") }},
			{"saved call deleted", func(ctx context.Context) error {
				return s.DeleteSavedCall(ctx, "w", "v")
			}},
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
	list, err := engine.Texts(t.Context(), s.db.Writer(),
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
