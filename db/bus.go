package db

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channelName is the channel of PostgreSQL that replicas notify each other on.
const channelName = "mrtr_playground"

// maxPayload is the longest text of a notification, in bytes. PostgreSQL allows
// 7999.
const maxPayload = 7000

// bus carries topics, which are words, from each replica to all of them. What it
// carries may be lost; then the slow poll of the hearer finds out later.
type bus struct {
	store *Store
	wake  chan struct{}

	mu      sync.Mutex
	hearers map[string]map[chan struct{}]struct{} // by topic
	pending map[string]struct{}                   // topics to send
}

func newBus(s *Store) *bus {
	return &bus{store: s, wake: make(chan struct{}, 1),
		hearers: map[string]map[chan struct{}]struct{}{}, pending: map[string]struct{}{}}
}

// gathering is how long topics are gathered before they are sent together. Of a call
// that begins and ends within that time, other replicas hear once.
const gathering = 15 * time.Millisecond

// lastNotice is how long a process that stops may take to tell the last topics.
const lastNotice = time.Second

// tell sends a topic soon.
func (b *bus) tell(topic string) {
	b.mu.Lock()
	b.pending[topic] = struct{}{}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default: // the sender is about to look already
	}
}

// hear returns a channel that is closed when a topic comes next, or when one may
// have been missed, and a function that ends the hearing.
func (b *bus) hear(topic string) (heard <-chan struct{}, stop func()) {
	c := make(chan struct{})
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hearers[topic] == nil {
		b.hearers[topic] = map[chan struct{}]struct{}{}
	}
	b.hearers[topic][c] = struct{}{}
	return c, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.hearers[topic], c)
		if len(b.hearers[topic]) == 0 {
			delete(b.hearers, topic)
		}
	}
}

// deliver wakes those who hear the topics.
func (b *bus) deliver(topics ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, topic := range topics {
		for c := range b.hearers[topic] {
			close(c)
		}
		delete(b.hearers, topic)
	}
}

// deliverAll wakes all who hear anything.
func (b *bus) deliverAll() {
	b.mu.Lock()
	topics := slices.Collect(maps.Keys(b.hearers))
	b.mu.Unlock()
	b.deliver(topics...)
}

// listen delivers what replicas tell until ctx ends, on a connection of its own.
func (b *bus) listen(ctx context.Context) {
	wait := minListenWait
	for ctx.Err() == nil {
		err := b.listenOnce(ctx, func() { wait = minListenWait })
		if ctx.Err() != nil {
			return
		}
		b.store.logger.Warn("listen for notifications", "err", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
		wait = min(2*wait, slowPoll)
	}
}

// minListenWait is how long to wait before the first further try to listen.
const minListenWait = 100 * time.Millisecond

func (b *bus) listenOnce(ctx context.Context, connected func()) error {
	conn, err := pgx.ConnectConfig(ctx, b.store.config.Copy())
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+channelName); err != nil {
		return err
	}
	connected()
	b.deliverAll() // of what was told meanwhile nothing is known
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		b.deliver(strings.Fields(n.Payload)...)
	}
}

// send sends what is told until ctx ends, and then what is left.
func (b *bus) send(ctx context.Context) {
	for {
		select {
		case <-b.wake:
			select {
			case <-time.After(gathering):
				b.sendPending(ctx)
				continue
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastNotice)
		b.sendPending(last)
		stop()
		return
	}
}

// sendPending sends what is told until now.
func (b *bus) sendPending(ctx context.Context) {
	for _, payload := range b.take() {
		_, err := b.store.write.ExecContext(ctx, `SELECT pg_notify(?, ?)`, channelName, payload)
		if err != nil && ctx.Err() == nil {
			b.store.logger.Warn("notify", "err", err)
		}
	}
}

// take returns the pending topics, in texts that are short enough.
func (b *bus) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var payloads []string
	var text strings.Builder
	for topic := range b.pending {
		if text.Len()+len(topic) >= maxPayload {
			payloads = append(payloads, text.String())
			text.Reset()
		}
		text.WriteString(topic + " ")
	}
	clear(b.pending)
	if text.Len() > 0 {
		payloads = append(payloads, text.String())
	}
	return payloads
}
