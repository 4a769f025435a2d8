package wire

import (
	"cmp"
	"context"
	"errors"
	"net"
	"sync"
)

// backlog is how many connections may wait to be accepted.
const backlog = 128

// Listener is a net.Listener without a port. Only Dial and Config.InMemory
// connect to it. Connections are buffered and honour deadlines.
type Listener struct {
	name     Address
	accepted chan net.Conn
	mu       sync.Mutex // guards closing against Dial
	done     chan struct{}
	closed   bool
}

// NewListener returns an open Listener. The name is the address of the server's
// end of a connection, for logs.
func NewListener(name string) *Listener {
	return &Listener{name: Address(name), accepted: make(chan net.Conn, backlog), done: make(chan struct{})}
}

// WithPeer returns a context in which connections in memory come from peer: the
// server sees it as the address of the client. Without one, it sees none.
func WithPeer(ctx context.Context, peer string) context.Context {
	return context.WithValue(ctx, peerKey{}, peer)
}

// PeerOf returns the peer of WithPeer, or "".
func PeerOf(ctx context.Context) string {
	peer, _ := ctx.Value(peerKey{}).(string)
	return peer
}

type peerKey struct{}

// WithPublicURL returns a context in which connections in memory are to url:
// the server sees it as its own address, because its clients come through that
// URL. Without one, it sees the name of the Listener. A client on a socket
// cannot make the server see a URL.
func WithPublicURL(ctx context.Context, url string) context.Context {
	return context.WithValue(ctx, publicKey{}, url)
}

func publicOf(ctx context.Context) string {
	url, _ := ctx.Value(publicKey{}).(string)
	return url
}

type publicKey struct{}

// Dial connects without waiting for Accept. It fails if the Listener is closed
// or too many connections are waiting.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, l.fault("dial", net.ErrClosed)
	}
	client, server := newPipe(Address(PeerOf(ctx)), cmp.Or(Address(publicOf(ctx)), l.name))
	select {
	case l.accepted <- server:
		return client, nil
	default:
		return nil, l.fault("dial", errors.New("backlog full"))
	}
}

// Accept waits for and returns the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accepted:
		return conn, nil
	case <-l.done:
		return nil, l.fault("accept", net.ErrClosed)
	}
}

func (l *Listener) fault(op string, err error) error {
	return &net.OpError{Op: op, Net: l.name.Network(), Addr: l.name, Err: err}
}

// Close ends Accept and closes the connections that wait to be accepted.
// Accepted connections stay open.
func (l *Listener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	close(l.done)
	for {
		select {
		case conn := <-l.accepted:
			conn.Close()
		default:
			return nil
		}
	}
}

// Addr returns the name as an address.
func (l *Listener) Addr() net.Addr { return l.name }

// Address is the address of an end of a connection in memory.
type Address string

// Network returns memory.
func (a Address) Network() string { return "memory" }

// String returns the address itself.
func (a Address) String() string { return string(a) }
