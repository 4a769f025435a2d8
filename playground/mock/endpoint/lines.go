package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
)

// ServeLines answers a client that writes one message a line, until its input ends
// (basic/transports/stdio). Answers that wait for the client do not hold up others.
func (s *Endpoint) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	l := &lineClient{endpoint: s, out: out}
	defer l.running.Wait()
	defer cancel()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxBody)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			l.read(ctx, bytes.Clone(line))
		}
	}
	if err := lines.Err(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("read lines: %w", err)
	}
	return l.err
}

// lineClient is a client that writes lines.
type lineClient struct {
	endpoint *Endpoint
	running  sync.WaitGroup
	mu       sync.Mutex // guards out and err
	out      io.Writer
	err      error
}

func (l *lineClient) read(ctx context.Context, line []byte) {
	message, err := jsontree.Parse(line, jsontree.Limits{})
	if err != nil || message.Kind != jsontree.Object {
		l.write(own(400, "This line is no message of JSON-RPC.").Body)
		return
	}
	s := l.endpoint
	if mock.IsAnswer(message) {
		s.answer(message)
		return
	}
	f, miss := s.Recording.Find(message)
	if miss != nil {
		if message.Has("id") {
			reply := s.Recording.Refuse(miss, message.Get("id"))
			s.note(message.Get("method").Str(), reply)
			l.write(reply.Body)
		}
		return
	}
	reply, err := s.reply(ctx, f)
	if err != nil {
		reply = own(503, "The recording cannot be read now. Try again.")
	}
	s.note(message.Get("method").Str(), reply)
	if !message.Has("id") {
		return
	}
	l.running.Go(func() { l.answer(ctx, reply) })
}

// answer writes what was recorded, a message a line.
func (l *lineClient) answer(ctx context.Context, reply mock.Reply) {
	l.write(reply.Body)
	for _, e := range reply.Events {
		why, err := l.endpoint.send(ctx, e, func() error {
			l.write(e.Data)
			return nil
		})
		if err != nil {
			return
		}
		if why != "" {
			l.write(l.endpoint.Recording.RefuseAnswer(why, reply.ID).Body)
			return
		}
	}
}

// write writes a message as one line.
func (l *lineClient) write(message []byte) {
	if len(message) == 0 {
		return
	}
	if bytes.ContainsAny(message, "\r\n") {
		message = jsontree.Compact(message)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.out.Write(append(bytes.Clone(message), '\n')); err != nil {
		l.err = errors.Join(l.err, err)
	}
}
