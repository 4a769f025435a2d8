package lines

import (
	"context"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Sessions returns the sessions of earlier revisions with the commands, as a run.Runner
// opens them. Requests have the limits short, and calls that stay open the limits open.
func (s *Servers) Sessions(short, open wire.Limits) run.Sessions {
	return sessions{s, short.OrDefaults(), open.OrDefaults()}
}

type sessions struct {
	servers     *Servers
	short, open wire.Limits
}

// Session implements run.Sessions. The process is started when the first line is sent.
func (s sessions) Session(url string) (short, open run.Caller, end func()) {
	one := &session{c: s.servers.byURL[url]}
	return caller{s.servers, nil, s.short, one}, caller{s.servers, nil, s.open, one}, one.end
}

// session is a session of an earlier revision, with its process.
type session struct {
	c    *command
	once sync.Once
	p    *process
	err  error
}

// process returns the process, which is started once.
func (s *session) process() (*process, error) {
	s.once.Do(func() {
		if s.c == nil {
			s.err = errUnknown
			return
		}
		s.c.rest()
		s.p, s.err = s.c.start(true)
	})
	return s.p, s.err
}

// end ends the process, which may take its time.
func (s *session) end() {
	s.once.Do(func() { s.err = errClosing })
	if s.p != nil {
		go s.p.end(context.Background(), "") // Close waits for its watch
	}
}
