package dbtest

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

var certificateTests = map[string]func(*testing.T, *db.Store){
	"Certificate_CountsForTheServerAndItsCallsUntilItIsRemoved": func(t *testing.T, s *db.Store) {
		ctx, der := t.Context(), []byte("a certificate")
		x, y := Exchange("x"), Exchange("y")
		x.Target.ID, x.Target.Sample, y.Target.ID, y.Target.Sample = "t", "", "t", ""
		must(t,
			s.AddTarget(ctx, "w", newTarget("t"), Now), s.AddTarget(ctx, "w", newTarget("u"), Now),
			s.AddExchange(ctx, "w", "title", x),
			s.AddExchange(ctx, "other", "title", y), // its target has the same id by accident
			s.TrustCertificate(ctx, "w", "t", "https://h:443", []byte("an older one"), Now),
			s.TrustCertificate(ctx, "w", "t", "https://h:443", der, Now),
		)
		trusts := func(want string) {
			t.Helper()
			target, _, err := s.Target(ctx, "w", "t")
			must(t, err)
			exchange, err := s.Exchange(ctx, "w", "x")
			must(t, err)
			byID, err := s.ExchangeByID(ctx, "x")
			must(t, err)
			for what, got := range map[string]wire.Trust{
				"target": target.Trust, "exchange": exchange.Target.Trust, "by id": byID.Target.Trust,
			} {
				if want == "" && !got.IsZero() || want != "" && got.Fingerprint() != want {
					t.Errorf("%s trusts %v, want %q", what, got, want)
				}
			}
			for id, workspace := range map[string]string{"u": "w"} {
				if other, _, err := s.Target(ctx, workspace, id); err != nil || !other.Trust.IsZero() {
					t.Errorf("another server trusts %v, %v", other.Trust, err)
				}
			}
			foreign, err := s.Exchange(ctx, "other", "y")
			if err != nil || !foreign.Target.Trust.IsZero() {
				t.Errorf("a call of another workspace trusts %v, %v", foreign.Target.Trust, err)
			}
		}
		trusts(wire.Fingerprint(der))
		must(t, s.DistrustCertificate(ctx, "w", "t"))
		trusts("")
		wantErr(t, "the second removal", playground.ErrNotFound, s.DistrustCertificate(ctx, "w", "t"))
		must(t, s.TrustCertificate(ctx, "w", "t", "https://h:443", der, Now), s.ForgetTarget(ctx, "w", "t"))
		must(t, s.AddTarget(ctx, "w", newTarget("t"), Now))
		trusts("")
	},

	"Certificate_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		must(t,
			s.AddTarget(ctx, "w", newTarget("t"), Now),
			s.TrustCertificate(ctx, "w", "t", "https://h:443", []byte("a"), Now),
		)
		wantErr(t, "TrustCertificate", playground.ErrNotFound,
			s.TrustCertificate(ctx, "other", "t", "https://h:443", []byte("b"), Now))
		wantErr(t, "DistrustCertificate", playground.ErrNotFound, s.DistrustCertificate(ctx, "other", "t"))
		target, _, err := s.Target(ctx, "w", "t")
		if err != nil || target.Trust.Fingerprint() != wire.Fingerprint([]byte("a")) {
			t.Errorf("a stranger changed the trust to %v, %v", target.Trust, err)
		}
	},
}
