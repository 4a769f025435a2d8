package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channelName is the channel of PostgreSQL for the notifications of all replicas.
const channelName = "mrtr_playground"

// maxPayload is the longest text of a notification, in bytes. PostgreSQL allows
// 7999.
const maxPayload = 7000

// bus publishes topics, which are words, to the subscribers of all replicas. A
// notification may be lost; the slow poll of the subscriber makes up for it.
type bus struct {
	server *postgresServer
	wake   chan struct{} // has an entry when there are pending topics

	mu          sync.Mutex
	subscribers map[string]map[chan struct{}]struct{} // by topic
	pending     map[string]struct{}                   // topics to publish
}

func newBus(s *postgresServer) *bus {
	return &bus{server: s, wake: make(chan struct{}, 1),
		subscribers: map[string]map[chan struct{}]struct{}{}, pending: map[string]struct{}{}}
}

// gathering is the time for which topics are gathered before they are published
// together. A call that begins and ends within it is one notification.
const gathering = 15 * time.Millisecond

// lastNotice limits the time that a stopping process takes to publish the last topics.
const lastNotice = time.Second

// publish adds a topic to the pending ones.
func (b *bus) publish(topic string) {
	b.mu.Lock()
	b.pending[topic] = struct{}{}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default: // the sender is about to look already
	}
}

// subscribe returns a channel that is closed at the next notification of a topic, or
// when one may have been missed, and a function that ends the subscription.
func (b *bus) subscribe(topic string) (notified <-chan struct{}, stop func()) {
	c := make(chan struct{})
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subscribers[topic] == nil {
		b.subscribers[topic] = map[chan struct{}]struct{}{}
	}
	b.subscribers[topic][c] = struct{}{}
	return c, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers[topic], c)
		if len(b.subscribers[topic]) == 0 {
			delete(b.subscribers, topic)
		}
	}
}

// deliver notifies the subscribers of topics.
func (b *bus) deliver(topics ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, topic := range topics {
		for c := range b.subscribers[topic] {
			close(c)
		}
		delete(b.subscribers, topic)
	}
}

// deliverAll notifies all subscribers.
func (b *bus) deliverAll() {
	b.mu.Lock()
	topics := slices.Collect(maps.Keys(b.subscribers))
	b.mu.Unlock()
	b.deliver(topics...)
}

// listen delivers notifications until ctx ends, on a connection of its own.
func (b *bus) listen(ctx context.Context) {
	wait := minListenWait
	for ctx.Err() == nil {
		err := b.listenOnce(ctx, func() { wait = minListenWait })
		if ctx.Err() != nil {
			return
		}
		b.server.logger.Warn("listen for notifications", "err", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
		wait = min(2*wait, slowPoll)
	}
}

// minListenWait is the pause after the first connection that failed.
const minListenWait = 100 * time.Millisecond

func (b *bus) listenOnce(ctx context.Context, connected func()) error {
	conn, err := pgx.ConnectConfig(ctx, b.server.config.Copy())
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+channelName); err != nil {
		return err
	}
	connected()
	b.deliverAll() // notifications may have been missed while there was no connection
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		b.deliver(strings.Fields(n.Payload)...)
	}
}

// send publishes pending topics until ctx ends, then the remaining ones.
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

// sendPending publishes the pending topics.
func (b *bus) sendPending(ctx context.Context) {
	for _, payload := range b.take() {
		_, err := b.server.write.ExecContext(ctx, `SELECT pg_notify(?, ?)`, channelName, payload)
		if err != nil && ctx.Err() == nil {
			b.server.logger.Warn("notify", "err", err)
		}
	}
}

// take removes and returns the pending topics, as payloads of at most maxPayload bytes.
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
