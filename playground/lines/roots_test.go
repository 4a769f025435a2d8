package lines

import (
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
)

// TestProcess_RootsAnswersAreBounded: a server that asks for the roots again and again, and
// reads nothing, makes no answer wait beyond the limit.
func TestProcess_RootsAnswersAreBounded(t *testing.T) {
	p, _ := newFlightOf()
	p.session = true
	<-p.turn // another line is being written
	for i := range 10 * maxRootsAnswers {
		line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`+"\n", i)
		p.deliver(stdio.Line{Bytes: line}, time.Unix(1, 0))
	}
	p.mu.Lock()
	waiting := p.rootsAnswers
	p.mu.Unlock()
	close(p.gone)
	p.c.of.wg.Wait()
	if waiting != maxRootsAnswers || p.rootsAnswers != 0 {
		t.Errorf("%d answers waited, %d are left", waiting, p.rootsAnswers)
	}
}
