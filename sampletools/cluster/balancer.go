package cluster

import (
	"errors"
	"sync"
)

// ErrDown is returned if no instance can take the request.
var ErrDown = errors.New("the instance is down")

// Balancer chooses the instance for a request. The zero value is ready to use.
type Balancer struct {
	mu    sync.Mutex
	turns map[string]int // number of rotations, by topology
}

// maxTurns bounds the topologies whose rotation is remembered. When the limit
// is reached, all rotations start again at the first instance.
const maxTurns = 1024

// Pick returns the instance that t.Next names, or else the live instances in
// turn. If the named instance is dead, Pick returns it together with [ErrDown],
// so that the failure can be shown with its name.
func (b *Balancer) Pick(t Topology) (Instance, error) {
	if c, ok := t.Find(t.Next); ok {
		if c.Health == Dead {
			return c, ErrDown
		}
		return c, nil
	}
	var live []Instance
	for _, c := range t.Instances {
		if c.Health == Live {
			live = append(live, c)
		}
	}
	if len(live) == 0 {
		return Instance{}, ErrDown
	}
	return live[b.nextTurn(t.String())%len(live)], nil
}

func (b *Balancer) nextTurn(topology string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turns == nil || len(b.turns) >= maxTurns {
		b.turns = make(map[string]int)
	}
	n := b.turns[topology]
	b.turns[topology]++
	return n
}
