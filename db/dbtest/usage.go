package dbtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/talk"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

var usageTests = map[string]func(*testing.T, *db.Store){
	"Usage_CountsAndFrees": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		read := func() usage.Storage {
			u, err := s.Storage(ctx, "w", "", usage.Payer{})
			must(t, err)
			return u
		}
		empty := read()
		if empty.Workspace != 0 || empty.Address != 0 {
			t.Errorf("empty: %+v", empty)
		}
		x := Exchange("x")
		must(t, s.AddExchange(ctx, "w", "title", x))
		begun := read().Workspace
		body := bytes.Repeat([]byte("b"), 10_000)
		must(t, s.Append(ctx, "x", cancelled(), playground.Event{
			At: Now, Conn: 1, Kind: playground.Received, Data: body, Sealed: body,
		}))
		if grown := read().Workspace - begun; begun == 0 || grown < 20_000 || grown > 30_000 {
			t.Errorf("%d bytes, and %d more for 20000", begun, grown)
		}
		if grown := read().Total - empty.Total; grown < 10_000 {
			t.Errorf("in all only %d bytes more for 20000", grown)
		}
		if u, err := s.Storage(ctx, "other", "", usage.Payer{}); err != nil || u.Workspace != 0 {
			t.Errorf("another workspace: %+v, %v", u, err)
		}
		must(t, s.DeleteSession(ctx, "w", "sx"))
		if u := read(); u.Workspace != 0 || u.Total >= empty.Total+10_000 {
			t.Errorf("deleted: %+v, empty: %+v", u, empty)
		}
	},
	"Usage_Size": func(t *testing.T, s *db.Store) {
		empty, err := s.Size(t.Context())
		must(t, err)
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		full, err := s.Size(t.Context())
		must(t, err)
		if empty.Workspaces != 0 || full.Workspaces != 1 || full.Used < empty.Used || full.Used == 0 {
			t.Errorf("empty %+v, with an exchange %+v", empty, full)
		}
		open := 0
		for _, c := range s.Connections() {
			if c.Pool == "" || c.Limit < 1 || c.Used > c.Open || c.Open > c.Limit {
				t.Errorf("got %+v", c)
			}
			open += c.Open
		}
		if open == 0 {
			t.Error("no connection is open")
		}
	},
	"Usage_ChargesTheAddress": func(t *testing.T, s *db.Store) {
		day := usage.Day(Now)
		salt, err := s.Salt(t.Context(), day)
		must(t, err)
		p := usage.Payer{Day: day, Hash: usage.Hash(salt, "192.0.2.1/32")}
		paid := usage.WithPayer(t.Context(), p)
		stored := func() int64 {
			u, err := s.Storage(t.Context(), "", "", p)
			must(t, err)
			return u.Address
		}
		must(t, s.AddExchange(paid, "w", "title", Exchange("x")))
		first := stored()
		// What a runner stores later counts for the visitor who began it.
		must(t, s.Append(t.Context(), "x", cancelled(), Events()...))
		second := stored()
		// An exchange of the same session, as a check adds them.
		more := Exchange("more")
		more.Session = "sx"
		must(t, s.Begin(t.Context(), more))
		third := stored()
		must(t, s.AddShare(paid, "w", share.Share{
			Token: "t", Session: "sx", Created: Now, Expires: Now.Add(time.Hour),
			Data: make([]byte, 1000), Image: make([]byte, 500),
		}))
		fourth := stored()
		if first == 0 || second <= first || third <= second || fourth != third+256+1500 {
			t.Errorf("%d, %d, %d, %d", first, second, third, fourth)
		}
		must(t, s.DeleteSessions(t.Context(), "w"))
		if got := stored(); got != fourth {
			t.Errorf("deleting lowers it from %d to %d", fourth, got)
		}
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("free")))
		if got := stored(); got != fourth {
			t.Errorf("what has no payer counts: %d, %d", fourth, got)
		}
		inSession, err := s.SessionStorage(t.Context(), "sfree")
		if err != nil || inSession.Workspace == 0 || inSession.Address != 0 {
			t.Errorf("by session: %+v, %v", inSession, err)
		}
	},
	"Usage_ChargesTheNetwork": func(t *testing.T, s *db.Store) {
		ctx, day := t.Context(), usage.Day(Now)
		salt, err := s.Salt(ctx, day)
		must(t, err)
		payer := func(address, network string) usage.Payer {
			p := usage.Payer{Day: day, Hash: usage.Hash(salt, address)}
			if network != "" {
				p.Network = usage.Hash(salt, network)
			}
			return p
		}
		first, second := payer("2001:db8:1:1::/64", "2001:db8:1::/48"),
			payer("2001:db8:1:2::/64", "2001:db8:1::/48")
		other, alone := payer("2001:db8:2:1::/64", "2001:db8:2::/48"), payer("192.0.2.1/32", "")
		for i, p := range []usage.Payer{first, second, other, alone} {
			x := Exchange("x" + string(rune('a'+i)))
			must(t, s.AddExchange(usage.WithPayer(ctx, p), "w", "title", x))
			// What a runner stores later counts for the visitor who began it.
			must(t, s.Append(ctx, x.ID, cancelled(), Events()...))
		}
		must(t, s.AddShare(usage.WithPayer(ctx, second), "w", share.Share{
			Token: "t", Session: "sxb", Created: Now, Expires: Now.Add(time.Hour),
			Data: make([]byte, 1000), Image: make([]byte, 500),
		}))
		read := func(p usage.Payer) usage.Storage {
			u, err := s.Storage(ctx, "w", "", p)
			must(t, err)
			return u
		}
		a, b, c, d := read(first), read(second), read(other), read(alone)
		if a.Address == 0 || b.Address != a.Address+256+1500 || a.Network != a.Address+b.Address ||
			b.Network != a.Network {
			t.Errorf("two addresses of one network: %+v, %+v", a, b)
		}
		if c.Address != a.Address || c.Network != c.Address {
			t.Errorf("another network: %+v", c)
		}
		if d.Address != a.Address || d.Network != 0 {
			t.Errorf("an address without a network: %+v", d)
		}
		for session, want := range map[string]usage.Storage{"sxa": a, "sxb": b, "sxd": d} {
			u, err := s.SessionStorage(ctx, session)
			if err != nil || u.Address != want.Address || u.Network != want.Network {
				t.Errorf("by session %s: %+v, %v, want %+v", session, u, err, want)
			}
		}
		r, err := s.StorageReport(ctx, day, 50)
		must(t, err)
		if len(r.Addresses) != 4 || r.Addresses[0].ID != second.Hash || len(r.Networks) != 2 ||
			r.Networks[0] != (usage.Row{ID: first.Network, Bytes: a.Network}) ||
			r.Networks[1] != (usage.Row{ID: other.Network, Bytes: c.Network}) {
			t.Errorf("addresses %+v, networks %+v", r.Addresses, r.Networks)
		}
		must(t, s.DeleteSessions(ctx, "w"))
		if got := read(first); got.Network != a.Network {
			t.Errorf("deleting lowers it from %d to %d", a.Network, got.Network)
		}
		must(t, s.DeleteDays(ctx, day+1))
		if got := read(first); got.Address != 0 || got.Network != 0 {
			t.Errorf("after its day: %+v", got)
		}
	},
	"Usage_DaysAreDeleted": func(t *testing.T, s *db.Store) {
		ctx, day := t.Context(), usage.Day(Now)
		salt, err := s.Salt(ctx, day)
		must(t, err)
		same, err := s.Salt(ctx, day)
		must(t, err)
		if len(salt) < 16 || !bytes.Equal(salt, same) {
			t.Errorf("salt %x, then %x", salt, same)
		}
		p := usage.Payer{Day: day, Hash: usage.Hash(salt, "a")}
		must(t, s.AddExchange(usage.WithPayer(ctx, p), "w", "title", Exchange("x")))
		next, err := s.Salt(ctx, day+1)
		must(t, err)
		if bytes.Equal(salt, next) {
			t.Error("two days have the same salt")
		}
		u, err := s.Storage(ctx, "w", "", p)
		if err != nil || u.Address != 0 || u.Workspace == 0 {
			t.Errorf("the next day: %+v, %v", u, err)
		}
		// The log of yesterday grows, and a late request still has its payer.
		must(t, s.Append(usage.WithPayer(ctx, p), "x", cancelled(), Events()...))
		if u, err := s.Storage(ctx, "w", "", p); err != nil || u.Address != 0 {
			t.Errorf("charged after its day: %+v, %v", u, err)
		}
		must(t, s.DeleteDays(ctx, day+2))
		if again, err := s.Salt(ctx, day+1); err != nil || bytes.Equal(again, next) {
			t.Errorf("the salt of a deleted day is back: %v", err)
		}
	},
	"Usage_Report": func(t *testing.T, s *db.Store) {
		ctx, day := t.Context(), usage.Day(Now)
		salt, err := s.Salt(ctx, day)
		must(t, err)
		p := usage.Payer{Day: day, Hash: usage.Hash(salt, "a")}
		AddSessions(t, s, "large", 4)
		AddSessions(t, s, "small", 1)
		x := Exchange("runs")
		must(t, s.AddExchange(usage.WithPayer(ctx, p), "small", "title", x))
		running := playground.Summary{Status: "running", Held: true, Changed: Now}
		must(t, s.Append(ctx, "runs", running, Events()...))
		must(t, s.BlockWorkspace(ctx, "small", Now))
		r, err := s.StorageReport(ctx, day, 50)
		must(t, err)
		if r.Total == 0 || r.Count != 2 || len(r.Workspaces) != 2 || r.Workspaces[0].ID != "large" ||
			r.Workspaces[0].Sessions != 4 || r.Workspaces[0].Blocked || !r.Workspaces[1].Blocked {
			t.Errorf("%+v", r)
		}
		if len(r.Addresses) != 1 || r.Addresses[0].ID != p.Hash || r.Addresses[0].Bytes == 0 {
			t.Errorf("addresses %+v", r.Addresses)
		}
		want := []usage.Running{{Log: "runs", Workspace: "small", Server: "Azure", Bytes: r.Running[0].Bytes}}
		if diff := cmp.Diff(want, r.Running); diff != "" {
			t.Error(diff)
		}
		few, err := s.StorageReport(ctx, day, 1)
		if err != nil || len(few.Workspaces) != 1 || few.Count != 2 {
			t.Errorf("at most one: %+v, %v", few, err)
		}
		held, err := s.Held(ctx, "small")
		if err != nil || !slices.Contains(held, "runs") || slices.Contains(held, "other") {
			t.Errorf("held %v, %v", held, err)
		}
		owners, err := s.Owners(ctx, []string{"sruns", "gone"})
		if err != nil || len(owners) != 1 || owners["sruns"] != "small" {
			t.Errorf("owners %v, %v", owners, err)
		}
	},
	"Usage_Purge": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		AddSessions(t, s, "w", 3)
		AddSessions(t, s, "other", 1)
		must(t, s.PurgeWorkspace(ctx, "w"))
		wantErr(t, "purge again", playground.ErrNotFound, s.PurgeWorkspace(ctx, "w"))
		r, err := s.StorageReport(ctx, 0, 50)
		if err != nil || len(r.Workspaces) != 1 || r.Workspaces[0].ID != "other" {
			t.Errorf("%+v, %v", r, err)
		}
	},
	"Usage_Blocks": func(t *testing.T, s *db.Store) {
		ctx, day := t.Context(), usage.Day(Now)
		salt, err := s.Salt(ctx, day)
		must(t, err)
		wantErr(t, "of no day", playground.ErrNotFound, s.BlockAddress(ctx, "h", day-1, Now))
		must(t, s.BlockWorkspace(ctx, "w", Now))
		must(t, s.BlockWorkspace(ctx, "w", Now))
		must(t, s.BlockAddress(ctx, "h", day, Now.Add(time.Second)))
		_, err = s.Salt(ctx, day+1) // the block keeps the salt of its day
		must(t, err)
		list, err := s.Blocks(ctx)
		must(t, err)
		want := []usage.Block{
			{Kind: usage.Address, ID: "h", Salt: salt, At: Now.Add(time.Second)},
			{Kind: usage.Workspace, ID: "w", At: Now},
		}
		if diff := cmp.Diff(want, list); diff != "" {
			t.Error(diff)
		}
		must(t, s.Unblock(ctx, usage.Address, "h"))
		wantErr(t, "unblock again", playground.ErrNotFound, s.Unblock(ctx, usage.Address, "h"))
		if list, err := s.Blocks(ctx); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
	},
	// What another program reaches by a token belongs to an owner, and is blocked with it.
	"Usage_BlockReachesTokens": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		addCapture(t, s, newCapture("k"))
		addFlow(t, s, newFlow("f"))
		one := session.AgentToken{ID: "1", Created: Now, Expires: Now.Add(time.Hour)}
		_, err := s.AddAgentToken(ctx, "w", one, "secret", 9)
		must(t, err)
		must(t, addStage(t, s, Exchange("own")))
		must(t, s.StartTalk(ctx, talk.Talk{Workspace: "w", Session: "sown", Code: "0123abcd"}, Now))
		reach := func() []error {
			_, byCapture := s.CaptureAt(ctx, "token of k")
			_, byFlow := s.FlowAt(ctx, "token of f")
			_, byAgent := s.UseAgentToken(ctx, "secret", Now)
			_, byTalk := s.Talk(ctx, "0123abcd", Now)
			return []error{byCapture, byFlow, byAgent, byTalk}
		}
		must(t, errors.Join(reach()...))
		must(t, s.BlockWorkspace(ctx, "w", Now))
		for i, err := range reach() {
			wantErr(t, fmt.Sprint("blocked ", i), playground.ErrNotFound, err)
		}
		must(t, s.Unblock(ctx, usage.Workspace, "w"))
		must(t, errors.Join(reach()...))
	},
}
