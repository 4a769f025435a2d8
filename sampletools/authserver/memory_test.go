package authserver_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
)

// wantUnavailable expects that neither a code nor tokens can be used or revoked now.
func (b *bench) wantUnavailable(c client, code, access, refresh string) {
	b.t.Helper()
	for name, got := range map[string]*httptest.ResponseRecorder{
		"code": b.post("/token", c.exchange(code)),
		"refresh": b.post("/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh},
			"client_id": {c.id}}),
		"revoke": b.post("/revoke", url.Values{"token": {access}, "client_id": {c.id}}),
	} {
		if got.Code != http.StatusServiceUnavailable || b.fields(got)["error"] != "temporarily_unavailable" {
			b.t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
}

// What cannot be remembered is refused: a code would otherwise count twice.
func TestMemory_IsBounded(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	access, refresh := b.tokens(c)
	b.memory.room = len(b.memory.names)
	b.wantUnavailable(c, b.code(c), access, refresh)
	if b.refused != 3 {
		t.Errorf("%d refusals counted", b.refused)
	}
}

// While the memory is away, no token counts as valid, revoked or used: it may have
// been revoked in another process.
func TestMemory_MayBeAway(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	access, refresh := b.tokens(c)
	code := b.code(c)
	b.memory.away = errors.New("no database")
	if _, err := b.server.Verify(access); !errors.Is(err, authserver.ErrUnknown) {
		t.Errorf("access token: %v", err)
	}
	b.wantUnavailable(c, code, access, refresh)
	if b.refused != 0 {
		t.Errorf("%d refusals counted, although there is room", b.refused)
	}
	b.memory.away = nil
	if _, err := b.server.Verify(access); err != nil {
		t.Errorf("when it is back: %v", err)
	}
	if got := b.post("/token", c.exchange(code)); got.Code != http.StatusOK {
		t.Errorf("the code, when it is back: %d %s", got.Code, got.Body)
	}
}
