package wire

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// pipeSize is how many bytes one side may write before the other reads.
const pipeSize = 64 << 10

// newPipe returns the two ends of a connection in memory. Unlike net.Pipe it
// buffers, as sockets do: a server may respond before it has read everything.
func newPipe(client, server net.Addr) (net.Conn, net.Conn) {
	up, down := newHalf(), newHalf()
	return &end{down, up, client, server}, &end{up, down, server, client}
}

// end is one end of a pipe: it reads from one half and writes to the other.
type end struct {
	in, out       *half
	local, remote net.Addr
}

func (e *end) Read(p []byte) (int, error)         { return e.in.read(p) }
func (e *end) Write(p []byte) (int, error)        { return e.out.write(p) }
func (e *end) LocalAddr() net.Addr                { return e.local }
func (e *end) RemoteAddr() net.Addr               { return e.remote }
func (e *end) SetReadDeadline(t time.Time) error  { return e.in.setDeadline(&e.in.readBy, t) }
func (e *end) SetWriteDeadline(t time.Time) error { return e.out.setDeadline(&e.out.writeBy, t) }

func (e *end) SetDeadline(t time.Time) error {
	_ = e.SetReadDeadline(t)
	return e.SetWriteDeadline(t)
}

func (e *end) Close() error {
	e.in.close(&e.in.readerGone)
	e.out.close(&e.out.writerGone)
	return nil
}

// half is one direction of a pipe. changed is closed and replaced at every
// change, which makes waiting readers and writers check again.
type half struct {
	mu                     sync.Mutex
	buf                    []byte
	readerGone, writerGone bool
	readBy, writeBy        deadline
	changed                chan struct{}
}

type deadline struct {
	at    time.Time
	timer *time.Timer
}

func (d deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

func newHalf() *half { return &half{changed: make(chan struct{})} }

func (h *half) read(p []byte) (int, error) {
	for {
		n, wait, err := h.tryRead(p)
		if wait == nil {
			return n, err
		}
		<-wait
	}
}

func (h *half) tryRead(p []byte) (n int, wait <-chan struct{}, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.readerGone:
		return 0, nil, net.ErrClosed
	case h.readBy.passed():
		return 0, nil, os.ErrDeadlineExceeded
	case len(p) == 0:
		return 0, nil, nil
	case len(h.buf) > 0:
		n = copy(p, h.buf)
		if h.buf = h.buf[n:]; len(h.buf) == 0 {
			h.buf = nil
		}
		h.notify()
		return n, nil, nil
	case h.writerGone:
		return 0, nil, io.EOF
	}
	return 0, h.changed, nil
}

func (h *half) write(p []byte) (written int, err error) {
	for {
		n, wait, err := h.tryWrite(p[written:])
		if written += n; wait == nil {
			return written, err
		}
		<-wait
	}
}

// tryWrite writes as much of p as fits. wait is not nil if some of p is left.
func (h *half) tryWrite(p []byte) (n int, wait <-chan struct{}, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.writerGone:
		return 0, nil, net.ErrClosed
	case h.writeBy.passed():
		return 0, nil, os.ErrDeadlineExceeded
	case h.readerGone:
		return 0, nil, io.ErrClosedPipe
	}
	if n = min(len(p), pipeSize-len(h.buf)); n > 0 {
		h.buf = append(h.buf, p[:n]...)
		h.notify()
	}
	if n == len(p) {
		return n, nil, nil
	}
	return n, h.changed, nil
}

func (h *half) close(gone *bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*gone = true
	for _, d := range []*deadline{&h.readBy, &h.writeBy} {
		if d.timer != nil && (gone == &h.readerGone) == (d == &h.readBy) {
			d.timer.Stop()
		}
	}
	if h.readerGone {
		h.buf = nil
	}
	h.notify()
}

func (h *half) setDeadline(d *deadline, t time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	*d = deadline{at: t}
	if !t.IsZero() {
		d.timer = time.AfterFunc(time.Until(t), func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.notify()
		})
	}
	h.notify()
	return nil
}

// notify wakes all waiting readers and writers. The caller holds the lock.
func (h *half) notify() {
	close(h.changed)
	h.changed = make(chan struct{})
}
