package app

import (
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Bounds of the credentials that are kept in memory: of how many captures, and of each how
// many and how many bytes. A request with more cannot be masked in what follows.
const (
	mostKnown          = 1000
	MaxCredentials     = 32
	MaxCredentialBytes = 16 << 10
)

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
		if size += len(list[i].Value); size > MaxCredentialBytes || len(list)-i > MaxCredentials {
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
