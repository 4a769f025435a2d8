package dbtest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

func newSignIn(id string, at time.Duration) server.SignIn {
	return server.SignIn{
		ID: id, Target: "t", Exchange: "x", Stage: "ready", Record: json.RawMessage(`{"server":"s"}`),
		Sealed: []byte("sealed"), Created: Now.Add(at),
	}
}

func newToken(target string) server.SealedToken {
	return server.SealedToken{
		Target: target, URL: "https://h/mcp", SignIn: "1", Sealed: []byte("token"), Added: Now,
	}
}

var signInTests = map[string]func(*testing.T, *db.Store){
	"SignIn_IsReadAsStored": func(t *testing.T, s *db.Store) {
		first, second := newSignIn("1", 0), newSignIn("2", time.Second)
		must(t, s.AddSignIn(t.Context(), "w", first))
		must(t, s.AddSignIn(t.Context(), "w", second))
		got, err := s.LastSignIn(t.Context(), "w", "t")
		if diff := cmp.Diff(second, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		got, err = s.SignIn(t.Context(), "w", "1")
		if diff := cmp.Diff(first, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		for _, workspace := range []string{"other", ""} {
			_, err = s.SignIn(t.Context(), workspace, "1")
			wantErr(t, "of another workspace", playground.ErrNotFound, err)
			wantErr(t, "set", playground.ErrNotFound, s.SetSignIn(t.Context(), workspace, first, "ready"))
		}
	},

	"SignIn_GoesOnOnce": func(t *testing.T, s *db.Store) {
		n := newSignIn("1", 0)
		must(t, s.AddSignIn(t.Context(), "w", n))
		n.Stage, n.Sealed = "exchanging", []byte{}
		must(t, s.SetSignIn(t.Context(), "w", n, "ready"))
		wantErr(t, "again", playground.ErrNotFound, s.SetSignIn(t.Context(), "w", n, "ready"))
		got, err := s.SignIn(t.Context(), "w", "1")
		if diff := cmp.Diff(n, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
	},

	"SignIn_OldOnesAreDeleted": func(t *testing.T, s *db.Store) {
		for i := range 25 {
			must(t, s.AddSignIn(t.Context(), "w", newSignIn(fmt.Sprint(i), time.Duration(i)*time.Second)))
			must(t, s.AddSignIn(t.Context(), "other", newSignIn(fmt.Sprint("o", i), 0)))
		}
		_, err := s.SignIn(t.Context(), "w", "4")
		wantErr(t, "the 21st", playground.ErrNotFound, err)
		_, err = s.SignIn(t.Context(), "w", "5")
		must(t, err)
		u, err := s.Storage(t.Context(), "w", "", usage.Payer{})
		if want := int64(20 * (256 + len(`{"server":"s"}`) + len("sealed"))); err != nil ||
			u.Workspace < want ||
			u.Workspace > want+1024 {
			t.Errorf("counted %d bytes, %v, want about %d", u.Workspace, err, want)
		}
	},

	"Token_IsReplacedAndDeleted": func(t *testing.T, s *db.Store) {
		must(t, s.SetToken(t.Context(), "w", newToken("t")))
		again := newToken("t")
		again.Sealed, again.Added = []byte("fresh"), Now.Add(time.Minute)
		must(t, s.SetToken(t.Context(), "w", again))
		got, err := s.Token(t.Context(), "w", "t")
		if diff := cmp.Diff(again, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		_, err = s.Token(t.Context(), "other", "t")
		wantErr(t, "of another workspace", playground.ErrNotFound, err)
		must(t, s.DeleteToken(t.Context(), "other", "t"))
		must(t, s.DeleteToken(t.Context(), "w", "t"))
		_, err = s.Token(t.Context(), "w", "t")
		wantErr(t, "deleted", playground.ErrNotFound, err)
	},

	"Token_IsForgottenWithItsServer": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		must(t, s.AddSignIn(t.Context(), "w", newSignIn("1", 0)))
		must(t, s.SetToken(t.Context(), "w", newToken("t")))
		must(t, s.ForgetSecrets(t.Context(), "w", "t"))
		_, err := s.Token(t.Context(), "w", "t")
		wantErr(t, "secrets forgotten", playground.ErrNotFound, err)
		if n, err := s.SignIn(t.Context(), "w", "1"); err != nil || len(n.Sealed) != 0 {
			t.Errorf("%+v, %v", n, err)
		}
		must(t, s.ForgetTarget(t.Context(), "w", "t"))
		_, err = s.SignIn(t.Context(), "w", "1")
		wantErr(t, "server forgotten", playground.ErrNotFound, err)
	},

	"Registration_IsReplacedAndDeleted": func(t *testing.T, s *db.Store) {
		must(t, s.SetRegistration(t.Context(), "w", "https://a", []byte("one"), Now))
		must(t, s.SetRegistration(t.Context(), "w", "https://a", []byte("two"), Now))
		got, err := s.Registration(t.Context(), "w", "https://a")
		if string(got) != "two" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		_, err = s.Registration(t.Context(), "other", "https://a")
		wantErr(t, "of another workspace", playground.ErrNotFound, err)
		must(t, s.DeleteRegistration(t.Context(), "w", "https://a"))
		wantErr(t, "again", playground.ErrNotFound, s.DeleteRegistration(t.Context(), "w", "https://a"))
	},
}
