package agent

import (
	"errors"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
)

// guestLife is how long the link to a result of an agent without a token works.
const guestLife = 7 * 24 * time.Hour

// kept says where a result is.
type kept struct {
	url     string
	expires string            // RFC 3339; empty if it is kept
	note    string            // why there is no link
	ids     map[string]string // of its exchanges, as read_exchange takes them
}

// keep puts a session where its agent finds it: it stays in the history, or for an agent
// without a token only a link to it stays. path is its page.
func (s *Pages) keep(v visit, n session.Session, path string) (kept, error) {
	k := kept{url: s.App.BaseURL + path, ids: map[string]string{}}
	if !v.guest {
		for _, x := range n.Exchanges {
			k.ids[x.ID] = x.ID
		}
		return k, nil
	}
	defer v.EndTurn() // of MakeLinkAlone
	h, err := s.App.MakeLinkAlone(v.Visit, n.ID, guestLife, readerview.Card)
	var refused *app.Refusal
	switch {
	case errors.As(err, &refused):
		s.App.Refused(refused.Code)
		k.url, k.note = "", "There is no link to the recording, and it was deleted. "+refused.What
		return k, s.Store.DeleteSession(v.Context(), v.Workspace(), n.ID)
	case err != nil:
		return k, err
	}
	k.url, k.expires = s.App.BaseURL+"/s/"+h.Token, h.Expires.UTC().Format(time.RFC3339)
	for i, x := range n.Exchanges {
		k.ids[x.ID] = h.Token + "/" + strconv.Itoa(i+1)
	}
	return k, nil
}
