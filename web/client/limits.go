package client

import (
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// places are the requests that are being passed on, at most so many for each capture.
type places struct {
	most int

	mu   sync.Mutex
	held map[string]int
}

// take returns whether there is a place for one more request of a capture. If so, the
// caller must give it back.
func (p *places) take(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[id] >= p.most {
		return false
	}
	if p.held == nil {
		p.held = map[string]int{}
	}
	p.held[id]++
	return true
}

func (p *places) give(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[id]--; p.held[id] <= 0 {
		delete(p.held, id)
	}
}

// Bounds of the credentials that are kept in memory: of how many captures, and of each how
// many and how many bytes.
const mostKnown, mostFields, mostBytes = 1000, 32, 16 << 10

// known are the credentials that clients have sent lately, by capture: a response to one
// request may repeat those of another.
type known struct {
	mu     sync.Mutex
	fields map[string][]wire.Field
	used   []string // the captures that have some; the one that was used longest ago is the first
}

// add returns the credentials of a capture with those of a request.
func (k *known) add(id string, fields []wire.Field) []wire.Field {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fields == nil {
		k.fields = map[string][]wire.Field{}
	}
	list := slices.Clone(k.fields[id])
	for _, f := range fields {
		list = append(slices.DeleteFunc(list, func(other wire.Field) bool { return other == f }), f)
	}
	size := 0
	for i := len(list) - 1; i >= 0; i-- {
		if size += len(list[i].Value); size > mostBytes || len(list)-i > mostFields {
			list = list[i+1:]
			break
		}
	}
	if len(list) > 0 {
		k.fields[id] = list
		k.used = append(slices.DeleteFunc(k.used, func(other string) bool { return other == id }), id)
	}
	if len(k.used) > mostKnown {
		delete(k.fields, k.used[0])
		k.used = slices.Delete(k.used, 0, 1)
	}
	return list
}

// forget drops the credentials of a capture that has ended.
func (k *known) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.fields, id)
	k.used = slices.DeleteFunc(k.used, func(other string) bool { return other == id })
}

// rates are how often each capture is used, in front of our own servers and others.
type rates struct{ own, others *app.Buckets[string] }

func newRates(l app.Limits) rates {
	return rates{app.NewBuckets[string](l.Captured), app.NewBuckets[string](l.CapturedOthers)}
}

// reserve counts a request and returns 0, or returns how long to wait.
func (r rates) reserve(c capture.Capture, now time.Time) time.Duration {
	if c.Target.Sample != "" {
		return r.own.Reserve(c.ID, now)
	}
	return r.others.Reserve(c.ID, now)
}
