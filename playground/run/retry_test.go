package run_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// shedding gives up often before it finishes.
func shedding(often int) http.Handler {
	n := 0
	return mcptest.Script(func(mcptest.Message, *http.Request) mcptest.Answer {
		if n++; n <= often {
			return mcptest.Ask("", strconv.Itoa(n))
		}
		return mcptest.Complete(`"content":[]`)
	})
}

var auto = playground.Decision{Action: playground.ActionRetry, Round: 2, Auto: true}

func TestRetriesByThemselvesBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, shedding(4))
		p.tool("/", "t", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		began := time.Now()
		f := p.decide(auto)
		want(t, f, playground.StatusComplete, strings.Repeat("tools/call retry, ", 4)+"tools/call complete")
		if took := time.Since(began); took != 7*time.Second { // 0, 1, 2 and 4
			t.Errorf("took %s", took)
		}
	})
}

func TestRetriesByThemselvesStopAtTwentyRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, shedding(100))
		p.tool("/", "t", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		if f := p.decide(auto); f.Status != playground.StatusCapped || len(f.Rounds) != playground.MaxRounds {
			t.Errorf("got %s after %d rounds", f.Status, len(f.Rounds))
		}
	})
}

func TestRetriesByThemselvesCanBeStoppedAndGoOnByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, shedding(5))
		p.tool("/", "t", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		p.begin(auto)
		time.Sleep(1500 * time.Millisecond)
		if !p.runner.Cancel("x") {
			t.Fatal("nothing to stop")
		}
		time.Sleep(time.Minute)
		f := p.folded()
		if f.Status != playground.StatusWaiting || len(f.Rounds) != 3 {
			t.Fatalf("got %s after %d rounds", f.Status, len(f.Rounds))
		}
		f = p.decide(playground.Decision{Action: playground.ActionRetry, Round: 4})
		if f.Status != playground.StatusWaiting || len(f.Rounds) != 4 {
			t.Errorf("by hand: %s after %d rounds", f.Status, len(f.Rounds))
		}
	})
}

func TestRetriesByThemselvesWaitForTheUserAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, shedding(5))
		p.tool("/", "t", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		p.begin(auto)
		time.Sleep(1500 * time.Millisecond)
		p.stop()
		p.start()
		p.x.Log = p.log.Events("x")
		if err := p.runner.Resume(t.Context(), p.x); err != nil {
			t.Fatal(err)
		}
		if f := p.folded(); f.Status != playground.StatusWaiting {
			t.Errorf("got %s: %s", f.Status, path(f))
		}
	})
}

// TestCall_CutOffBody: a body that is shorter than its Content-Length is no
// result, even if it is complete JSON.
func TestCall_CutOffBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "400")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`)
		}))
		p.tool("/", "t", `{}`)
		f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		if r := f.Last(); f.Status != playground.StatusFailed || r.Class != "reset" || r.Final != nil ||
			!strings.Contains(r.Detail, "328 bytes before the Content-Length") ||
			!strings.Contains(r.Detail, "complete JSON") || !r.Resendable() {
			t.Errorf("%s %s: %s", f.Status, r.Class, r.Detail)
		}
	})
}
