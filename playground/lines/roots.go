package lines

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// asksForRoots reports whether a line of a server asks for the roots of the client. On
// lines nothing ties such a request to a call, and servers send it when a session begins,
// which may be while a call is open. So it is no question of a call: it is answered at once
// with the roots that the user has.
func asksForRoots(m *jsontree.Node) bool {
	return m.Get("method").Str() == playground.RootsList && m.Get("id") != nil
}

// answerRoots writes the answer to a request for the roots; id is its exact text. Only some may
// wait, for a process that does not read its standard input, or for the storage. p.mu must be
// held.
func (p *process) answerRoots(id []byte) {
	if p.rootsAnswers == playground.MaxRootsAnswers {
		return
	}
	p.rootsAnswers++
	declared := p.roots
	p.c.of.wg.Go(func() {
		defer func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.rootsAnswers--
		}()
		line := append(playground.RootsAnswer(id, declared, p.c.of.cfg.Roots), '\n')
		until := time.Now().Add(wire.DefaultLimits().Total)
		if p.write(context.Background(), line, nil, until) == nil {
			p.c.addStray(p.n, playground.Sent, line, p.c.of.cfg.Now())
		}
	})
}
