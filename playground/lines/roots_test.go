package lines

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
)

// TestProcess_RootsAnswersAreBounded: a server that asks for the roots again and again, and
// reads nothing, makes no answer wait beyond the limit.
func TestProcess_RootsAnswersAreBounded(t *testing.T) {
	p, _ := newFlightOf()
	p.session = true
	<-p.turn // another line is being written
	for i := range 10 * playground.MaxRootsAnswers {
		line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`+"\n", i)
		p.deliver(stdio.Line{Bytes: line}, time.Unix(1, 0))
	}
	p.mu.Lock()
	waiting := p.rootsAnswers
	p.mu.Unlock()
	close(p.gone)
	p.c.of.wg.Wait()
	if waiting != playground.MaxRootsAnswers || p.rootsAnswers != 0 {
		t.Errorf("%d answers waited, %d are left", waiting, p.rootsAnswers)
	}
}

// TestProcess_ReadsOnWithoutTheRoots: while the storage does not return the
// roots, further lines of the process are read.
func TestProcess_ReadsOnWithoutTheRoots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, f := newFlightOf()
		p.session, p.roots = true, true
		<-p.turn // another line is being written
		read := make(chan json.RawMessage)
		p.c.of.cfg.Roots = func() json.RawMessage { return <-read }
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`,
		} {
			p.deliver(stdio.Line{Bytes: []byte(line + "\n")}, time.Unix(1, 0))
		}
		if parts, failure, _ := p.news(f); len(parts) != 1 || failure != nil {
			t.Errorf("%d parts of the response, %v", len(parts), failure)
		}
		close(p.gone)
		read <- json.RawMessage("[]")
		p.c.of.wg.Wait()
	})
}
