package stage

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Follow shows the present step of a talk to anyone with its code. It sets no cookie,
// and nothing of the reader is stored.
func (s *Pages) Follow(r *web.Request) error {
	f, err := s.App.FollowTalk(r.Visit, r.Param("code"), screens{s})
	if err != nil {
		return err
	}
	defer f.Leave()
	frame := stageview.FollowFrame{Main: string(f.First.Main), Full: f.IsFull()}
	return s.App.Render(r, http.StatusOK, stageview.FollowPage(s.App.Page(r, f.First.Title, ""), frame))
}

// FollowEvents sends each step of a talk to a follower, first the present one unless it
// is the one that ?after= names, until the talk ends.
func (s *Pages) FollowEvents(r *web.Request) error {
	f, err := s.App.FollowTalk(r.Visit, r.Param("code"), screens{s})
	if err != nil {
		return err
	}
	defer f.Leave()
	release, err := f.Stay(r.Context())
	if err != nil {
		return err
	}
	defer release()
	after := cmp.Or(r.Header.Get("Last-Event-ID"), r.QueryParam("after"))
	w := web.OpenStream(r)
	tick := time.NewTicker(web.Heartbeat)
	defer tick.Stop()
	// after a loss of the connection, not all come back in the same moment
	_, err = fmt.Fprintf(w, "retry: %d\n\n", 500+rand.N(1000))
	for err == nil {
		seen, changed := f.Now()
		if seen.ID != after {
			after = seen.ID
			_, err = w.Write(seen.Event)
		}
		w.Flush()
		if seen.Over || err != nil {
			return nil
		}
		select {
		case <-changed:
		case <-tick.C:
			_, err = fmt.Fprint(w, "event: here\ndata: now\n\n")
		case <-r.Context().Done():
			return nil
		}
	}
	return nil
}
