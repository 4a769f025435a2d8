package playground

import (
	"bytes"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Reader folds a log that grows. What Fold returned for the events before the
// newest decision, and for a log to which only a new decision was added, is not
// read again. The zero Reader is ready for use, by one goroutine at a time.
type Reader struct {
	log    []Event     // that was read
	before plainPrefix // the events before the newest decision, at most
	whole  plainPrefix // all of log, at most
}

// plainPrefix is the state after the first events of a log. It is never
// changed.
type plainPrefix struct {
	state  foldState
	events int
}

// Fold returns the Transcript of log, as the function Fold does. It is fast if log
// begins with the events of the last call, which is compared.
func (r *Reader) Fold(log []Event) Transcript {
	known := r.known(log)
	r.log, r.before, r.whole = log, plainPrefix{}, plainPrefix{}
	r.before.extend(known.state, known.events)
	k := known.state
	for start := known.events; start < len(log); {
		r.before.extend(k, start)
		end := nextDecision(log, start+1)
		k.segment(readDecision(log[start]), log[start:end])
		start = end
	}
	r.whole = r.before
	r.whole.extend(k, len(log))
	return k.transcript()
}

// Read returns the Transcript of an exchange, as its method Fold does.
func (r *Reader) Read(x Exchange) Transcript { return x.after(r.Fold(x.Log)) }

// known returns the longest prefix of log that was read and that ends where log does
// or where a decision begins.
func (r *Reader) known(log []Event) plainPrefix {
	n := min(len(log), len(r.log))
	if !slices.EqualFunc(r.log[:n], log[:n], sameEvent) {
		return plainPrefix{}
	}
	for _, p := range []plainPrefix{r.whole, r.before} {
		if p.events == len(log) || p.events < len(log) && log[p.events].Kind == Decided {
			return p
		}
	}
	return plainPrefix{}
}

// extend makes p the state after the first events, if reading can go on from
// there without changing it.
func (p *plainPrefix) extend(k foldState, events int) {
	if k.task != nil || k.claimed != nil || k.polled != nil || k.open != nil {
		return
	}
	k.rounds = slices.Clip(k.rounds)
	p.state, p.events = k, events
}

func sameEvent(a, b Event) bool {
	return a.Seq == b.Seq && a.Conn == b.Conn && a.Kind == b.Kind && a.At.Equal(b.At) &&
		bytes.Equal(a.Data, b.Data) && sameTiming(a.Timing, b.Timing)
}

func sameTiming(a, b *wire.Timing) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Reading remembers the result of Fold for the log of an Exchange and its
// copies. It is no part of the record.
type Reading struct {
	mu    sync.Mutex
	log   []Event
	found Transcript
}

// fold returns the Transcript of log. It is fast if log is that of the last call,
// which is compared.
func (r *Reading) fold(log []Event) Transcript {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.log) == 0 || !slices.EqualFunc(r.log, log, sameEvent) {
		r.log, r.found = log, Fold(log)
		r.found.Rounds = slices.Clip(r.found.Rounds) // each caller may append
	}
	return r.found
}
